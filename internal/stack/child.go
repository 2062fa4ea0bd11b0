package stack

import (
	"context"
	"errors"
	"fmt"
	"os/exec"
	"sync"
	"syscall"
	"time"

	"plait/internal/stack/process"
)

const (
	// restartLonger bounds the wait before a restart, as a multiple of Options.RestartWait.
	restartLonger = 20
	// restartSteady is how long a child must run before its wait and its count of restarts are reset.
	restartSteady = time.Minute
	// restartLimit is how many times in a row a child that exits by itself is restarted before the stack fails. A child that a signal
	// killed, for example for lack of memory, is always restarted, because it may well be able to run.
	restartLimit = 6
)

// child is a process that the stack restarts when it ends.
type child struct {
	name    string
	command func() *exec.Cmd
	options process.Options

	mu      sync.Mutex
	process *process.Process
	quit    chan struct{} // closed by stop
	ended   chan struct{} // closed when its process has ended and will not be restarted
}

// Run starts another child process and supervises it. The child logs to logs/NAME.log, dies with this process, and is restarted when
// it ends; Stop sends it SIGTERM before it stops Temporal and Postgres. Run calls command for each start. A child that exits by
// itself too often in a row fails the stack; a child that is killed does not.
func (s *Stack) Run(name string, command func() *exec.Cmd) error {
	c := &child{
		name: name, command: command,
		options: process.Options{
			Name: name, LogFile: s.options.logFile(name), PIDFile: s.options.pidFile(name), StopSignal: syscall.SIGTERM,
			Logger: s.options.Logger,
		},
		quit: make(chan struct{}), ended: make(chan struct{}),
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.stopping {
		return errors.New("the stack is stopping")
	}
	if err := c.start(); err != nil {
		return err
	}
	s.children = append(s.children, c)
	go func() {
		defer close(c.ended)
		if err := s.keepRunning(c); err != nil {
			s.fail(err)
		}
	}()
	return nil
}

// start starts the child's process, for the first time or again.
func (c *child) start() error {
	p, err := process.Start(c.command(), c.options)
	if err != nil {
		return err
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.process = p
	return nil
}

func (c *child) running() *process.Process {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.process
}

// keepRunning restarts c whenever it ends. It returns nil after stop, and an error when c has failed too often in a row.
func (s *Stack) keepRunning(c *child) error {
	wait, restarts := s.options.RestartWait, 0
	for {
		p, begun := c.running(), time.Now()
		select {
		case <-c.quit:
			return nil
		case <-p.Done():
		}
		failure := &process.ChildError{Name: c.name, Err: fmt.Errorf("ended: %w", p.EndCause()), LogTail: p.Tail()}
		if time.Since(begun) >= restartSteady {
			wait, restarts = s.options.RestartWait, 0
		}
		if restarts++; killed(p) {
			restarts = 0
		}
		if restarts > restartLimit {
			return failure
		}
		s.options.Progress(c.name, fmt.Sprintf("ended (%v); restarting, nothing is lost", p.EndCause()))
		s.options.Logger.Warn("restarting a child process", "child", c.name, "after", p.EndCause(), "wait", wait)
		select {
		case <-c.quit:
			return nil
		case <-time.After(wait):
		}
		wait = min(2*wait, restartLonger*s.options.RestartWait)
		if err := c.start(); err != nil {
			return errors.Join(failure, err)
		}
	}
}

// killed reports whether a signal ended the process.
func killed(p *process.Process) bool {
	var exit *exec.ExitError
	if !errors.As(p.Err(), &exit) {
		return false
	}
	status, ok := exit.Sys().(syscall.WaitStatus)
	return ok && status.Signaled()
}

// stop ends the restarts of the child, then stops its process.
func (c *child) stop(ctx context.Context) error {
	close(c.quit)
	<-c.ended
	return c.running().Stop(ctx)
}
