//go:build unix && !linux

package process

import (
	"os/exec"
	"syscall"
)

func attributes(o Options) *syscall.SysProcAttr {
	attr := &syscall.SysProcAttr{Setpgid: true}
	if o.User != nil {
		attr.Credential = o.User.credential()
	}
	return attr
}

// startFromLastingThread starts cmd; without a death signal any thread will do.
func startFromLastingThread(cmd *exec.Cmd) error { return cmd.Start() }
