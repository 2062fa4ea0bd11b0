package installation

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"plait/api"
	"plait/api/schema"
	"plait/internal/archive"
	"plait/internal/config"
	"plait/internal/fetch"
	"plait/internal/memory"
	"plait/internal/picture"
	"plait/internal/translators"
	"plait/tasks"

	"golang.org/x/sync/errgroup"
)

// NewServer makes the API for the configured database, Temporal and blobs. ModelsOfWorkers is as in [Process].
func NewServer(
	ctx context.Context, l *config.Loaded, kinds Kinds, version string, log *slog.Logger, modelsOfWorkers bool,
) (_ *api.Server, closeAll func(), err error) {
	var opened closers
	defer func() {
		if err != nil {
			opened.close()
		}
	}()
	host := HostName()
	stopTracing, err := startTracing(ctx, l, "plait-api", version, host, strconv.Itoa(os.Getpid()), log)
	if err != nil {
		return nil, nil, err
	}
	opened.add(stopTracing)
	store, err := OpenRecords(ctx, l)
	if err != nil {
		return nil, nil, err
	}
	opened.add(store.Close)
	blobs, err := OpenBlobs(ctx, l)
	if err != nil {
		return nil, nil, err
	}
	keys, err := payloadKeys(l)
	if err != nil {
		return nil, nil, err
	}
	secrets, err := webhookSecrets(store, keys)
	if err != nil {
		return nil, nil, err
	}
	temporal, err := DialTemporal(ctx, l, fmt.Sprintf("%d@%s:api", os.Getpid(), host), nil, log)
	if err != nil {
		return nil, nil, err
	}
	opened.add(temporal.Close)
	registry := NewRegistry()
	service, apis, err := kinds.service(Process{
		Config: l, Records: store, Blobs: blobs, Temporal: temporal, Log: log, Registry: registry, ModelsOfWorkers: modelsOfWorkers,
	}, nil)
	if err != nil {
		return nil, nil, err
	}
	server := api.New(api.Deps{
		Tasks: service, Kinds: apis, Records: store, Blobs: blobs, Temporal: temporal, Fetch: fetchClient(l), LinkKeys: keys.Derive("signed links"),
		Webhooks: secrets, Namespace: l.Temporal.Namespace, Queues: kinds.SharedQueues(),
		Translator: func(ctx context.Context) (*schema.CapableTranslator, error) { return translatorOf(ctx, l) },
		Checks:     (&Doctor{Config: l, Kinds: kinds}).Parts(),
		Check:      func(ctx context.Context, part string) (schema.Finding, error) { return examineApart(ctx, l, part) },
		Config:     apiConfig(l), Log: log, Registry: registry, Version: version,
	})
	return server, opened.close, nil
}

// closers are called in the reverse order of opening.
type closers []func()

func (c *closers) add(f func()) { *c = append(*c, f) }

func (c *closers) close() {
	for _, f := range slices.Backward(*c) {
		f()
	}
}

func apiConfig(l *config.Loaded) api.Config {
	return api.Config{
		RequestTimeout: l.HTTP.RequestTimeout, UploadTimeout: l.HTTP.UploadTimeout, ShutdownTimeout: l.HTTP.ShutdownTimeout,
		MaxConnections: l.HTTP.MaxConnections, MaxConnectionsPerAddress: l.HTTP.MaxConnectionsPerAddress,
		MaxRequestsPerTenant: l.HTTP.MaxRequestsPerTenant,
		MaxUploads:           l.HTTP.MaxUploads, AdmissionTimeout: l.HTTP.AdmissionTimeout, MinUploadRate: int64(l.HTTP.MinUploadRate),
		MaxStreams: l.HTTP.MaxStreams, MaxStreamsPerTenant: l.HTTP.MaxStreamsPerTenant,
		MaxBody: int64(l.Limits.MaxBody), MaxPages: l.Limits.MaxPages,
		Picture:   PictureLimits(&l.Config),
		PublicURL: l.HTTP.PublicURL, PresignedLinks: l.Blob.PresignedLinks, TrustedProxies: l.HTTP.TrustedProxies, CORSOrigins: l.HTTP.CORSOrigins,
		MinFree: int64(l.Limits.MinFree), Folders: writtenFolders(l),
	}
}

// translatorOf returns the configured model, or nil when there is none.
func translatorOf(ctx context.Context, l *config.Loaded) (*schema.CapableTranslator, error) {
	p, err := translators.Configured(ctx, &l.Config)
	if errors.Is(err, translators.ErrNone) || err == nil && p.Model == "" {
		return nil, nil
	}
	return &schema.CapableTranslator{Provider: p.Kind, Model: p.Model}, err
}

// fetchClient returns nil when files by URL are refused.
func fetchClient(l *config.Loaded) *fetch.Client {
	if !l.Fetch.Enabled {
		return nil
	}
	return fetch.New(fetch.Config{
		Timeout: l.Fetch.Timeout, MaxRedirects: l.Fetch.MaxRedirects, MinRate: int64(l.Fetch.MinRate),
		Allowed: l.Fetch.AllowedNetworks, Denied: l.Fetch.DeniedNetworks,
	})
}

// writtenFolders returns the folders of this machine that uploads fill, directly or through the database.
func writtenFolders(l *config.Loaded) []string {
	folders := []string{os.TempDir(), l.DataDir, filepath.Join(l.DataDir, "blobs")}
	if path, found := strings.CutPrefix(l.Blob.URL, "file://"); found || !strings.Contains(path, "://") {
		folders = append(folders, path)
	}
	return slices.DeleteFunc(folders, func(folder string) bool {
		_, err := os.Stat(folder)
		return err != nil // such as the data folder of a server whose database is elsewhere
	})
}

func retention(l *config.Loaded) tasks.Retention {
	r := l.Retention
	return tasks.Retention{Files: r.Files, Tasks: r.Tasks, Answers: r.Answers, Calls: r.Calls, Uploads: r.Uploads, Events: r.Events, MaxEvents: r.MaxEvents, Deliveries: r.Deliveries}
}

// PictureLimits are the limits of a picture in the configuration.
func PictureLimits(c *config.Config) picture.Limits {
	return picture.Limits{MaxPixels: c.Limits.MaxPixels, MaxSide: c.Limits.MaxSide, MaxBytes: int64(c.Limits.MaxPageBytes)}
}

// ArchiveLimits returns the limits of a chapter's archive.
func ArchiveLimits(c *config.Config) archive.Limits {
	limits := archive.DefaultLimits()
	limits.MaxTotalBytes = int64(c.Limits.MaxTotalBytes)
	limits.MaxEntryBytes = int64(c.Limits.MaxPageBytes)
	return limits
}

// ServeAPI serves the API, and the Temporal UI if the configuration sets one, until ctx ends.
func ServeAPI(ctx context.Context, l *config.Loaded, kinds Kinds, version string, log *slog.Logger) error {
	memory.CollectEarly()
	server, closeServer, err := NewServer(ctx, l, kinds, version, log, l.Models.Manifest != "")
	if err != nil {
		return err
	}
	defer closeServer()
	var lc net.ListenConfig
	listener, err := lc.Listen(ctx, "tcp", l.HTTP.Address)
	if err != nil {
		return fmt.Errorf("http.address: %w", err)
	}
	log.Info("serving", "address", listener.Addr().String())
	group, ctx := errgroup.WithContext(ctx)
	if l.UI.Upstream != "" {
		ui, err := openTemporalUI(ctx, l, l.UI.Upstream, log)
		if err != nil {
			return errors.Join(err, listener.Close())
		}
		defer ui.close()
		server.TemporalUI = ui.links(l)
		log.Info("serving the Temporal UI", "address", ui.listener.Addr().String())
		group.Go(func() error { return ui.serve(ctx) })
	}
	if l.HTTP.MetricsAddress != "" {
		health, err := lc.Listen(ctx, "tcp", l.HTTP.MetricsAddress)
		if err != nil {
			return errors.Join(fmt.Errorf("http.metrics_address: %w", err), listener.Close())
		}
		log.Info("serving health and metrics", "address", health.Addr().String())
		group.Go(func() error { return server.ServeHealth(ctx, health) })
	}
	group.Go(func() error { return server.Serve(ctx, listener) })
	return group.Wait()
}
