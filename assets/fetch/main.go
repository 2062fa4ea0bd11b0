// Command fetch fills an asset folder from the lock files of plait/assets.
//
//	go run ./assets/fetch -dir build/assets
//	go run ./assets/fetch -group video -dir build/assets-video
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
	"plait/internal/assets/install"
)

func main() {
	group := flag.String("group", string(assets.Base), "files to fetch: base, video or upscale")
	dir := flag.String("dir", filepath.Join("build", "assets"), "asset folder to fill")
	platform := flag.String("platform", assets.Platform(), "platform to fetch for, as GOOS/GOARCH")
	flag.Parse()

	if err := run(assets.Group(*group), *dir, *platform); err != nil {
		fmt.Fprintln(os.Stderr, "assets:", err)
		os.Exit(1)
	}
}

func run(group assets.Group, dir, platform string) error {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	return install.Run(ctx, os.Stdout, group, dir, platform)
}
