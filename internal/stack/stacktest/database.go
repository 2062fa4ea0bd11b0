package stacktest

import (
	"context"
	"crypto/rand"
	"fmt"
	"net/url"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
)

const dropTimeout = 10 * time.Second

// Template is a database that a test process prepares once and then copies, because a copy takes less time than the preparation.
type Template struct {
	once sync.Once
	name string
	err  error
}

// Copy returns the URL of a fresh copy, which is dropped when tb ends. The first call creates the template with prepare, which must close
// every connection to the database that it opens.
func (t *Template) Copy(tb testing.TB, prepare func(ctx context.Context, url string) error) string {
	tb.Helper()
	owner, server := configured(tb), databaseServer(tb)
	t.once.Do(func() {
		t.name = randomName("template_")
		if t.err = execute(tb.Context(), server, "CREATE DATABASE "+quoted(t.name)); t.err != nil {
			return
		}
		owner.dropLater(server, t.name)
		t.err = prepare(tb.Context(), databaseURL(tb, server, t.name))
	})
	if t.err != nil {
		tb.Fatalf("stacktest: prepare the template: %v", t.err)
	}
	return freshDatabase(tb, server, " TEMPLATE "+quoted(t.name))
}

// freshDatabase creates a database with a random name on the server with this URL, and drops it when tb ends. It returns the URL of the
// database. The options are those of CREATE DATABASE.
func freshDatabase(tb testing.TB, server, options string) string {
	tb.Helper()
	name := randomName("test_")
	if err := execute(tb.Context(), server, "CREATE DATABASE "+quoted(name)+options); err != nil {
		tb.Fatalf("stacktest: create database: %v", err)
	}
	tb.Cleanup(func() {
		if err := drop(server, name); err != nil {
			tb.Errorf("stacktest: %v", err)
		}
	})
	return databaseURL(tb, server, name)
}

// drop drops a database, and ends the sessions that a failed test did not close.
func drop(server, name string) error {
	ctx, cancel := context.WithTimeout(context.Background(), dropTimeout)
	defer cancel()
	if err := execute(ctx, server, "DROP DATABASE "+quoted(name)+" WITH (FORCE)"); err != nil {
		return fmt.Errorf("drop database: %w", err)
	}
	return nil
}

func randomName(prefix string) string { return prefix + strings.ToLower(rand.Text()) }

func quoted(name string) string { return pgx.Identifier{name}.Sanitize() }

func databaseURL(tb testing.TB, server, name string) string {
	tb.Helper()
	u, err := url.Parse(server)
	if err != nil {
		tb.Fatalf("stacktest: server URL: %v", err)
	}
	u.Path = "/" + name
	return u.String()
}

func execute(ctx context.Context, url, statement string) error {
	conn, err := pgx.Connect(ctx, url)
	if err != nil {
		return err
	}
	defer func() { _ = conn.Close(ctx) }()
	_, err = conn.Exec(ctx, statement)
	return err
}
