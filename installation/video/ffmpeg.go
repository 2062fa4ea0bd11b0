package videoinstallation

import (
	"bufio"
	"context"
	"io"
	"log/slog"
	"sync"

	"plait/internal/assets"
	"plait/internal/assets/install"
	"plait/internal/config"
	"plait/internal/core"
	"plait/internal/video/ffmpeg"
)

// programs finds ffmpeg when a video first needs it, and fetches it where there is none.
type programs struct {
	config *config.Loaded
	log    *slog.Logger

	mu    sync.Mutex
	found *ffmpeg.Program
}

func (p *programs) find() (*ffmpeg.Program, error) {
	path, err := ffmpeg.Find(p.config.Video.FFmpeg, p.config.AssetsDir)
	if err != nil {
		return nil, err
	}
	return ffmpeg.New(path, ffmpeg.DefaultLimits), nil
}

// open returns the program. Concurrent callers wait for one download.
func (p *programs) open(ctx context.Context) (*ffmpeg.Program, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.found != nil {
		return p.found, nil
	}
	program, err := p.find()
	if core.CodeOf(err) == core.CodeModelMissing && p.config.Video.FFmpeg == "" {
		out := logged(p.log, assets.FFmpeg)
		err = Fetch(ctx, p.config, out)
		_ = out.Close()
		if err == nil {
			program, err = p.find()
		}
	}
	if err == nil {
		_, err = program.Version(ctx)
	}
	if err != nil {
		return nil, err
	}
	p.found = program
	return program, nil
}

// Fetch fetches ffmpeg beside the assets, by the lock files of this program, and writes to out what it does. It does nothing where there is
// one. It fails with MODEL_MISSING.
func Fetch(ctx context.Context, l *config.Loaded, out io.Writer) error {
	if _, err := ffmpeg.Find(l.Video.FFmpeg, l.AssetsDir); err == nil || l.Video.FFmpeg != "" {
		return err
	}
	dir, err := assets.Video.Dir(l.AssetsDir)
	if err == nil {
		err = install.Run(ctx, out, assets.Video, dir, assets.Platform())
	}
	if err != nil {
		return core.Wrap(core.CodeModelMissing, err, "ffmpeg is missing and cannot be fetched: install it, or run `make assets-video`")
	}
	return nil
}

// logged is a writer whose lines go to a log, until it is closed.
func logged(log *slog.Logger, asset string) io.WriteCloser {
	r, w := io.Pipe()
	go func() {
		for lines := bufio.NewScanner(r); lines.Scan(); {
			log.Info("fetching an asset", slog.String("asset", asset), slog.String("output", lines.Text()))
		}
	}()
	return w
}
