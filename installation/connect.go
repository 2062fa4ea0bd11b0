// Package installation assembles the processes of Plait from the configuration: an API, a worker, and both with their servers on one
// machine. It also finds the installation that runs in a data folder, and checks its parts.
package installation

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"time"

	"go.temporal.io/sdk/client"
	sdklog "go.temporal.io/sdk/log"

	"plait/internal/blob"
	"plait/internal/config"
	"plait/internal/core"
	"plait/internal/files"
	"plait/internal/records"
	"plait/internal/stack"
	"plait/workflows/payload"
)

const (
	// dialTimeout bounds the first connection to Temporal: a server takes some seconds to start.
	dialTimeout = 30 * time.Second
	// storeTimeout bounds the first use of the blob store.
	storeTimeout = 10 * time.Second
)

// LocalTenant owns the tasks that are created at a terminal with the embedded stack.
const LocalTenant = "local"

// ErrNothingRuns is completed with the data folder by its wrapper.
var ErrNothingRuns = errors.New("no stack runs in")

// Locate sets the addresses of the stack that runs in the data folder, when the configuration sets none.
func Locate(ctx context.Context, l *config.Loaded) error {
	if l.Database.URL != "" && l.Temporal.Address != "" {
		return nil
	}
	ctx, cancel := context.WithTimeout(ctx, joinTimeout)
	defer cancel()
	state, release, err := stack.Join(ctx, l.DataDir)
	if errors.Is(err, stack.ErrNotRunning) {
		return fmt.Errorf(`%w %s: start "plait up" there, or set database.url (DATABASE_URL) and temporal.address (TEMPORAL_ADDRESS)`, ErrNothingRuns, l.DataDir)
	}
	if err != nil {
		return err
	}
	defer release()
	if l.Database.URL == "" {
		l.Database.URL = state.DatabaseURL
	}
	if l.Temporal.Address == "" {
		l.Temporal.Address, l.Temporal.Namespace = state.TemporalAddress, state.Namespace
		return usePayloadKey(l)
	}
	return nil
}

// usePayloadKey uses the key in the data folder for its embedded Temporal, and generates one when there is none.
func usePayloadKey(l *config.Loaded) (err error) {
	if l.Temporal.PayloadKeys == "" {
		l.Temporal.PayloadKeys, err = stack.EnsureSecret(filepath.Join(l.DataDir, "payload.key"), payload.NewKey)
	}
	return err
}

// payloadKeys parses the keys of the configuration.
func payloadKeys(l *config.Loaded) (*payload.Keys, error) {
	if l.Temporal.PayloadKeys == "" {
		return nil, core.NewError(core.CodeInvalidInput, "temporal.payload_keys is not set, and a Temporal server that is not the embedded one "+
			"keeps nothing in the clear: make a key with `openssl rand -base64 32`, the same for every process")
	}
	keys, err := payload.ParseKeys(l.Temporal.PayloadKeys)
	return keys, files.In("temporal.payload_keys", err)
}

// OpenRecords opens the database of the configuration.
func OpenRecords(ctx context.Context, l *config.Loaded) (*records.Store, error) {
	return records.Open(ctx, l.Database.URL, records.Options{
		MaxConns: l.Database.MaxConns, Slots: l.Worker.TranslateSlots + l.Document.TableSlots,
	})
}

// OpenBlobs opens the blob store and writes a small file as a check, so that an unreachable store fails the start.
func OpenBlobs(ctx context.Context, l *config.Loaded) (blob.Store, error) {
	location := l.Blob.URL
	if location == "" {
		dir, err := filepath.Abs(filepath.Join(l.DataDir, "blobs"))
		if err != nil {
			return nil, err
		}
		location = dir
	}
	store, err := blob.Open(ctx, location)
	if err != nil {
		return nil, files.In("blob.url", err)
	}
	ctx, cancel := context.WithTimeout(ctx, storeTimeout)
	defer cancel()
	if err := store.Check(ctx); err != nil {
		return nil, files.In("blob.url", err)
	}
	return store, nil
}

// DialTemporal connects to Temporal. It fails with CodeUnavailable when no server answers in time.
func DialTemporal(ctx context.Context, l *config.Loaded, identity string, metrics client.MetricsHandler, log *slog.Logger) (client.Client, error) {
	ctx, cancel := context.WithTimeout(ctx, dialTimeout)
	defer cancel()
	interceptors, err := tracedWorkflows(l)
	if err != nil {
		return nil, err
	}
	keys, err := payloadKeys(l)
	if err != nil {
		return nil, err
	}
	options := client.Options{
		HostPort:       l.Temporal.Address,
		Namespace:      l.Temporal.Namespace,
		Identity:       identity,
		MetricsHandler: metrics,
		// Payloads are names and short texts: compressing them would take a tenth of a worker's time without a benefit.
		ConnectionOptions: client.ConnectionOptions{GrpcCompression: &client.GrpcCompressionNone{}},
		Interceptors:      interceptors,
		Logger:            sdklog.NewStructuredLogger(log),
	}
	keys.Apply(&options)
	c, err := client.DialContext(ctx, options)
	if err != nil {
		return nil, core.Wrap(core.CodeUnavailable, err, "Temporal does not answer at "+l.Temporal.Address)
	}
	return c, nil
}

// HostName returns the name of this machine, for identities in logs and the Temporal UI.
func HostName() string {
	name, err := os.Hostname()
	if err != nil {
		return "unknown"
	}
	return name
}
