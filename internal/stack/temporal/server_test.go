package temporal_test

import (
	"context"
	"fmt"
	"log/slog"
	"net"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"plait/internal/stack/port"
	"plait/internal/stack/process"
	"plait/internal/stack/stacktest"
	"plait/internal/stack/temporal"
)

// testConfig describes a server that ends by itself at its first starts, as one does whose inner services have lost a port.
func testConfig(t *testing.T, failedStarts int) temporal.Config {
	t.Helper()
	folder := t.TempDir()
	chosen, err := port.Choose(t.Context())
	require.NoError(t, err)
	script := fmt.Sprintf("#!/bin/sh\necho start >>%[1]s/starts\n[ $(wc -l <%[1]s/starts) -gt %[2]d ] || exit 2\nexec %[3]s \"$@\"\n",
		folder, failedStarts, stacktest.TemporalBinary(t))
	binary := filepath.Join(folder, "server")
	require.NoError(t, os.WriteFile(binary, []byte(script), 0o700))
	return temporal.Config{
		Binary: binary, Port: chosen, Namespace: "default", Database: filepath.Join(folder, "temporal.db"),
		LogFile: filepath.Join(folder, "temporal.log"), PIDFile: filepath.Join(folder, "temporal.pid"),
		Logger: slog.New(slog.DiscardHandler),
	}
}

// requireStarts checks how often the program of a server ran.
func requireStarts(t *testing.T, c temporal.Config, want int) {
	t.Helper()
	starts, err := os.ReadFile(filepath.Join(filepath.Dir(c.Binary), "starts"))
	require.NoError(t, err)
	require.Len(t, starts, want*len("start\n"))
}

func TestAServerThatEndsWhileItStartsIsStartedAgain(t *testing.T) {
	t.Parallel()
	config := testConfig(t, 1)
	server, err := temporal.Start(t.Context(), config)
	require.NoError(t, err)
	requireStarts(t, config, 2)
	require.NoError(t, server.Stop(context.WithoutCancel(t.Context())))
}

func TestAServerThatNeverStartsFailsAfterAFewTries(t *testing.T) {
	t.Parallel()
	config := testConfig(t, 1000)
	_, err := temporal.Start(t.Context(), config)
	var failure *process.ChildError
	require.ErrorAs(t, err, &failure)
	require.ErrorContains(t, err, "ended while starting: exit status 2")
	requireStarts(t, config, 3)
}

func TestAServerWhosePortIsTakenIsNotStartedAgain(t *testing.T) {
	t.Parallel()
	config := testConfig(t, 1000)
	listener, err := net.Listen("tcp", fmt.Sprintf("127.0.0.1:%d", config.Port))
	require.NoError(t, err)
	defer func() { _ = listener.Close() }()
	_, err = temporal.Start(t.Context(), config)
	require.ErrorContains(t, err, "ended while starting")
	requireStarts(t, config, 1)
}
