package process

import (
	"os/exec"
	"runtime"
	"sync"
	"syscall"

	"plait/internal/stack/netns"
)

// attributes gives the child its own process group, and asks the kernel to send it the stop signal when this process dies.
func attributes(o Options) *syscall.SysProcAttr {
	attr := &syscall.SysProcAttr{Setpgid: true, Pdeathsig: o.StopSignal}
	if o.User != nil {
		attr.Credential = o.User.credential()
	}
	if o.OwnNetwork {
		netns.Attributes(attr)
	}
	return attr
}

// The kernel sends the death signal when the thread that forked ends, not the process (prctl(2), PR_SET_PDEATHSIG). The Go runtime may
// end a thread at any time, so all children are started from one thread that lives as long as the process.
var (
	lastingThread sync.Once
	starts        = make(chan func())
)

func startFromLastingThread(cmd *exec.Cmd) error {
	lastingThread.Do(func() {
		go func() {
			runtime.LockOSThread()
			for start := range starts {
				start()
			}
		}()
	})
	result := make(chan error, 1)
	starts <- func() { result <- cmd.Start() }
	return <-result
}
