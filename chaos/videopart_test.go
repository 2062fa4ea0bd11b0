package chaos_test

import (
	"bytes"
	"context"
	"encoding/base64"
	"log/slog"

	installed "plait/installation"
	videoinstallation "plait/installation/video"
	"plait/internal/assets/assetstest"
	"plait/internal/config"
)

// What an API and a worker of the installation log when they serve and poll.
const (
	loggedServing = "msg=serving "
	loggedReady   = `msg="worker ready"`
)

// runVideos is the process of a part for videos, as the program itself starts it: an API, or a worker of all its roles.
func (p part) runVideos(ctx context.Context, log *slog.Logger) error {
	l, err := config.Load(config.Sources{Environ: []string{
		"DATABASE_URL=" + p.Database, "TEMPORAL_ADDRESS=" + p.Temporal,
		"PLAIT_TEMPORAL_PAYLOAD_KEYS=" + base64.StdEncoding.EncodeToString(bytes.Repeat([]byte("c"), 32)),
		"PLAIT_BLOB_URL=" + p.Blobs, "PLAIT_ASSETS_DIR=" + assetstest.Location(), "PLAIT_VIDEO_CATALOG=" + p.Catalog,
		"PLAIT_HTTP_ADDRESS=" + p.Address, "PLAIT_WORKER_HOST=" + p.Name, "PLAIT_WORKER_SWEEP_EVERY=" + sweepEvery.String(),
		"PLAIT_WORKER_STOP_TIMEOUT=" + stopTimeout.String(),
	}})
	if err != nil {
		return err
	}
	kinds := installed.Kinds{videoinstallation.Kind()}
	if len(p.Roles) == 0 {
		return installed.ServeAPI(ctx, l, kinds, "chaos", log)
	}
	return installed.RunWorker(ctx, l, kinds, "chaos", p.Roles, log)
}
