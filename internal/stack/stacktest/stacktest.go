// Package stacktest starts a real Postgres server and a real Temporal server for tests.
//
// Each test process starts a server at the first call that needs it, and stops it when the tests have ended. A package that uses
// stacktest therefore needs
//
//	func TestMain(m *testing.M) { stacktest.Main(m) }
//
// If PLAIT_TEST_DATABASE_URL or PLAIT_TEST_TEMPORAL_ADDRESS is set, tests use that server instead. If PLAIT_TEST_TEMPORAL_BINARY is set,
// that program is the Temporal server instead of the fetched CLI.
package stacktest

import (
	"fmt"
	"maps"
	"os"
	"sync"
	"testing"
)

// Environment variables with servers to use instead of embedded ones, and with another Temporal server program.
const (
	EnvDatabaseURL     = "PLAIT_TEST_DATABASE_URL"
	EnvTemporalAddress = "PLAIT_TEST_TEMPORAL_ADDRESS"
	EnvTemporalBinary  = "PLAIT_TEST_TEMPORAL_BINARY"
)

// Option configures the servers of the test process.
type Option func(*servers)

// WithSearchAttributes registers attributes (name: type) in the embedded Temporal server's default namespace.
func WithSearchAttributes(attributes map[string]string) Option {
	return func(s *servers) { maps.Copy(s.searchAttributes, attributes) }
}

// current has the servers of this test process; nil until Main runs.
var current *servers

// Main runs the tests of a package, then stops the servers they started, and exits.
func Main(m *testing.M, options ...Option) {
	current = &servers{searchAttributes: map[string]string{}}
	for _, option := range options {
		option(current)
	}
	current.postgres.start = current.startPostgres
	current.temporal.start = current.startTemporal
	code := m.Run()
	if err := current.stop(); err != nil {
		fmt.Fprintln(os.Stderr, "stacktest:", err)
		code = max(code, 1)
	}
	os.Exit(code)
}

// Postgres returns the URL of a fresh, empty database, which is dropped when tb ends.
func Postgres(tb testing.TB) string {
	tb.Helper()
	return freshDatabase(tb, databaseServer(tb), "")
}

// databaseServer returns the URL of the server of the test process.
func databaseServer(tb testing.TB) string {
	tb.Helper()
	if server := os.Getenv(EnvDatabaseURL); server != "" {
		return server
	}
	return configured(tb).postgres.address(tb)
}

// Temporal returns the address (host:port) of a Temporal server with the namespace "default". Tests share the server, so each needs
// its own task queues and workflow ids.
func Temporal(tb testing.TB) string {
	tb.Helper()
	if address := os.Getenv(EnvTemporalAddress); address != "" {
		return address
	}
	return configured(tb).temporal.address(tb)
}

// configured returns what Main has set up.
func configured(tb testing.TB) *servers {
	tb.Helper()
	if current == nil {
		tb.Fatal("stacktest: the package needs func TestMain(m *testing.M) { stacktest.Main(m) }")
	}
	return current
}

func (l *lazy) address(tb testing.TB) string {
	tb.Helper()
	address, err := l.get()
	if err != nil {
		tb.Fatalf("stacktest: %v", err)
	}
	return address
}

// lazy starts a server at the first call of get.
type lazy struct {
	once  sync.Once
	start func() (string, error)
	found string
	err   error
}

func (l *lazy) get() (string, error) {
	l.once.Do(func() { l.found, l.err = l.start() })
	return l.found, l.err
}
