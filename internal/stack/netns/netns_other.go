//go:build unix && !linux

package netns

import (
	"context"
	"errors"
	"os/exec"
	"syscall"
)

var errUnsupported = errors.New("only Linux has network namespaces")

// Main does nothing on this system.
func Main() {}

// Supported returns an error on this system.
func Supported(context.Context) error { return errUnsupported }

// Command returns an error on this system.
func Command(*exec.Cmd, ...Relay) (*exec.Cmd, error) { return nil, errUnsupported }

// Attributes does nothing on this system.
func Attributes(*syscall.SysProcAttr) {}
