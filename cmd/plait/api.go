package main

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

	"github.com/spf13/cobra"
	"golang.org/x/sync/errgroup"

	"plait/api"
	"plait/internal/comic/engine"
	"plait/internal/config"
	"plait/tasks"
	comictasks "plait/tasks/comic"
)

func newAPI(a *app) *cobra.Command {
	return &cobra.Command{
		Use:   "api",
		Short: "Serve the API until it is stopped",
		Args:  cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			l, err := a.load()
			if err != nil {
				return err
			}
			if err := locate(c.Context(), l); err != nil {
				return err
			}
			log := logger(c.ErrOrStderr(), l.Log)
			server, closeServer, err := newServer(c.Context(), l, log, l.Models.Manifest != "")
			if err != nil {
				return err
			}
			defer closeServer()
			var lc net.ListenConfig
			listener, err := lc.Listen(c.Context(), "tcp", l.HTTP.Address)
			if err != nil {
				return fmt.Errorf("http.address: %w", err)
			}
			log.Info("serving", "address", listener.Addr().String())
			group, ctx := errgroup.WithContext(c.Context())
			if l.UI.Upstream != "" {
				ui, err := openTemporalUI(ctx, l, l.UI.Upstream, log)
				if err != nil {
					return errors.Join(err, listener.Close())
				}
				defer ui.close()
				log.Info("serving the Temporal UI", "address", ui.listener.Addr().String())
				group.Go(func() error { return ui.serve(ctx) })
			}
			group.Go(func() error { return server.Serve(ctx, listener) })
			return group.Wait()
		},
	}
}

// newServer makes the API of the configuration's database, Temporal and blobs. It refuses languages that its models do not
// read where the workers have the models of this configuration.
func newServer(ctx context.Context, l *config.Loaded, log *slog.Logger, modelsOfWorkers bool) (_ *api.Server, closeAll func(), err error) {
	var opened closers
	defer func() {
		if err != nil {
			opened.close()
		}
	}()
	host := hostName()
	stopTracing, err := startTracing(ctx, l, "plait-api", host, strconv.Itoa(os.Getpid()), log)
	if err != nil {
		return nil, nil, err
	}
	opened.add(stopTracing)
	store, err := openRecords(ctx, l)
	if err != nil {
		return nil, nil, err
	}
	opened.add(store.Close)
	blobs, err := openBlobs(ctx, l)
	if err != nil {
		return nil, nil, err
	}
	temporal, err := dialTemporal(ctx, l, fmt.Sprintf("%d@%s:api", os.Getpid(), host), nil, log)
	if err != nil {
		return nil, nil, err
	}
	opened.add(temporal.Close)
	deps := comictasks.Deps{Limits: chapterLimits(l), Deps: tasks.Deps{
		Records: store, Blobs: blobs, Temporal: temporal, Window: l.Chapter.Window, Retention: retention(l), Log: log,
	}}
	if modelsOfWorkers {
		if deps.CheckSource, err = sourceCheck(&l.Config); err != nil {
			return nil, nil, err
		}
	}
	server := api.New(api.Deps{
		Tasks:   comictasks.New(deps),
		Records: store, Blobs: blobs, Temporal: temporal,
		Config:   apiConfig(l),
		Log:      log,
		Registry: newRegistry(),
		Version:  readVersion().Version,
	})
	return server, opened.close, nil
}

// closers are closed in the reverse order of their opening.
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
		MaxConnections: l.HTTP.MaxConnections, MaxUploads: l.HTTP.MaxUploads,
		MaxBody: int64(l.Limits.MaxBody), MaxPages: l.Limits.MaxPages,
		MinFree: int64(l.Limits.MinFree), Folders: writtenFolders(l),
	}
}

// writtenFolders are the folders of this machine that uploads fill, directly or by the database.
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

func chapterLimits(l *config.Loaded) comictasks.Limits {
	return comictasks.Limits{Picture: engine.PictureLimits(&l.Config), Archive: archiveLimits(l), MaxPages: l.Limits.MaxPages}
}

func retention(l *config.Loaded) tasks.Retention {
	r := l.Retention
	return tasks.Retention{Files: r.Files, Tasks: r.Tasks, Answers: r.Answers, Calls: r.Calls, Uploads: r.Uploads}
}

// sourceCheck refuses source languages that no model of the configuration reads.
func sourceCheck(c *config.Config) (func(from string) error, error) {
	added, err := engine.AddedModels(c)
	return func(from string) error { return engine.CheckSource(added, from) }, err
}
