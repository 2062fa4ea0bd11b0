// Package recordstest opens records of their own for tests. The test package's TestMain calls stacktest.Main.
package recordstest

import (
	"testing"

	"github.com/stretchr/testify/require"

	"plait/internal/records"
	"plait/internal/stack/stacktest"
)

// Open is a migrated, empty database, and its URL. Both go with the test.
func Open(t testing.TB) (*records.Store, string) {
	t.Helper()
	url := stacktest.Postgres(t)
	require.NoError(t, records.Migrate(t.Context(), url))
	return Join(t, url), url
}

// Join opens a second pool on a database that Open made, as another process would.
func Join(t testing.TB, url string) *records.Store {
	t.Helper()
	store, err := records.Open(t.Context(), url, records.Options{})
	require.NoError(t, err)
	t.Cleanup(store.Close)
	return store
}
