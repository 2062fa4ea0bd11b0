// Package stacktest gives tests a real Postgres and a real Temporal server.
//
// Each test process starts what it asks for at the first call and stops it at its end, so a package that uses it needs
//
//	func TestMain(m *testing.M) { stacktest.Main(m) }
//
// With PLAIT_TEST_DATABASE_URL or PLAIT_TEST_TEMPORAL_ADDRESS set, those servers are used instead; with PLAIT_TEST_TEMPORAL_BINARY
// set, that program is the Temporal server, and not the fetched CLI.
package stacktest

import (
	"fmt"
	"maps"
	"os"
	"sync"
	"testing"
)

// Environment variables that name servers to use instead of embedded ones, and another Temporal server program.
const (
	EnvDatabaseURL     = "PLAIT_TEST_DATABASE_URL"
	EnvTemporalAddress = "PLAIT_TEST_TEMPORAL_ADDRESS"
	EnvTemporalBinary  = "PLAIT_TEST_TEMPORAL_BINARY"
)

// Option changes what the test process's servers are.
type Option func(*servers)

// WithSearchAttributes registers attributes (name: type) in the embedded Temporal server's default namespace.
func WithSearchAttributes(attributes map[string]string) Option {
	return func(s *servers) { maps.Copy(s.searchAttributes, attributes) }
}

// current is the servers of this test process; nil until Main.
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
	server := os.Getenv(EnvDatabaseURL)
	if server == "" {
		server = started(tb, func(s *servers) *lazy { return &s.postgres })
	}
	return freshDatabase(tb, server)
}

// Temporal returns the address (host:port) of a Temporal server with the namespace "default". Tests share it: they need task
// queues and workflow ids of their own.
func Temporal(tb testing.TB) string {
	tb.Helper()
	if address := os.Getenv(EnvTemporalAddress); address != "" {
		return address
	}
	return started(tb, func(s *servers) *lazy { return &s.temporal })
}

func started(tb testing.TB, which func(*servers) *lazy) string {
	tb.Helper()
	if current == nil {
		tb.Fatal("stacktest: the package needs func TestMain(m *testing.M) { stacktest.Main(m) }")
	}
	address, err := which(current).get()
	if err != nil {
		tb.Fatalf("stacktest: %v", err)
	}
	return address
}

// lazy starts a server at the first get.
type lazy struct {
	once    sync.Once
	start   func() (string, error)
	address string
	err     error
}

func (l *lazy) get() (string, error) {
	l.once.Do(func() { l.address, l.err = l.start() })
	return l.address, l.err
}
