package main

import (
	"context"
	"fmt"
	"io"
	"os"

	"go.temporal.io/server/common/authorization"
	"go.temporal.io/server/common/log"
	"go.temporal.io/server/temporal"
	"go.uber.org/zap"
	"go.uber.org/zap/zapcore"
)

// logLevels maps the CLI's level names to the server's.
var logLevels = map[string]string{"debug": "debug", "info": "info", "warn": "warn", "error": "error", "never": "fatal"}

// serve runs the server until ctx ends, then drains it.
func serve(ctx context.Context, o options) error {
	if err := prepareDatabase(o); err != nil {
		return err
	}
	stopUI, err := startUI(o) // first, because a taken port ends the process; it connects to the frontend when it is asked
	if err != nil {
		return fmt.Errorf("web UI: %w", err)
	}
	defer stopUI()
	server, err := newServer(o)
	if err != nil {
		return fmt.Errorf("configure server: %w", err)
	}
	if err := server.Start(); err != nil {
		return fmt.Errorf("start server: %w", err)
	}
	announce(os.Stdout, o)

	<-ctx.Done()
	return server.Stop()
}

func newServer(o options) (temporal.Server, error) {
	cfg := serverConfig(o)
	authorizer, err := authorization.GetAuthorizerFromConfig(&cfg.Global.Authorization)
	if err != nil {
		return nil, err
	}
	return temporal.NewServer(
		temporal.WithConfig(cfg),
		temporal.ForServices(temporal.DefaultServices),
		temporal.WithStaticHosts(staticHosts(cfg)),
		temporal.WithLogger(newLogger(o.logLevel)),
		temporal.WithAuthorizer(authorizer),
		temporal.WithDynamicConfigClient(o.dynamicConfig),
	)
}

// newLogger writes to standard error, without the stack traces: those of a failed start are a hundred lines of dependency injection
// that push the error itself out of sight.
func newLogger(level string) log.Logger {
	built := log.BuildZapLogger(log.Config{Level: logLevels[level], Format: "console"})
	never := zap.LevelEnablerFunc(func(zapcore.Level) bool { return false })
	return log.NewZapLogger(built.WithOptions(zap.AddStacktrace(never)))
}

func announce(w io.Writer, o options) {
	fmt.Fprintf(w, "Temporal server %s on %s:%d\n", serverVersion, o.ip, o.port)
	if !o.headless {
		fmt.Fprintf(w, "Temporal UI on http://%s:%d\n", o.ip, o.uiPort)
	}
}
