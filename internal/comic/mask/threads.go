package mask

import (
	"runtime"
	"sync"

	"golang.org/x/sync/errgroup"
)

// threads is the pool of goroutines that a mask is computed on. Each region runs on one goroutine, and may use others that are idle.
type threads struct{ group errgroup.Group }

func newThreads() *threads {
	t := &threads{}
	t.group.SetLimit(runtime.GOMAXPROCS(0))
	return t
}

// each calls f for every number below n, in no particular order, on the calling goroutine and on idle ones of the pool. It returns when
// all calls have returned.
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
