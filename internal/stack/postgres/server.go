package postgres

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/url"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"time"

	"github.com/jackc/pgx/v5"

	"plait/internal/stack/process"
)

const (
	// Superuser is the role that owns everything of the embedded server.
	Superuser = "plait"
	// Database is the database [Server.URL] names.
	Database = "plait"

	// socketPort is part of the name of a server's Unix socket.
	socketPort = "5432"
	// SocketName is that of a server's Unix socket in its folder.
	SocketName = ".s.PGSQL." + socketPort

	readyPoll         = 30 * time.Millisecond
	orphanWait        = 200 * time.Millisecond
	failedStopTimeout = 10 * time.Second
)

// Config describes one server.
type Config struct {
	Tree  string // folder with bin, lib and share
	Place Place
	// SocketDir is a folder for the server's Unix socket, on which alone it listens: the account it runs as must own it. Empty: it
	// listens on a port of loopback.
	SocketDir string
	Port      int
	Password  string
	LogFile   string
	PIDFile   string
	// Disposable gives up durability for speed: a cluster of a test, which nobody opens after a crash.
	Disposable bool
	Logger     *slog.Logger
}

// Server is a running Postgres.
type Server struct {
	config  Config
	process *process.Process
}

// Start makes the cluster if there is none and starts the server. It returns when the server answers, after crash recovery if
// need be. An earlier server on the cluster must have ended: see [Config.StopLeftover].
func Start(ctx context.Context, c Config) (*Server, error) {
	if err := c.ensureCluster(ctx); err != nil {
		return nil, err
	}
	for {
		s, err := c.start(ctx)
		if err == nil || !isOrphaned(err) {
			return s, err
		}
		select { // the orphans notice within moments that their server is gone
		case <-ctx.Done():
			return nil, err
		case <-time.After(orphanWait):
		}
	}
}

// isOrphaned reports that processes of a killed server still hold its shared memory.
func isOrphaned(err error) bool {
	var failure *process.ChildError
	return errors.As(err, &failure) && strings.Contains(failure.LogTail, "pre-existing shared memory block")
}

func (c Config) start(ctx context.Context) (*Server, error) {
	p, err := process.Start(c.command(), process.Options{
		Name: "postgres", LogFile: c.LogFile, PIDFile: c.PIDFile, User: c.Place.User, Logger: c.Logger,
		StopSignal: syscall.SIGINT, // "fast shutdown": sessions are ended, a checkpoint is written
	})
	if err != nil {
		return nil, err
	}
	s := &Server{config: c, process: p}
	if err := s.settle(ctx); err != nil {
		stopCtx, cancel := context.WithTimeout(context.WithoutCancel(ctx), failedStopTimeout)
		defer cancel()
		return nil, errors.Join(err, s.Stop(stopCtx))
	}
	return s, nil
}

// settle waits until the server answers and has its database.
func (s *Server) settle(ctx context.Context) error {
	if err := s.waitReady(ctx); err != nil {
		return s.failure(err)
	}
	return s.ensureDatabase(ctx)
}

func (s *Server) failure(err error) error {
	return &process.ChildError{Name: "postgres", Err: err, LogTail: s.process.Tail()}
}

func (c Config) command() *exec.Cmd {
	settings := map[string]string{
		"listen_addresses":        "127.0.0.1",
		"port":                    strconv.Itoa(c.Port),
		"unix_socket_directories": c.SocketDir,
		"unix_socket_permissions": "0700",
		"max_connections":         "100",
		"logging_collector":       "off",
		"log_timezone":            "UTC",
		"timezone":                "UTC",
	}
	if c.SocketDir != "" {
		settings["listen_addresses"], settings["port"] = "", socketPort
	}
	if c.Disposable {
		settings["fsync"] = "off"
		settings["synchronous_commit"] = "off"
		settings["full_page_writes"] = "off"
		settings["shared_buffers"] = "32MB"
	}
	args := []string{"-D", c.Place.cluster()}
	for name, value := range settings {
		args = append(args, "-c", name+"="+value)
	}
	cmd := exec.Command(filepath.Join(c.Tree, "bin", "postgres"), args...) //nolint:noctx // it outlives the start; Stop ends it
	cmd.Dir = c.Place.Dir
	cmd.Env = childEnvironment()
	return cmd
}

// childEnvironment is without the PG* settings of the caller, which would change what the server does.
func childEnvironment() []string { return []string{"LC_ALL=C", "TZ=UTC", "PATH=/usr/bin:/bin"} }

func (s *Server) waitReady(ctx context.Context) error {
	ticker := time.NewTicker(readyPoll)
	defer ticker.Stop()
	for {
		conn, err := s.connect(ctx, "postgres")
		if err == nil {
			return conn.Close(ctx)
		}
		select {
		case <-s.process.Done():
			return fmt.Errorf("ended while starting: %w", s.process.Err())
		case <-ctx.Done():
			return fmt.Errorf("no answer: %w (%w)", context.Cause(ctx), err)
		case <-ticker.C:
		}
	}
}

func (s *Server) connect(ctx context.Context, database string) (*pgx.Conn, error) {
	return pgx.Connect(ctx, s.urlOf(database))
}

func (s *Server) ensureDatabase(ctx context.Context) error {
	conn, err := s.connect(ctx, "postgres")
	if err != nil {
		return s.failure(err)
	}
	defer func() { _ = conn.Close(ctx) }()
	var exists bool
	if err := conn.QueryRow(ctx, "SELECT EXISTS (SELECT FROM pg_database WHERE datname = $1)", Database).Scan(&exists); err != nil {
		return s.failure(err)
	}
	if exists {
		return nil
	}
	if _, err := conn.Exec(ctx, "CREATE DATABASE "+pgx.Identifier{Database}.Sanitize()); err != nil {
		return s.failure(err)
	}
	return nil
}

// URL names the database of this server.
func (s *Server) URL() string { return s.urlOf(Database) }

// urlOf names any database of this server.
func (s *Server) urlOf(database string) string {
	query := url.Values{"sslmode": {"disable"}, "connect_timeout": {"5"}}
	u := url.URL{Scheme: "postgres", User: url.UserPassword(Superuser, s.config.Password), Path: "/" + database}
	if dir := s.config.SocketDir; dir != "" {
		query.Set("host", dir)
		query.Set("port", socketPort)
	} else {
		u.Host = net.JoinHostPort("127.0.0.1", strconv.Itoa(s.config.Port))
	}
	u.RawQuery = query.Encode()
	return u.String()
}

// Process is the server's main process.
func (s *Server) Process() *process.Process { return s.process }

// Stop ends sessions, writes a checkpoint and waits. A server that is killed because ctx ended first recovers at its next start.
func (s *Server) Stop(ctx context.Context) error { return s.process.Stop(ctx) }
