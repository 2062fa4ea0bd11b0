// Package recordstest opens records of their own for tests. The test package's TestMain calls stacktest.Main.
package recordstest

import (
	"context"
	"crypto/sha256"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"plait/internal/core"
	"plait/internal/records"
	"plait/internal/stack/stacktest"
)

// migrated is copied instead of migrating each database, which takes ten times as long.
var migrated stacktest.Template

// Database is a migrated, empty database, which goes with the test.
func Database(tb testing.TB) string {
	tb.Helper()
	return migrated.Copy(tb, records.Migrate)
}

// Open is a migrated, empty database, and its URL. Both go with the test.
func Open(tb testing.TB) (*records.Store, string) {
	tb.Helper()
	url := Database(tb)
	return Join(tb, url), url
}

// Join opens a second pool on a database that Open made, as another process would.
func Join(tb testing.TB, url string) *records.Store {
	tb.Helper()
	store, err := records.Open(tb.Context(), url, records.Options{})
	require.NoError(tb, err)
	tb.Cleanup(store.Close)
	return store
}

// Connect opens a plain connection whose time zone is UTC. The caller closes it.
func Connect(tb testing.TB, url string) *pgx.Conn {
	tb.Helper()
	config, err := pgx.ParseConfig(url)
	require.NoError(tb, err)
	config.RuntimeParams["timezone"] = "UTC"
	conn, err := pgx.ConnectConfig(tb.Context(), config)
	require.NoError(tb, err)
	return conn
}

// Exec runs a statement on a connection of its own.
func Exec(tb testing.TB, url, sql string, args ...any) {
	tb.Helper()
	conn := Connect(tb, url)
	defer func() { _ = conn.Close(context.Background()) }()
	_, err := conn.Exec(tb.Context(), sql, args...)
	require.NoError(tb, err)
}

// Rows reads the rows of a query as text, without nulls, for comparing.
func Rows(tb testing.TB, url, sql string, args ...any) []string {
	tb.Helper()
	conn := Connect(tb, url)
	defer func() { _ = conn.Close(context.Background()) }()
	rows, err := conn.Query(tb.Context(), sql, append([]any{pgx.QueryExecModeSimpleProtocol}, args...)...)
	require.NoError(tb, err)
	list, err := pgx.CollectRows(rows, func(row pgx.CollectableRow) (string, error) {
		var words []string
		for _, value := range row.RawValues() {
			if value != nil {
				words = append(words, string(value))
			}
		}
		return strings.Join(words, " "), nil
	})
	require.NoError(tb, err)
	return list
}

// BlobOf names a blob by a word.
func BlobOf(content string) core.BlobRef { return core.NewBlobRef(sha256.Sum256([]byte(content))) }

// RequireCode demands an error of the code.
func RequireCode(tb testing.TB, code core.Code, err error) {
	tb.Helper()
	require.Error(tb, err)
	require.Equal(tb, code, core.CodeOf(err), "error: %v", err)
}
