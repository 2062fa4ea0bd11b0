package temporal

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"syscall"
	"time"

	"google.golang.org/grpc"

	"plait/internal/stack/netns"
	"plait/internal/stack/port"
	"plait/internal/stack/process"
)

const (
	readyPoll         = 30 * time.Millisecond
	configureTimeout  = 30 * time.Second
	failedStopTimeout = 10 * time.Second

	// startTries bounds the starts of a server that ends by itself before it answers.
	startTries = 3
)

// Config describes one server.
type Config struct {
	Binary string
	// SocketDir is a folder for Unix sockets. The server then runs in its own network namespace (package netns), and only these sockets
	// lead to it. Empty: the server listens on loopback, where every user of this machine can connect to it.
	SocketDir        string
	Port             int    // of the gRPC frontend, on loopback
	UIPort           int    // of the web UI, on loopback; 0: no web UI
	CodecEndpoint    string // URL or path of the payload codec that browsers call from the web UI; empty: none
	Namespace        string
	Database         string            // SQLite file
	SearchAttributes map[string]string // name: type (Keyword, Text, Int, Double, Bool, Datetime, KeywordList)
	LogFile          string
	PIDFile          string
	Logger           *slog.Logger
}

// Server is a running Temporal server.
type Server struct {
	config  Config
	process *process.Process
	isNew   bool // the database did not exist before this start
}

// StopLeftover stops a server of an earlier run that still runs. Afterwards its ports are free.
func (c Config) StopLeftover(ctx context.Context) error {
	stopped, err := process.StopLeftover(ctx, c.PIDFile, syscall.SIGTERM)
	if err != nil {
		return fmt.Errorf("stop the Temporal server of an earlier run: %w", err)
	}
	if stopped {
		c.Logger.WarnContext(ctx, "stopped the Temporal server of an earlier run", "database", c.Database)
	}
	return nil
}

// Start starts the server. It returns when the server answers and its namespace is configured. On loopback, the server chooses free ports
// for its inner services, and ends when another process takes one of them first: then Start starts it again. Errors:
// [*process.ChildError] when the server ends or does not answer before ctx ends.
func Start(ctx context.Context, c Config) (*Server, error) {
	_, missing := os.Stat(c.Database)
	isNew := errors.Is(missing, fs.ErrNotExist)
	for try := 1; ; try++ {
		s, err := c.start(ctx, isNew)
		if err == nil || try == startTries || !c.mayHaveLostPort(ctx, err) {
			return s, err
		}
		c.Logger.WarnContext(ctx, "the Temporal server ended while it started; it is started again", "error", err)
	}
}

func (c Config) start(ctx context.Context, isNew bool) (*Server, error) {
	cmd, err := c.command()
	if err != nil {
		return nil, err
	}
	p, err := process.Start(cmd, process.Options{
		Name: "temporal", LogFile: c.LogFile, PIDFile: c.PIDFile, StopSignal: syscall.SIGTERM, Logger: c.Logger,
		OwnNetwork: c.SocketDir != "",
	})
	if err != nil {
		return nil, err
	}
	s := &Server{config: c, process: p, isNew: isNew}
	if err := s.settle(ctx); err != nil {
		stopCtx, cancel := context.WithTimeout(context.WithoutCancel(ctx), failedStopTimeout)
		defer cancel()
		return nil, errors.Join(&process.ChildError{Name: "temporal", Err: err, LogTail: p.Tail()}, p.Stop(stopCtx))
	}
	return s, nil
}

// errEnded is the cause of a failed start whose process ended by itself.
var errEnded = errors.New("ended while starting")

// mayHaveLostPort reports whether the server may have ended because another process took the port of an inner service. The server panics
// then, and its log does not always name the port. In its own network nobody takes a port. Where a port of c is taken, the same start
// would fail again.
func (c Config) mayHaveLostPort(ctx context.Context, err error) bool {
	return errors.Is(err, errEnded) && c.SocketDir == "" && c.PortsFree(ctx)
}

// PortsFree reports whether a server can listen on the ports of c now.
func (c Config) PortsFree(ctx context.Context) bool {
	return port.Free(ctx, c.Port) && (c.UIPort == 0 || port.Free(ctx, c.UIPort))
}

// dynamicConfig has settings that suit a server of one process with one SQLite file.
var dynamicConfig = []string{
	// With one partition, the order of priorities is exact, and a workflow of one activity is 13 ms faster.
	"matching.numTaskqueueReadPartitions=1",
	"matching.numTaskqueueWritePartitions=1",
	"matching.enableFairness=true",
	// The rate limits of the queue processors protect a shared database. Here they only add delay: a workflow of one activity takes
	// 150 ms with the default limits and 28 ms with these.
	"history.transferProcessorMaxPollRPS=2000",
	"history.transferProcessorMaxPollHostRPS=2000",
	"history.timerProcessorMaxPollRPS=2000",
	"history.timerProcessorMaxPollHostRPS=2000",
	"history.visibilityProcessorMaxPollRPS=2000",
	"history.visibilityProcessorMaxPollHostRPS=2000",
	// Every read refreshes the cache of search attributes. Such reads are rare.
	"system.forceSearchAttributesCacheRefreshOnRead=true",
	// Otherwise the server asks its vendor for new versions.
	"frontend.enableServerVersionCheck=false",
}

// pragmas of the SQLite file. A write-ahead log that is synced at checkpoints (NORMAL) loses no committed transaction when the process
// is killed, and completes 42 workflows a second; the default rollback journal completes 14.5.
var pragmas = []string{"journal_mode=wal", "synchronous=1"}

func (c Config) command() (*exec.Cmd, error) {
	cmd := exec.Command(c.Binary, c.arguments()...) //nolint:noctx // the server runs until Stop
	// The server does not get the caller's environment, which contains API keys.
	cmd.Env = []string{"LC_ALL=C", "TZ=UTC", "PATH=/usr/bin:/bin"}
	if c.SocketDir == "" {
		return cmd, nil
	}
	return netns.Command(cmd, netns.Relay{Socket: c.socket(), Address: loopback(c.Port)},
		netns.Relay{Socket: c.uiSocket(), Address: loopback(c.UIPort)})
}

// LongestSocketName is the longest file name among the server's sockets.
const LongestSocketName = "temporal-ui.sock"

func (c Config) socket() string { return filepath.Join(c.SocketDir, "temporal.sock") }

func (c Config) uiSocket() string { return filepath.Join(c.SocketDir, LongestSocketName) }

func loopback(port int) string { return net.JoinHostPort("127.0.0.1", strconv.Itoa(port)) }

func (c Config) arguments() []string {
	args := []string{
		"server", "start-dev", "--ip", "127.0.0.1", "--port", strconv.Itoa(c.Port), "--namespace", c.Namespace,
		"--db-filename", c.Database, "--log-level", "warn",
	}
	if c.UIPort == 0 {
		args = append(args, "--headless")
	} else {
		args = append(args, "--ui-port", strconv.Itoa(c.UIPort), "--ui-disable-news-fetch")
	}
	if c.CodecEndpoint != "" {
		args = append(args, "--ui-codec-endpoint", c.CodecEndpoint)
	}
	for _, pragma := range pragmas {
		args = append(args, "--sqlite-pragma", pragma)
	}
	for _, setting := range dynamicConfig {
		args = append(args, "--dynamic-config-value", setting)
	}
	return args
}

// settle waits until the server answers, then configures its namespace.
func (s *Server) settle(ctx context.Context) error {
	conn, err := dial(s.Address())
	if err != nil {
		return err
	}
	defer func() { _ = conn.Close() }()
	if err := s.waitHealthy(ctx, conn); err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(ctx, configureTimeout)
	defer cancel()
	return s.config.configureNamespace(ctx, conn, s.isNew)
}

// waitHealthy waits until the frontend reports that it is serving, the process ends, or ctx ends.
func (s *Server) waitHealthy(ctx context.Context, conn grpc.ClientConnInterface) error {
	ticker := time.NewTicker(readyPoll)
	defer ticker.Stop()
	for {
		err := checkHealth(ctx, conn)
		if err == nil {
			return nil
		}
		select {
		case <-s.process.Done():
			return fmt.Errorf("%w: %w", errEnded, s.process.EndCause())
		case <-ctx.Done():
			return fmt.Errorf("no answer: %w (%w)", context.Cause(ctx), err)
		case <-ticker.C:
		}
	}
}

// Address returns the address of the frontend: host:port, or unix:///path.
func (s *Server) Address() string {
	if s.config.SocketDir != "" {
		return "unix://" + s.config.socket()
	}
	return loopback(s.config.Port)
}

// UI returns the URL of the web UI: http://host:port, or unix:///path. It is empty without a web UI. The UI has no authentication.
func (s *Server) UI() string {
	switch {
	case s.config.UIPort == 0:
		return ""
	case s.config.SocketDir != "":
		return "unix://" + s.config.uiSocket()
	default:
		return "http://" + loopback(s.config.UIPort)
	}
}

// Process returns the server's process.
func (s *Server) Process() *process.Process { return s.process }

// Stop sends the stop signal and waits until the server has ended. When ctx ends first, Stop kills the server, which loses no
// transaction that it has committed.
func (s *Server) Stop(ctx context.Context) error { return s.process.Stop(ctx) }
