package stack_test

import (
	"context"
	"net"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"plait/internal/stack"
	"plait/internal/stack/process"
)

// requireReachedByOwnerAlone checks that no process of the stack listens on TCP, and that another user cannot reach its sockets.
func requireReachedByOwnerAlone(t *testing.T, s *stack.Stack) {
	t.Helper()
	listening := listeningSockets(t)
	for _, pid := range descendants(t, s.Processes()[0].PID, s.Processes()[1].PID) {
		files, err := filepath.Glob(filepath.Join("/proc", strconv.Itoa(pid), "fd", "*"))
		require.NoError(t, err)
		for _, file := range files {
			target, err := os.Readlink(file)
			if err == nil && strings.HasPrefix(target, "socket:[") {
				require.NotContains(t, listening, strings.Trim(target, "socket:[]"), process.CommandLine(pid))
			}
		}
	}

	other := &process.User{UID: 4242, GID: 4242}
	database, err := url.Parse(s.DatabaseURL())
	require.NoError(t, err)
	require.False(t, other.CanReach(database.Query().Get("host")))
	for _, address := range []string{s.TemporalAddress(), s.TemporalUI()} {
		socket, found := strings.CutPrefix(address, "unix://")
		require.True(t, found, address)
		require.FileExists(t, socket)
		require.False(t, other.CanReach(filepath.Dir(socket)))
	}
}

// listeningSockets returns the inodes of the listening TCP sockets in the network namespace of this process.
func listeningSockets(t *testing.T) map[string]bool {
	t.Helper()
	inodes := map[string]bool{}
	for _, table := range []string{"/proc/net/tcp", "/proc/net/tcp6"} {
		text, err := os.ReadFile(table)
		require.NoError(t, err)
		for line := range strings.Lines(string(text)) {
			const listen = "0A"
			if fields := strings.Fields(line); len(fields) > 9 && fields[3] == listen {
				inodes[fields[9]] = true
			}
		}
	}
	require.NotEmpty(t, inodes, "the machine of a test has a server")
	return inodes
}

// descendants returns the ids of these processes and of all their descendants.
func descendants(t *testing.T, pids ...int) []int {
	t.Helper()
	for i := 0; i < len(pids); i++ {
		children, err := filepath.Glob(filepath.Join("/proc", strconv.Itoa(pids[i]), "task", "*", "children"))
		require.NoError(t, err)
		for _, file := range children {
			text, err := os.ReadFile(file)
			if err != nil {
				continue // the thread has ended
			}
			for child := range strings.FieldsSeq(string(text)) {
				pid, err := strconv.Atoi(child)
				require.NoError(t, err)
				pids = append(pids, pid)
			}
		}
	}
	require.Greater(t, len(pids), 3, "Postgres has children, and Temporal is below its helper")
	return pids
}

func requirePage(t *testing.T, ui string) {
	t.Helper()
	client := http.DefaultClient
	if socket, found := strings.CutPrefix(ui, "unix://"); found {
		ui = "http://temporal"
		client = &http.Client{Transport: &http.Transport{
			DisableKeepAlives: true,
			DialContext: func(ctx context.Context, _, _ string) (net.Conn, error) {
				return new(net.Dialer).DialContext(ctx, "unix", socket)
			},
		}}
	}
	page, err := client.Get(ui)
	require.NoError(t, err)
	require.NoError(t, page.Body.Close())
	require.Equal(t, http.StatusOK, page.StatusCode)
}

// The cluster must not belong to "nobody", because other services run as nobody and could read it.
func TestTheClusterIsNotNobodys(t *testing.T) {
	t.Parallel()
	options := testOptions(t)
	s := start(t, options)
	write(t, s.DatabaseURL())
	cluster := filepath.Join(options.DataDir, "postgres")
	owner, ok := process.Owner(cluster)
	require.True(t, ok)
	require.NotEqual(t, process.Nobody().UID, owner.UID)
	info, err := os.Stat(cluster)
	require.NoError(t, err)
	require.EqualValues(t, 0o700, info.Mode().Perm())
	require.False(t, process.Nobody().CanReach(cluster))
	require.NoError(t, stop(s))

	if os.Geteuid() == 0 { // the next start changes the owner of a cluster that belongs to nobody
		require.NoError(t, process.Nobody().TakeOwnership(cluster))
		requireWritten(t, start(t, options).DatabaseURL())
		again, ok := process.Owner(filepath.Join(cluster, "cluster", "base"))
		require.True(t, ok)
		require.Equal(t, owner, again)
	}
}

func TestADataFolderMayHaveALongPath(t *testing.T) {
	t.Parallel()
	options := testOptions(t)
	options.DataDir = filepath.Join(options.DataDir, strings.Repeat("long/", 30))
	require.NoError(t, os.MkdirAll(options.DataDir, 0o711))
	s := start(t, options)
	write(t, s.DatabaseURL())
	requirePage(t, s.TemporalUI())
	socket := strings.TrimPrefix(s.TemporalUI(), "unix://")
	require.FileExists(t, socket)
	require.NoError(t, stop(s))
	require.NoDirExists(t, filepath.Dir(socket))
}
