package mask

import (
	"runtime"
	"sync"

	"golang.org/x/sync/errgroup"
)

// threads are what a mask is made with: one for each region, and where fewer regions are left than there are threads to run, several
// for one.
type threads struct{ group errgroup.Group }

func newThreads() *threads {
	t := &threads{}
	t.group.SetLimit(runtime.GOMAXPROCS(0))
	return t
}

// each calls f for every number below n, in no order: on the thread that it is called on, and on those that are free.
func (t *threads) each(n int, f func(i int)) {
	var others sync.WaitGroup
	defer others.Wait()
	for i := range n {
		others.Add(1)
		call := func() error {
			defer others.Done()
			f(i)
			return nil
		}
		if i == n-1 || !t.group.TryGo(call) {
			_ = call()
		}
	}
}
