package chaos_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"strings"
	"sync"
	"syscall"
	"time"

	"plait/internal/stack/process"
)

// restartAfter is how soon an ended process is started again.
const restartAfter = 500 * time.Millisecond

// kept is a process that is started again whenever it ends, as a service manager would.
type kept struct {
	name    string
	log     string
	journal *journal
	// command is that of a life; it may change from one to the next.
	command func(life int) (*exec.Cmd, error)

	quit, ended chan struct{}
	stopped     sync.Once

	mu     sync.Mutex
	now    *process.Process
	input  io.Writer
	lives  []*life
	frozen bool
	broken []string
}

// life is one run of the program, from its start to its end.
type life struct {
	began, killed time.Time
	// asked says that it was asked to stop; ready is closed once it serves.
	asked bool
	ready chan struct{}
	// froze is when it stopped running for a while, and melted when it went on.
	froze, melted time.Time
}

func lifeName(name string, number int) string { return fmt.Sprintf("%s/%d", name, number) }

func keep(name, log string, j *journal, command func(int) (*exec.Cmd, error)) *kept {
	k := &kept{name: name, log: log, journal: j, command: command, quit: make(chan struct{}), ended: make(chan struct{})}
	go k.run()
	return k
}

func (k *kept) run() {
	defer close(k.ended)
	for number := 1; ; number++ {
		p, err := k.start(number)
		if err != nil {
			k.note("cannot be started: " + err.Error())
			return
		}
		select {
		case <-k.quit:
			return
		case <-p.Done():
			k.bury(p)
		}
		select {
		case <-k.quit:
			return
		case <-time.After(restartAfter):
		}
	}
}

func (k *kept) start(number int) (*process.Process, error) {
	cmd, err := k.command(number)
	if err != nil {
		return nil, err
	}
	input, err := cmd.StdinPipe()
	if err != nil {
		return nil, err
	}
	l := &life{began: time.Now(), ready: make(chan struct{})}
	k.mu.Lock()
	defer k.mu.Unlock()
	p, err := process.Start(cmd, process.Options{Name: k.name, LogFile: k.log, StopSignal: syscall.SIGTERM, OnLine: func(line string) {
		k.hear(l, line)
	}})
	if err != nil {
		return nil, err
	}
	k.now, k.input, k.frozen = p, input, false
	k.lives = append(k.lives, l)
	return p, nil
}

// hear reads what the process prints for what no process may say, whatever happens to it.
func (k *kept) hear(l *life, line string) {
	if line == readyLine || strings.Contains(line, loggedServing) || strings.Contains(line, loggedReady) {
		close(l.ready)
		return
	}
	for _, bad := range []string{"panic: ", "fatal error: ", "WARNING: DATA RACE"} {
		if strings.HasPrefix(line, bad) {
			go k.note(line) // the lock may be held by whoever starts the process
		}
	}
}

func (k *kept) note(line string) {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.broken = append(k.broken, line)
}

func (k *kept) bury(p *process.Process) {
	k.mu.Lock()
	defer k.mu.Unlock()
	l := k.lives[len(k.lives)-1]
	if l.killed.IsZero() && !l.asked {
		tail := strings.Split(strings.TrimSpace(p.Tail()), "\n")
		k.journal.tell("ended by itself", "%s: %v: %s", lifeName(k.name, len(k.lives)), p.Err(), tail[len(tail)-1])
	}
}

// pid is that of the present life, or of the last one.
func (k *kept) pid() int {
	k.mu.Lock()
	defer k.mu.Unlock()
	return k.now.PID()
}

// life is the number of the present one, from 1.
func (k *kept) life() int {
	k.mu.Lock()
	defer k.mu.Unlock()
	return len(k.lives)
}

// lifeOf is the life of that name.
func (k *kept) lifeOf(name string) (life, bool) {
	k.mu.Lock()
	defer k.mu.Unlock()
	for i, l := range k.lives {
		if lifeName(k.name, i+1) == name {
			return *l, true
		}
	}
	return life{}, false
}

func (k *kept) kill() (number int) {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.lives[len(k.lives)-1].killed = time.Now()
	_ = k.now.Signal(syscall.SIGKILL)
	return len(k.lives)
}

// restart asks the process to stop by itself; it is started again.
func (k *kept) restart() (number int) {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.lives[len(k.lives)-1].asked = true
	_ = k.now.Signal(syscall.SIGTERM)
	return len(k.lives)
}

// freeze stops the process from running, and melt lets it go on.
func (k *kept) freeze() (number int) {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.frozen = true
	k.lives[len(k.lives)-1].froze = time.Now()
	_ = k.now.Signal(syscall.SIGSTOP)
	return len(k.lives)
}

func (k *kept) melt() {
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.frozen {
		k.frozen = false
		k.lives[len(k.lives)-1].melted = time.Now()
		_ = k.now.Signal(syscall.SIGCONT)
	}
}

// order tells the process what to suffer. One that is about to end need not hear it.
func (k *kept) order(what string, how any) {
	k.mu.Lock()
	defer k.mu.Unlock()
	_, _ = fmt.Fprintln(k.input, what, how)
}

// awaitReady waits until the present life, or a later one, serves.
func (k *kept) awaitReady(ctx context.Context) error {
	for {
		select {
		case <-k.ended:
			return errors.New(k.name + " is not kept any more")
		default:
		}
		k.mu.Lock()
		var ready chan struct{}
		if len(k.lives) > 0 {
			ready = k.lives[len(k.lives)-1].ready
		}
		k.mu.Unlock()
		select {
		case <-ready:
			return nil
		case <-ctx.Done():
			return fmt.Errorf("%s is not ready: %w", k.name, ctx.Err())
		case <-time.After(pollEvery):
		}
	}
}

// stop ends the keeping and then the process. A second stop does nothing.
func (k *kept) stop(ctx context.Context) (err error) {
	k.stopped.Do(func() {
		close(k.quit)
		<-k.ended
		k.mu.Lock()
		now := k.now
		k.mu.Unlock()
		if now != nil {
			err = now.Stop(ctx)
		}
	})
	return err
}
