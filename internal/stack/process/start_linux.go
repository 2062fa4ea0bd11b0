package process

import (
	"os/exec"
	"runtime"
	"sync"
	"syscall"

	"plait/internal/stack/netns"
)

// attributes puts the child into a group of its own and asks the kernel to stop it when this process dies.
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

// The death signal is tied to the thread that forked, not to the process (prctl(2), PR_SET_PDEATHSIG). Go ends threads as it
// likes, so all children are started from one thread that lives as long as the process.
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
