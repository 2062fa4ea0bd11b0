//go:build unix && !linux

package netns

import (
	"context"
	"errors"
	"os/exec"
	"syscall"
)

var errUnsupported = errors.New("only Linux gives a process a network of its own")

// Main does nothing here.
func Main() {}

// Supported is an error here.
func Supported(context.Context) error { return errUnsupported }

// Command fails here.
func Command(*exec.Cmd, ...Relay) (*exec.Cmd, error) { return nil, errUnsupported }

// Attributes does nothing here.
func Attributes(*syscall.SysProcAttr) {}
