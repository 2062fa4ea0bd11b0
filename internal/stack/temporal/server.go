package temporal

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"maps"
	"net"
	"os/exec"
	"slices"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"time"

	"plait/internal/stack/process"
)

const (
	readyPoll = 30 * time.Millisecond

	// announceGrace is how long a server that answers may go without the line that says it has done all it does at start. The
	// line is the CLI's, not a contract, so a server without it is taken after this time.
	announceGrace = 15 * time.Second

	failedStopTimeout = 10 * time.Second
)

// Config describes one server.
type Config struct {
	Binary           string
	Port             int // gRPC frontend, on loopback
	UIPort           int // 0: no web UI
	Namespace        string
	Database         string            // SQLite file
	SearchAttributes map[string]string // name: type (Keyword, Text, Int, Double, Bool, Datetime, KeywordList)
	LogFile          string
	PIDFile          string
	Logger           *slog.Logger
}

// Server is a running Temporal server.
type Server struct {
	config    Config
	process   *process.Process
	announced <-chan struct{}
}

// StopLeftover stops a server that an earlier parent left running. Its ports are free after it.
func (c Config) StopLeftover(ctx context.Context) error {
	stopped, err := process.StopLeftover(ctx, c.PIDFile, syscall.SIGTERM)
	if err != nil {
		return fmt.Errorf("stop the Temporal server an earlier run left: %w", err)
	}
	if stopped {
		c.Logger.WarnContext(ctx, "stopped a Temporal server that an earlier run left", "database", c.Database)
	}
	return nil
}

// Start starts the server, and returns when it answers and its namespace is ready.
func Start(ctx context.Context, c Config) (*Server, error) {
	announced := make(chan struct{})
	var once sync.Once
	cmd := exec.Command(c.Binary, c.arguments()...) //nolint:noctx // it outlives the start; Stop ends it
	// Nothing of the caller's environment, which holds keys.
	cmd.Env = []string{"LC_ALL=C", "TZ=UTC", "PATH=/usr/bin:/bin"}
	p, err := process.Start(cmd, process.Options{
		Name: "temporal", LogFile: c.LogFile, PIDFile: c.PIDFile, StopSignal: syscall.SIGTERM, Logger: c.Logger,
		OnLine: func(line string) {
			if line = strings.ToLower(line); strings.HasPrefix(line, "server:") || strings.HasPrefix(line, "temporal server") {
				once.Do(func() { close(announced) })
			}
		},
	})
	if err != nil {
		return nil, err
	}
	s := &Server{config: c, process: p, announced: announced}
	if err := s.settle(ctx); err != nil {
		stopCtx, cancel := context.WithTimeout(context.WithoutCancel(ctx), failedStopTimeout)
		defer cancel()
		return nil, errors.Join(&process.ChildError{Name: "temporal", Err: err, LogTail: p.Tail()}, p.Stop(stopCtx))
	}
	return s, nil
}

// dynamicConfig is what a server of one process over one file wants. plait-temporal has all of it, and more, as its defaults; the
// CLI is told. The first two make the order of priorities exact; the limits below cost 120 ms a workflow.
var dynamicConfig = []string{
	"matching.numTaskqueueReadPartitions=1",
	"matching.numTaskqueueWritePartitions=1",
	"matching.enableFairness=true",
	"history.transferProcessorMaxPollRPS=2000",
	"history.transferProcessorMaxPollHostRPS=2000",
	"history.timerProcessorMaxPollRPS=2000",
	"history.timerProcessorMaxPollHostRPS=2000",
}

func (c Config) arguments() []string {
	args := []string{
		"server", "start-dev", "--ip", "127.0.0.1", "--port", strconv.Itoa(c.Port), "--namespace", c.Namespace,
		"--db-filename", c.Database, "--log-level", "warn",
	}
	if c.UIPort == 0 {
		args = append(args, "--headless")
	} else {
		args = append(args, "--ui-port", strconv.Itoa(c.UIPort))
	}
	for _, name := range slices.Sorted(maps.Keys(c.SearchAttributes)) {
		args = append(args, "--search-attribute", name+"="+c.SearchAttributes[name])
	}
	for _, setting := range dynamicConfig {
		args = append(args, "--dynamic-config-value", setting)
	}
	return args
}

// settle waits until it is ready.
func (s *Server) settle(ctx context.Context) error {
	if err := s.waitHealthy(ctx); err != nil {
		return err
	}
	select {
	case <-s.announced:
		return nil
	case <-time.After(announceGrace):
		return nil
	case <-s.process.Done():
		return fmt.Errorf("ended while starting: %w", s.process.Err())
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

// waitHealthy waits until the frontend's gRPC health service says that it serves.
func (s *Server) waitHealthy(ctx context.Context) error {
	ticker := time.NewTicker(readyPoll)
	defer ticker.Stop()
	for {
		err := checkHealth(ctx, s.Address())
		if err == nil {
			return nil
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

// Address is host:port of the frontend.
func (s *Server) Address() string { return net.JoinHostPort("127.0.0.1", strconv.Itoa(s.config.Port)) }

// UI is the URL of the web UI; empty without one.
func (s *Server) UI() string {
	if s.config.UIPort == 0 {
		return ""
	}
	return "http://" + net.JoinHostPort("127.0.0.1", strconv.Itoa(s.config.UIPort))
}

// Process is the server's process.
func (s *Server) Process() *process.Process { return s.process }

// Stop drains the server and waits. A server that is killed because ctx ended first loses nothing it has answered.
func (s *Server) Stop(ctx context.Context) error { return s.process.Stop(ctx) }
