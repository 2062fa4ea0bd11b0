package netns_test

import (
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"plait/internal/stack/netns"
)

// envServe makes this test binary an HTTP server on the given loopback address.
const envServe = "PLAIT_TEST_SERVE"

func TestMain(m *testing.M) {
	netns.Main()
	if address := os.Getenv(envServe); address != "" {
		fmt.Fprintln(os.Stderr, http.ListenAndServe(address, http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			addresses, err := net.InterfaceAddrs()
			fmt.Fprint(w, addresses, err)
		})))
		os.Exit(1)
	}
	os.Exit(m.Run())
}

// serve starts the server in its own network namespace.
func serve(t *testing.T, address, socket string) *exec.Cmd {
	t.Helper()
	require.NoError(t, netns.Supported(t.Context()))
	executable, err := os.Executable()
	require.NoError(t, err)
	program := exec.Command(executable)
	program.Env = append(os.Environ(), envServe+"="+address)
	cmd, err := netns.Command(program, netns.Relay{Socket: socket, Address: address})
	require.NoError(t, err)
	cmd.Stderr = os.Stderr
	cmd.SysProcAttr = &syscall.SysProcAttr{}
	netns.Attributes(cmd.SysProcAttr)
	require.NoError(t, cmd.Start())
	t.Cleanup(func() { _ = cmd.Process.Kill() })
	return cmd
}

func get(socket string) (string, error) {
	client := http.Client{Transport: &http.Transport{
		DisableKeepAlives: true,
		DialContext: func(ctx context.Context, _, _ string) (net.Conn, error) {
			return new(net.Dialer).DialContext(ctx, "unix", socket)
		},
	}}
	answer, err := client.Get("http://server")
	if err != nil {
		return "", err
	}
	defer func() { _ = answer.Body.Close() }()
	body, err := io.ReadAll(answer.Body)
	return string(body), err
}

func TestAProgramIsReachedByItsSocketAlone(t *testing.T) {
	t.Parallel()
	socket := filepath.Join(t.TempDir(), "server.sock")
	const address = "127.0.0.1:7233" // free in a new network namespace, whatever listens on this machine
	cmd := serve(t, address, socket)
	var said string
	require.Eventually(t, func() (ok bool) {
		var err error
		said, err = get(socket)
		return err == nil
	}, 20*time.Second, 20*time.Millisecond)
	require.True(t, strings.HasPrefix(said, "[127.0.0.1/8"), "it sees no network but its own loopback: %s", said)
	info, err := os.Stat(socket)
	require.NoError(t, err)
	require.EqualValues(t, 0o600, info.Mode().Perm())

	require.NoError(t, cmd.Process.Signal(syscall.SIGTERM))
	require.ErrorContains(t, cmd.Wait(), "exit status 143", "it ends as its program does")
	_, err = get(socket)
	require.Error(t, err)
}

func TestAProgramDiesWithItsHelper(t *testing.T) {
	t.Parallel()
	socket := filepath.Join(t.TempDir(), "server.sock")
	wrapped, err := netns.Command(exec.Command("sh", "-c", "echo $$; exec sleep 1000"), netns.Relay{Socket: socket, Address: "127.0.0.1:1"})
	require.NoError(t, err)
	out, err := wrapped.StdoutPipe()
	require.NoError(t, err)
	wrapped.SysProcAttr = &syscall.SysProcAttr{}
	netns.Attributes(wrapped.SysProcAttr)
	require.NoError(t, wrapped.Start())
	var pid int
	_, err = fmt.Fscan(out, &pid)
	require.NoError(t, err)
	require.NoError(t, wrapped.Process.Kill())
	_ = wrapped.Wait()
	require.Eventually(t, func() bool { return syscall.Kill(pid, 0) != nil }, 10*time.Second, 10*time.Millisecond)
}
