package stack_test

import (
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	enumspb "go.temporal.io/api/enums/v1"
	"go.temporal.io/api/operatorservice/v1"
	"go.temporal.io/api/workflowservice/v1"
	"google.golang.org/grpc"
	"google.golang.org/grpc/credentials/insecure"

	"plait/internal/assets"
	"plait/internal/assets/assetstest"
	"plait/internal/stack"
	"plait/internal/stack/process"
	"plait/internal/stack/temporal"
)

func TestStopAndStartAgainKeepDataAndAddresses(t *testing.T) {
	t.Parallel()
	options := testOptions(t)
	first := start(t, options)
	write(t, first.DatabaseURL())
	requirePage(t, first.TemporalUI())

	processes := first.Processes()
	require.Len(t, processes, 2)
	require.NoError(t, stop(first))
	require.NoError(t, stop(first), "a second stop is harmless")
	requireEnded(t, processes)
	require.NoError(t, first.Err(), "a stop is no failure")
	require.NoFileExists(t, filepath.Join(options.DataDir, "stack.json"))

	options.TemporalPort, options.TemporalUIPort = 0, 0
	second := start(t, options)
	requireWritten(t, second.DatabaseURL())
	require.Equal(t, first.DatabaseURL(), second.DatabaseURL())
	require.Equal(t, first.TemporalAddress(), second.TemporalAddress())
	require.Equal(t, first.TemporalUI(), second.TemporalUI())
}

func TestAStackIsItsOwnersAlone(t *testing.T) {
	t.Parallel()
	options := testOptions(t)
	s := start(t, options)
	requireSecrets(t, options, s)
	requireReachedByOwnerAlone(t, s)
}

func requireSecrets(t *testing.T, options stack.Options, s *stack.Stack) {
	t.Helper()
	require.NoError(t, s.Publish(map[string]string{"key": "secret"}))
	for _, name := range []string{"stack.json", "postgres.password"} {
		info, err := os.Stat(filepath.Join(options.DataDir, name))
		require.NoError(t, err)
		require.EqualValues(t, 0o600, info.Mode().Perm(), name)
	}
	password, err := os.ReadFile(filepath.Join(options.DataDir, "postgres.password"))
	require.NoError(t, err)
	for _, p := range s.Processes() {
		require.NotContains(t, process.CommandLine(p.PID), strings.TrimSpace(string(password)))
		environ, err := os.ReadFile(filepath.Join("/proc", strconv.Itoa(p.PID), "environ"))
		require.NoError(t, err)
		require.NotContains(t, string(environ), callersSecret, p.Name)
	}
}

func TestSecondStartIsRefused(t *testing.T) {
	t.Parallel()
	options := withoutServers(testOptions(t))
	first := start(t, options)

	_, err := stack.Start(t.Context(), options)
	require.ErrorIs(t, err, stack.ErrInUse)
	var inUse *stack.InUseError
	require.ErrorAs(t, err, &inUse)
	require.Equal(t, os.Getpid(), inUse.PID)

	require.NoError(t, stop(first))
	start(t, options)
}

func TestTakenPortsAreLeftAlone(t *testing.T) {
	t.Parallel()
	options := testOptions(t)
	for _, port := range []*int{&options.TemporalPort, &options.TemporalUIPort} {
		listener, err := net.Listen("tcp", "127.0.0.1:0")
		require.NoError(t, err)
		t.Cleanup(func() { _ = listener.Close() })
		*port = listener.Addr().(*net.TCPAddr).Port
	}
	_, _ = ownInAnotherProcess(t, options, envOnLoopback+"=1")
	state, release, err := stack.Join(t.Context(), options.DataDir)
	require.NoError(t, err)
	defer release()
	write(t, state.DatabaseURL)
	requirePage(t, state.TemporalUI)
	require.True(t, strings.HasPrefix(state.TemporalAddress, "127.0.0.1:"), state.TemporalAddress)
	require.NotContains(t, state.TemporalAddress, strconv.Itoa(options.TemporalPort))
	require.NotContains(t, state.TemporalUI, strconv.Itoa(options.TemporalUIPort))
}

func TestDeathOfAPartIsReported(t *testing.T) {
	t.Parallel()
	options := testOptions(t)
	for _, part := range []string{stack.PartPostgres, stack.PartTemporal} {
		s := start(t, options)
		if part == stack.PartPostgres {
			write(t, s.DatabaseURL())
		}
		require.NoError(t, syscall.Kill(pidOf(t, s.Processes(), part), syscall.SIGKILL))
		select {
		case <-s.Done():
		case <-time.After(10 * time.Second):
			require.Fail(t, "the death went unnoticed")
		}
		var failure *process.ChildError
		require.ErrorAs(t, s.Err(), &failure)
		require.Equal(t, part, failure.Name)
		require.NoError(t, stop(s))
	}
	requireWritten(t, start(t, options).DatabaseURL())
}

func TestChildrenAreStartedAgainAndStopped(t *testing.T) {
	t.Parallel()
	s := start(t, testOptions(t))
	require.NoError(t, s.Run("sleeper", sleeper))
	first := pidOf(t, s.Processes(), "sleeper")
	require.NoError(t, syscall.Kill(first, syscall.SIGKILL))
	require.Eventually(t, func() bool { return pidOf(t, s.Processes(), "sleeper") != first }, 10*time.Second, 10*time.Millisecond)

	processes := s.Processes()
	require.NoError(t, stop(s))
	requireEnded(t, processes)
	require.NoError(t, s.Err())
	require.Error(t, s.Run("late", sleeper))
}

// The stack restarts a child however often it is killed, and the other processes go on.
func TestAChildThatIsKilledAgainAndAgainDoesNotFailTheStack(t *testing.T) {
	t.Parallel()
	options := withoutServers(testOptions(t))
	options.RestartWait = 25 * time.Millisecond
	s := start(t, options)
	require.NoError(t, s.Run("sleeper", sleeper))
	for range 8 {
		killed := pidOf(t, s.Processes(), "sleeper")
		require.NoError(t, syscall.Kill(killed, syscall.SIGKILL))
		require.Eventually(t, func() bool { return pidOf(t, s.Processes(), "sleeper") != killed }, time.Minute, 10*time.Millisecond)
	}
	require.NoError(t, s.Err())
	require.NoError(t, s.Run("failing", func() *exec.Cmd { return exec.Command("false") }))
	<-s.Done()
	var failure *process.ChildError
	require.ErrorAs(t, s.Err(), &failure)
	require.Equal(t, "failing", failure.Name)
}

func TestFailedStartSaysWhyAndLeavesNothing(t *testing.T) {
	t.Parallel()
	options := testOptions(t)
	good := options.TemporalBinary
	options.TemporalBinary = filepath.Join(options.DataDir, "broken-server")
	require.NoError(t, os.WriteFile(options.TemporalBinary, []byte("#!/bin/sh\necho the disk is upside down >&2\nexit 3\n"), 0o700))

	_, err := stack.Start(t.Context(), options)
	var failure *process.ChildError
	require.ErrorAs(t, err, &failure)
	require.ErrorContains(t, err, "the disk is upside down")

	options.TemporalBinary = good
	start(t, options)
}

func TestADatabaseCutShortWhileItWasMadeIsMadeAgain(t *testing.T) {
	t.Parallel()
	options := testOptions(t)
	require.NoError(t, os.MkdirAll(filepath.Join(options.DataDir, "temporal"), 0o700))
	require.NoError(t, os.WriteFile(filepath.Join(options.DataDir, "temporal", "temporal.db"), nil, 0o600))
	start(t, options)
}

func TestLaterStartAddsSearchAttributesAndKeepsTheNamespace(t *testing.T) {
	t.Parallel()
	options := testOptions(t)
	first := start(t, options)
	before, attributes := describeNamespace(t, first.TemporalAddress())
	require.Equal(t, 30*24*time.Hour, before.GetConfig().GetWorkflowExecutionRetentionTtl().AsDuration())
	require.Contains(t, attributes, "PlaitTenant")
	require.NoError(t, stop(first))

	options.SearchAttributes = map[string]string{"PlaitTenant": "Keyword", "PlaitPages": "Int"}
	second := start(t, options)
	after, attributes := describeNamespace(t, second.TemporalAddress())
	require.Equal(t, before.GetNamespaceInfo().GetId(), after.GetNamespaceInfo().GetId())
	require.Subset(t, attributes, map[string]enumspb.IndexedValueType{
		"PlaitTenant": enumspb.INDEXED_VALUE_TYPE_KEYWORD, "PlaitPages": enumspb.INDEXED_VALUE_TYPE_INT,
	})
	require.NoError(t, stop(second))

	options.SearchAttributes = map[string]string{"PlaitTenant": "Int"}
	_, err := stack.Start(t.Context(), options)
	require.ErrorContains(t, err, "PlaitTenant exists as Keyword, not Int")
}

func describeNamespace(t *testing.T, address string) (*workflowservice.DescribeNamespaceResponse, map[string]enumspb.IndexedValueType) {
	t.Helper()
	conn, err := grpc.NewClient(address, grpc.WithTransportCredentials(insecure.NewCredentials()))
	require.NoError(t, err)
	defer func() { require.NoError(t, conn.Close()) }()
	described, err := workflowservice.NewWorkflowServiceClient(conn).DescribeNamespace(t.Context(),
		&workflowservice.DescribeNamespaceRequest{Namespace: "default"})
	require.NoError(t, err)
	listed, err := operatorservice.NewOperatorServiceClient(conn).ListSearchAttributes(t.Context(),
		&operatorservice.ListSearchAttributesRequest{Namespace: "default"})
	require.NoError(t, err)
	return described, listed.GetCustomAttributes()
}

func TestWhatIsMissingIsNamed(t *testing.T) {
	options := testOptions(t)
	options.AssetsDir = filepath.Join(options.DataDir, "no-assets")
	_, err := stack.Start(t.Context(), options)
	var missing *assets.MissingError
	require.ErrorAs(t, err, &missing)

	t.Setenv("PATH", "")
	fetched, err := temporal.FindBinary("", assetstest.Dir(t))
	require.NoError(t, err)
	require.Equal(t, filepath.Join(assetstest.Dir(t), "temporal", "bin", "temporal"), fetched)
	_, err = temporal.FindBinary("", options.AssetsDir)
	require.ErrorIs(t, err, temporal.ErrNoBinary)
	require.ErrorAs(t, err, &missing)
	_, err = temporal.FindBinary(filepath.Join(options.DataDir, "no-temporal"), "")
	require.ErrorContains(t, err, "no-temporal")
}

func TestExternalServersReplaceTheEmbedded(t *testing.T) {
	t.Parallel()
	options := withoutServers(testOptions(t))
	s := start(t, options)
	require.Empty(t, s.Processes())
	require.Equal(t, options.DatabaseURL, s.DatabaseURL())
	require.Equal(t, options.TemporalAddress, s.TemporalAddress())
	require.Empty(t, s.TemporalUI())
}
