package records

import (
	"context"
	"database/sql"
	"fmt"
	"io/fs"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/stdlib"
	"github.com/pressly/goose/v3"
	"github.com/pressly/goose/v3/lock"

	"plait/migrations"
)

const (
	versionTable = "schema_version"
	// migrationLock is the advisory lock of migrations: "plait" in ASCII. Processes that start together take turns.
	migrationLock = 0x706c616974
	// lockAttempts are a second apart.
	lockAttempts = 300
)

// Migration is one step of the schema.
type Migration struct {
	Version   int64
	Name      string
	Applied   bool
	AppliedAt time.Time
}

// Migrate brings the schema of the database at url up to date. Several processes may call it at once.
func Migrate(ctx context.Context, url string) error {
	provider, err := newMigrator(url)
	if err != nil {
		return err
	}
	defer provider.Close()
	if _, err := provider.Up(ctx); err != nil {
		return Wrap(err, "migrate the database")
	}
	return nil
}

// MigrationStatus lists all migrations, in order, and which of them the database has.
func MigrationStatus(ctx context.Context, url string) ([]Migration, error) {
	provider, err := newMigrator(url)
	if err != nil {
		return nil, err
	}
	defer provider.Close()
	statuses, err := provider.Status(ctx)
	if err != nil {
		return nil, Wrap(err, "read the schema version")
	}
	list := make([]Migration, len(statuses))
	for i, s := range statuses {
		list[i] = Migration{Version: s.Source.Version, Name: s.Source.Path, Applied: s.State == goose.StateApplied, AppliedAt: s.AppliedAt}
	}
	return list, nil
}

func newMigrator(url string) (*goose.Provider, error) {
	config, err := pgx.ParseConfig(url)
	if err != nil {
		return nil, malformedURL(err)
	}
	// No statement time-out, and so no bound of an answer: building an index on a large table may take its time.
	configure(config, map[string]string{"application_name": "plait migrate", "timezone": "UTC"})
	return newProvider(stdlib.OpenDB(*config))
}

func newProvider(db *sql.DB) (*goose.Provider, error) {
	locker, err := lock.NewPostgresSessionLocker(lock.WithLockID(migrationLock), lock.WithLockTimeout(1, lockAttempts))
	if err != nil {
		return nil, fmt.Errorf("prepare migrations: %w", err)
	}
	provider, err := goose.NewProvider(goose.DialectPostgres, db, migrations.FS,
		goose.WithTableName(versionTable), goose.WithSessionLocker(locker), goose.WithDisableGlobalRegistry(true))
	if err != nil {
		return nil, fmt.Errorf("prepare migrations: %w", err)
	}
	return provider, nil
}

// latestVersion is the version that the embedded migrations lead to.
func latestVersion() int64 {
	names, err := fs.Glob(migrations.FS, "*.sql")
	if err != nil || len(names) == 0 {
		return 0
	}
	version, err := goose.NumericComponent(names[len(names)-1])
	if err != nil {
		return 0
	}
	return version
}
