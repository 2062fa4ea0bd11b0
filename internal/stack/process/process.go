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

// pipeGrace is how long after a child's exit its own children may keep its output open.
const pipeGrace = 5 * time.Second

// Options say how to run a child.
type Options struct {
	Name       string
	LogFile    string            // standard output and error; a write that fails is dropped, and never reaches the child
	PIDFile    string            // says which process runs, for StopLeftover, and is removed when it has ended; optional
	StopSignal syscall.Signal    // the signal it drains on
	User       *User             // nil: the user of this process
	OwnNetwork bool              // start it in a network namespace of its own: see package netns
	OnLine     func(line string) // called with each line of output, from one goroutine; optional
	Logger     *slog.Logger      // is told once when LogFile begins to fail, and once when it works again; nil: slog.Default
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

// Start runs cmd, whose output and SysProcAttr it sets.
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

// writeRecord makes the record of a process that runs; one that has ended already needs none.
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

// Name is the name given to Start.
func (p *Process) Name() string { return p.name }

// PID is the process id.
func (p *Process) PID() int { return p.cmd.Process.Pid }

// Done is closed when the process has ended.
func (p *Process) Done() <-chan struct{} { return p.done }

// Err is how the process ended: nil for exit code 0. It blocks until then.
func (p *Process) Err() error {
	<-p.done
	return p.err
}

// Tail is the last lines the process wrote.
func (p *Process) Tail() string { return p.tail.String() }

// Stop asks the process to drain and waits until it has ended. When ctx ends first, it is killed and the error says so.
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

// Signal sends s, which is no error when the process has ended.
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
