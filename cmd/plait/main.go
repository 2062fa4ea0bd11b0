// Command plait translates comics and PDF documents durably: `plait translate` for one chapter at a terminal, `plait up` for a whole
// installation on one machine, and `plait api` and `plait worker` for its parts on many. `plait help` lists the rest.
package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"syscall"

	"plait/internal/core"
	"plait/internal/files"
	"plait/internal/stack/netns"
)

// The exit statuses, as `plait translate --help` explains them.
const (
	exitOK           = 0
	exitFailed       = 1
	exitUsage        = 2
	exitPartial      = 3
	exitNoTranslator = 4
	exitInterrupted  = 130 // 128 + SIGINT, as shells report it
)

// exitError ends the process with a status of its own. A quiet one has said everything already.
type exitError struct {
	status int
	err    error
}

func (e *exitError) Error() string {
	if e.err == nil {
		return ""
	}
	return e.err.Error()
}

func (e *exitError) Unwrap() error { return e.err }

func main() {
	netns.Main()
	os.Exit(run(os.Args[1:]))
}

func run(args []string) int {
	ctx, stop := interruptible(context.Background())
	defer stop()
	root := newRoot()
	root.SetArgs(args)
	err := root.ExecuteContext(ctx)
	if err == nil {
		return exitOK
	}
	if text := explain(err); text != "" {
		fmt.Fprintln(os.Stderr, "plait: "+text)
	}
	return status(ctx, err)
}

// errInterrupted is the cause of a context that a signal ended.
var errInterrupted = errors.New("interrupted")

// interruptible is canceled by the first SIGINT or SIGTERM. The second one ends the process at once, as a person who
// presses Ctrl-C twice expects.
func interruptible(parent context.Context) (context.Context, func()) {
	ctx, cancel := context.WithCancelCause(parent)
	signals := make(chan os.Signal, 2)
	signal.Notify(signals, os.Interrupt, syscall.SIGTERM)
	go func() {
		select {
		case <-signals:
			cancel(errInterrupted)
			<-signals
			os.Exit(exitInterrupted)
		case <-ctx.Done():
		}
	}()
	return ctx, func() {
		signal.Stop(signals)
		cancel(nil)
	}
}

func status(ctx context.Context, err error) int {
	var exit *exitError
	var arguments *files.ArgumentError
	switch {
	case errors.As(err, &exit):
		return exit.status
	case errors.As(err, &arguments):
		return exitUsage
	case errors.Is(context.Cause(ctx), errInterrupted):
		return exitInterrupted
	case core.CodeOf(err) == core.CodeTranslatorMissing:
		return exitNoTranslator
	default:
		return exitFailed
	}
}
