// Package recordstest opens records of their own for tests. The test package's TestMain calls stacktest.Main.
package recordstest

import (
	"testing"

	"github.com/stretchr/testify/require"

	"plait/internal/records"
	"plait/internal/stack/stacktest"
)

// Open is a migrated, empty database, and its URL. Both go with the test.
func Open(tb testing.TB) (*records.Store, string) {
	tb.Helper()
	url := stacktest.Postgres(tb)
	require.NoError(tb, records.Migrate(tb.Context(), url))
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
