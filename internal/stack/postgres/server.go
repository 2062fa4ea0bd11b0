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

	"github.com/jackc/pgerrcode"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"

	"plait/internal/stack/process"
)

const (
	// Superuser is the superuser role of the embedded server.
	Superuser = "plait"
	// Database is the name of the database in [Server.URL].
	Database = "plait"

	// socketPort is the port number in the name of a server's Unix socket.
	socketPort = "5432"
	// SocketName is the file name of a server's Unix socket.
	SocketName = ".s.PGSQL." + socketPort

	readyPoll         = 30 * time.Millisecond
	orphanWait        = 200 * time.Millisecond
	failedStopTimeout = 10 * time.Second
)

// Config describes one server.
type Config struct {
	Tree  string // folder with bin, lib and share
	Place Place
	// SocketDir is the folder of the server's Unix socket. The account that the server runs as must own it. Empty: the server listens on
	// a loopback port instead.
	SocketDir string
	Port      int    // on loopback; used only without SocketDir
	Password  string // of Superuser
	LogFile   string
	PIDFile   string
	// Disposable trades durability for speed. It is for the clusters of tests, which nobody opens after a crash.
	Disposable bool
	Logger     *slog.Logger
}

// Server is a running Postgres.
type Server struct {
	config  Config
	process *process.Process
}

// Start creates the cluster if there is none, and starts the server. It returns when the server answers, which includes any crash
// recovery. No other server may run on the cluster: call [Config.StopLeftover] first.
func Start(ctx context.Context, c Config) (*Server, error) {
	if err := c.ensureCluster(ctx); err != nil {
		return nil, err
	}
	for {
		s, err := c.start(ctx)
		if err == nil || !isOrphaned(err) {
			return s, err
		}
		select { // the orphaned processes soon notice that their server has ended
		case <-ctx.Done():
			return nil, err
		case <-time.After(orphanWait):
		}
	}
}

// isOrphaned reports whether the server did not start because processes of a killed server still use its shared memory.
func isOrphaned(err error) bool {
	var failure *process.ChildError
	return errors.As(err, &failure) && strings.Contains(failure.LogTail, "pre-existing shared memory block")
}

func (c Config) start(ctx context.Context) (*Server, error) {
	p, err := process.Start(c.command(), process.Options{
		Name: "postgres", LogFile: c.LogFile, PIDFile: c.PIDFile, User: c.Place.User, Logger: c.Logger,
		StopSignal: syscall.SIGINT, // Postgres's "fast shutdown": it ends all sessions and writes a checkpoint
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

// settle waits until the server answers, and creates its database if it does not exist.
func (s *Server) settle(ctx context.Context) error {
	if err := s.waitReady(ctx); err != nil {
		return s.failure(err)
	}
	return s.ensureDatabase(ctx)
}

func (s *Server) failure(err error) error {
	return &process.ChildError{Name: "postgres", Err: err, LogTail: s.process.Tail()}
}

// maxConnections allows two connections for each of the 256 translate slots and the 100 table slots that one installation may have, and 88
// others.
const maxConnections = "800"

func (c Config) command() *exec.Cmd {
	settings := map[string]string{
		"listen_addresses":        "127.0.0.1",
		"port":                    strconv.Itoa(c.Port),
		"unix_socket_directories": c.SocketDir,
		"unix_socket_permissions": "0700",
		"max_connections":         maxConnections,
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
	cmd := exec.Command(filepath.Join(c.Tree, "bin", "postgres"), args...) //nolint:noctx // the server runs until Stop
	cmd.Dir = c.Place.Dir
	cmd.Env = childEnvironment()
	return cmd
}

// childEnvironment returns an environment without the caller's PG* variables, which would change how the server behaves.
func childEnvironment() []string { return []string{"LC_ALL=C", "TZ=UTC", "PATH=/usr/bin:/bin"} }

func (s *Server) waitReady(ctx context.Context) error {
	ticker := time.NewTicker(readyPoll)
	defer ticker.Stop()
	for {
		conn, err := s.connect(ctx, "postgres")
		switch {
		case err == nil:
			return conn.Close(ctx)
		case isRefused(err):
			return fmt.Errorf("the cluster in %s has another password than the data folder: %w", s.config.Place.Dir, err)
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

// isRefused reports whether the server answers and does not accept the password, which waiting does not change.
func isRefused(err error) bool {
	var answer *pgconn.PgError
	return errors.As(err, &answer) && answer.Code == pgerrcode.InvalidPassword
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

// URL returns the connection URL of [Database] on this server, with the password.
func (s *Server) URL() string { return s.urlOf(Database) }

// urlOf returns the connection URL of any database on this server.
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

// Process returns the server's main process.
func (s *Server) Process() *process.Process { return s.process }

// Stop ends all sessions, has the server write a checkpoint, and waits until it has ended. When ctx ends first, Stop kills the server,
// which then recovers at its next start.
func (s *Server) Stop(ctx context.Context) error { return s.process.Stop(ctx) }
