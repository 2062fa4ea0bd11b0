package installation

import (
	"context"
	"log/slog"
	"os/user"

	"plait/internal/config"
	"plait/internal/records"
	"plait/workflows"
)

// WithActor returns a context whose changes the audit log ascribes to the user of this machine and the command.
func WithActor(ctx context.Context, command string) context.Context {
	name := "an unknown user"
	if u, err := user.Current(); err == nil {
		name = u.Username
	}
	return records.WithActor(ctx, records.Actor{Name: name + " at " + HostName() + ", " + command})
}

// WithRecords calls work with the database of the configuration, or with that of the stack that runs in the data folder.
func WithRecords(ctx context.Context, l *config.Loaded, work func(*records.Store) error) error {
	if l.Database.URL == "" {
		if err := Locate(ctx, l); err != nil {
			return err
		}
	}
	store, err := OpenRecords(ctx, l)
	if err != nil {
		return err
	}
	defer store.Close()
	return work(store)
}

// Migrate updates the schema of the database and the search attributes of Temporal at the configured addresses. It can run at any time,
// also concurrently.
func Migrate(ctx context.Context, l *config.Loaded, log *slog.Logger) error {
	if err := records.Migrate(ctx, l.Database.URL); err != nil {
		return err
	}
	temporal, err := DialTemporal(ctx, l, "plait-migrate", nil, log)
	if err != nil {
		return err
	}
	defer temporal.Close()
	return workflows.RegisterSearchAttributes(ctx, temporal, l.Temporal.Namespace)
}
