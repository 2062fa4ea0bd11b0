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
	// restartSteady is how long a child has to run for its waits and restarts to count from the start again.
	restartSteady = time.Minute
	// restartLimit is how many times in a row a child that exits by itself is started again; then the stack has failed. A child that
	// is killed, for example because the system has no memory left, may be able to run: it is always started again.
	restartLimit = 6
)

// child is a process that is started again when it dies.
type child struct {
	name    string
	command func() *exec.Cmd
	options process.Options

	mu      sync.Mutex
	process *process.Process
	quit    chan struct{} // closed by stop
	ended   chan struct{} // closed when nothing of it runs
}

// Run starts a further child under the stack's care: a log of its own (logs/NAME.log), death with this process, a new start when
// it dies, and SIGTERM at Stop, before Temporal and Postgres. command is called for each start. A child that keeps exiting fails the
// stack; one that keeps being killed does not.
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

// start begins one life of the child.
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

// keepRunning returns nil when the child was told to stop, and why when it is given up.
func (s *Stack) keepRunning(c *child) error {
	wait, restarts := s.options.RestartWait, 0
	for {
		p, begun := c.running(), time.Now()
		select {
		case <-c.quit:
			return nil
		case <-p.Done():
		}
		failure := &process.ChildError{Name: c.name, Err: fmt.Errorf("ended: %w", exitCause(p)), LogTail: p.Tail()}
		if time.Since(begun) >= restartSteady {
			wait, restarts = s.options.RestartWait, 0
		}
		if restarts++; killed(p) {
			restarts = 0
		}
		if restarts > restartLimit {
			return failure
		}
		s.options.Progress(c.name, fmt.Sprintf("ended (%v) and starts again; nothing is lost", exitCause(p)))
		s.options.Logger.Warn("starting a child again", "child", c.name, "after", exitCause(p), "wait", wait)
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

func exitCause(p *process.Process) error {
	if err := p.Err(); err != nil {
		return err
	}
	return errors.New("exit status 0")
}

// stop ends the child's restarts and the child.
func (c *child) stop(ctx context.Context) error {
	close(c.quit)
	<-c.ended
	return c.running().Stop(ctx)
}
