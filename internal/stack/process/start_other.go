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

// startFromLastingThread starts cmd. Any thread can do it, because this system has no death signal.
func startFromLastingThread(cmd *exec.Cmd) error { return cmd.Start() }
