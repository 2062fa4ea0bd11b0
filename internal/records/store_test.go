package records_test

import (
	"context"
	"database/sql"
	"net"
	"testing"
	"time"

	"github.com/pressly/goose/v3"
	"github.com/stretchr/testify/require"
	"golang.org/x/sync/errgroup"

	"plait/internal/core"
	"plait/internal/records"
	"plait/internal/records/recordstest"
	"plait/internal/stack/stacktest"
	"plait/migrations"
)

// Processes that start together migrate together.
func TestMigrateAtOnce(t *testing.T) {
	t.Parallel()
	url := stacktest.Postgres(t)
	before, err := records.MigrationStatus(t.Context(), url)
	require.NoError(t, err)
	require.NotEmpty(t, before)
	require.False(t, before[0].Applied)
	store := recordstest.Join(t, url)
	recordstest.RequireCode(t, core.CodeUnavailable, store.Ping(t.Context()))

	var group errgroup.Group
	for range 4 {
		group.Go(func() error { return records.Migrate(t.Context(), url) })
	}
	require.NoError(t, group.Wait())
	after, err := records.MigrationStatus(t.Context(), url)
	require.NoError(t, err)
	for _, m := range after {
		require.True(t, m.Applied, m.Name)
		require.False(t, m.AppliedAt.IsZero())
	}
	require.NoError(t, store.Ping(t.Context()))
}

// Taken back, the migrations leave nothing behind that would stand in the way of the next start.
func TestMigrationsAreTakenBack(t *testing.T) {
	t.Parallel()
	url := stacktest.Postgres(t)
	require.NoError(t, records.Migrate(t.Context(), url))
	db, err := sql.Open("pgx", url)
	require.NoError(t, err)
	defer db.Close()
	provider, err := goose.NewProvider(goose.DialectPostgres, db, migrations.FS, goose.WithTableName("schema_version"), goose.WithDisableGlobalRegistry(true))
	require.NoError(t, err)
	_, err = provider.DownTo(t.Context(), 0)
	require.NoError(t, err)
	require.Empty(t, recordstest.Rows(t, url, `SELECT relname FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relname NOT LIKE 'schema_version%'
		UNION ALL SELECT proname FROM pg_proc WHERE pronamespace = 'public'::regnamespace`))
	require.NoError(t, records.Migrate(t.Context(), url))
}

func TestPingTellsAnOldSchema(t *testing.T) {
	f := open(t)
	f.SQL(`DELETE FROM schema_version WHERE version_id = (SELECT max(version_id) FROM schema_version)`)
	err := f.Ping(t.Context())
	recordstest.RequireCode(t, core.CodeUnavailable, err)
	require.ErrorContains(t, err, "plait migrate")
}

func TestUnreachable(t *testing.T) {
	t.Parallel()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	url := "postgres://u:secret@" + listener.Addr().String() + "/d?sslmode=disable"
	require.NoError(t, listener.Close())
	_, err = records.Open(t.Context(), url, records.Options{})
	recordstest.RequireCode(t, core.CodeUnavailable, err)
	recordstest.RequireCode(t, core.CodeUnavailable, records.Migrate(t.Context(), url))
	_, err = records.Open(t.Context(), "postgres://u:secret@host:port/d", records.Options{})
	recordstest.RequireCode(t, core.CodeInvalidInput, err)
	require.NotContains(t, err.Error(), "secret")
	_, err = records.MigrationStatus(t.Context(), "::")
	recordstest.RequireCode(t, core.CodeInvalidInput, err)
}

// As many slots can be held as the store is made for, whatever else it may connect for.
func TestSlotsHaveConnectionsOfTheirOwn(t *testing.T) {
	f := open(t)
	const slots = 12
	store, err := records.Open(t.Context(), f.URL, records.Options{MaxConns: 1, Slots: slots})
	require.NoError(t, err)
	t.Cleanup(store.Close)
	ctx, cancel := context.WithTimeout(t.Context(), 30*time.Second)
	defer cancel()
	for range slots {
		slot, err := store.AcquireSlot(ctx, "translate", slots)
		require.NoError(t, err)
		t.Cleanup(slot.Release) // before the store closes
	}
	require.NoError(t, store.Ping(ctx))
	f.acquireBusy(ctx, "translate", slots)
}

// Every error of the database has a code, whatever was being done.
func TestErrorsHaveCodes(t *testing.T) {
	f := open(t)
	n := f.running(1)
	f.Close()
	_, err := f.Task(t.Context(), tenant, n.ID)
	recordstest.RequireCode(t, core.CodeUnavailable, err)
	_, err = f.BeginStage(t.Context(), runOf(n.Items[0], first, 1))
	recordstest.RequireCode(t, core.CodeUnavailable, err)

	joined := recordstest.Join(t, f.URL)
	canceled, cancel := context.WithCancel(t.Context())
	cancel()
	_, err = joined.Items(canceled, n.ID)
	recordstest.RequireCode(t, core.CodeCanceled, err)
}

// Everything a data team can select says what it is.
func TestSchemaIsDocumented(t *testing.T) {
	f := open(t)
	require.Empty(t, f.Rows(`
		SELECT c.relname, a.attname FROM pg_class c
		JOIN pg_namespace n ON n.oid = c.relnamespace AND n.nspname = 'public'
		LEFT JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped
		WHERE c.relkind IN ('r', 'v') AND c.relname <> 'schema_version'
			AND (col_description(c.oid, a.attnum) IS NULL OR obj_description(c.oid) IS NULL)`))
}
