package process

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"os/exec"
	"syscall"
	"time"
)

// pipeGrace is how long the descendants of a child may keep its output open after it has exited.
const pipeGrace = 5 * time.Second

// Options say how to run a child.
type Options struct {
	Name       string            // in errors and log messages
	LogFile    string            // for standard output and error; output is dropped while it cannot be written
	PIDFile    string            // record of the running process for StopLeftover, removed when the process ends; optional
	StopSignal syscall.Signal    // makes the child shut down gracefully
	User       *User             // nil: the user of this process
	OwnNetwork bool              // start the child in its own network namespace: see package netns
	OnLine     func(line string) // called with each line of output, from one goroutine; optional
	Logger     *slog.Logger      // reports when LogFile begins to fail, and when it works again; nil: slog.Default
}

// Process is a running child.
type Process struct {
	name   string
	cmd    *exec.Cmd
	stop   syscall.Signal
	record string
	tail   *tail
	log    *log
	done   chan struct{}
	err    error // of Wait; read after done
}

// Start starts cmd as a child process. It sets the output and the SysProcAttr of cmd.
func Start(cmd *exec.Cmd, o Options) (*Process, error) {
	p := &Process{
		name: o.Name, cmd: cmd, stop: o.StopSignal, record: o.PIDFile, log: newLog(o),
		tail: &tail{onLine: o.OnLine}, done: make(chan struct{}),
	}
	output := io.MultiWriter(p.log, p.tail)
	cmd.Stdout, cmd.Stderr = output, output
	cmd.WaitDelay = pipeGrace
	cmd.SysProcAttr = attributes(o)
	if err := startFromLastingThread(cmd); err != nil {
		return nil, errors.Join(fmt.Errorf("start %s: %w", o.Name, err), p.log.Close())
	}
	recorded := p.writeRecord()
	go p.wait()
	if recorded != nil {
		return nil, errors.Join(fmt.Errorf("record %s: %w", o.Name, recorded), p.Signal(syscall.SIGKILL))
	}
	return p, nil
}

// writeRecord writes the record of the process, unless the process has ended already.
func (p *Process) writeRecord() error {
	if p.record == "" {
		return nil
	}
	if err := Record(p.record, p.PID()); !errors.Is(err, ErrEnded) {
		return err
	}
	return nil
}

func (p *Process) wait() {
	p.err = p.cmd.Wait()
	if p.record != "" {
		_ = os.Remove(p.record)
	}
	_ = p.log.Close()
	close(p.done)
}

// Name returns the name that was given to Start.
func (p *Process) Name() string { return p.name }

// PID returns the process id.
func (p *Process) PID() int { return p.cmd.Process.Pid }

// Done returns a channel that is closed when the process has ended.
func (p *Process) Done() <-chan struct{} { return p.done }

// Err waits until the process has ended, and returns nil for exit status 0 and the error of [exec.Cmd.Wait] otherwise.
func (p *Process) Err() error {
	<-p.done
	return p.err
}

// EndCause waits until the process has ended, and returns an error also for exit status 0.
func (p *Process) EndCause() error {
	if err := p.Err(); err != nil {
		return err
	}
	return errors.New("exit status 0")
}

// Tail returns the last lines that the process wrote, at most 20.
func (p *Process) Tail() string { return p.tail.String() }

// Stop sends the stop signal and waits until the process has ended. When ctx ends first, Stop kills the process and returns an error.
func (p *Process) Stop(ctx context.Context) error {
	if err := p.Signal(p.stop); err != nil {
		return err
	}
	select {
	case <-p.done:
		return nil
	case <-ctx.Done():
	}
	if err := p.Signal(syscall.SIGKILL); err != nil {
		return err
	}
	<-p.done
	return fmt.Errorf("%s did not stop in time and was killed: %w", p.name, context.Cause(ctx))
}

// Signal sends s to the process. It returns nil if the process has ended.
func (p *Process) Signal(s syscall.Signal) error {
	if err := p.cmd.Process.Signal(s); err != nil && !ended(err) {
		return fmt.Errorf("signal %s: %w", p.name, err)
	}
	return nil
}

// ChildError is the failure of a child process, with the last lines of its output.
type ChildError struct {
	Name    string
	Err     error
	LogTail string
}

func (e *ChildError) Error() string {
	if e.LogTail == "" {
		return fmt.Sprintf("%s: %v", e.Name, e.Err)
	}
	return fmt.Sprintf("%s: %v; its last lines:\n%s", e.Name, e.Err, e.LogTail)
}

func (e *ChildError) Unwrap() error { return e.Err }
