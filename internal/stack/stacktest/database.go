package stacktest

import (
	"context"
	"crypto/rand"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
)

const dropTimeout = 10 * time.Second

// freshDatabase creates a database with a random name on the server with this URL, and drops it when tb ends. It returns the URL of the
// database.
func freshDatabase(tb testing.TB, server string) string {
	tb.Helper()
	name := "test_" + strings.ToLower(rand.Text())
	quoted := pgx.Identifier{name}.Sanitize()
	if err := execute(tb.Context(), server, "CREATE DATABASE "+quoted); err != nil {
		tb.Fatalf("stacktest: create database: %v", err)
	}
	tb.Cleanup(func() {
		ctx, cancel := context.WithTimeout(context.Background(), dropTimeout)
		defer cancel()
		// FORCE ends the sessions that a failed test did not close.
		if err := execute(ctx, server, "DROP DATABASE "+quoted+" WITH (FORCE)"); err != nil {
			tb.Errorf("stacktest: drop database: %v", err)
		}
	})
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
