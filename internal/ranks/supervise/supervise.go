// Package supervise keeps the processes of ranks running on the host of their leader.
package supervise

import (
	"context"
	"errors"
	"fmt"
	"os/exec"
	"time"

	"plait/internal/core"
	"plait/internal/stack/process"
)

const (
	// short is a life that counts as a failed start, and starts is how many of them in a row are enough.
	short  = 5 * time.Second
	starts = 3
	// grace is the time that a process gets to stop.
	grace = 5 * time.Second
)

// Run keeps a process running until ctx ends, and then stops it. command returns a new command for each start, whose output is in the
// options' log file.
//
// Errors: CodeHostLost when the process ends three times in a row within five seconds, with its last lines.
func Run(ctx context.Context, command func() *exec.Cmd, o process.Options) error {
	for failed := 0; ; {
		begin := time.Now()
		p, err := process.Start(command(), o)
		if err != nil {
			return core.Errorf(core.CodeHostLost, "%s does not start: %w", o.Name, err)
		}
		select {
		case <-p.Done():
		case <-ctx.Done():
			within, cancel := context.WithTimeout(context.WithoutCancel(ctx), grace)
			defer cancel()
			if err := p.Stop(within); err != nil && !errors.Is(err, context.DeadlineExceeded) {
				return fmt.Errorf("stop %s: %w", o.Name, err)
			}
			return nil
		}
		if failed++; time.Since(begin) >= short {
			failed = 0
		}
		if failed == starts {
			return core.Errorf(core.CodeHostLost, "%s ends soon after it starts: %w", o.Name,
				&process.ChildError{Name: o.Name, Err: p.Err(), LogTail: p.Tail()})
		}
	}
}
