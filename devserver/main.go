// Command plait-temporal is a Temporal server built from source, for whoever does not want the fetched Temporal CLI or has a platform
// without one.
//
// It accepts the part of the CLI's `temporal server start-dev` that Plait uses, with the same flags, so that either can replace the
// other:
//
//	plait-temporal server start-dev --ip 127.0.0.1 --port 7233 --db-filename temporal.db
//
// All four services run in the process over one SQLite file, with the web UI beside them. SIGINT or SIGTERM drains and stops it.
//
// It is a module of its own because the server's dependencies are many times those of Plait, and its first build takes minutes.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"syscall"
)

// serverVersion is the version of go.temporal.io/server in go.mod.
const serverVersion = "1.32.1"

const usage = "usage: plait-temporal server start-dev [flags]\n       plait-temporal --version"

func main() {
	if err := command(os.Args[1:]); err != nil {
		if errors.Is(err, flag.ErrHelp) {
			return
		}
		fmt.Fprintln(os.Stderr, "plait-temporal:", err)
		os.Exit(1)
	}
}

func command(args []string) error {
	if len(args) == 1 && args[0] == "--version" {
		fmt.Println("plait-temporal, Temporal server", serverVersion)
		return nil
	}
	if len(args) < 2 || args[0] != "server" || args[1] != "start-dev" {
		return errors.New(usage)
	}
	opts, err := parseOptions(args[2:], os.Stderr)
	if err != nil {
		return err
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	return serve(ctx, opts)
}
