package api_test

import (
	"bufio"
	"cmp"
	"context"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/netip"
	"os"
	"os/exec"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/stretchr/testify/require"
	"go.temporal.io/sdk/client"
	"golang.org/x/sys/unix"

	"plait/internal/blob"
	"plait/internal/core"
	"plait/internal/fetch"
	"plait/internal/memory"
	"plait/internal/records"
	"plait/internal/stack/stacktest"
)

// The variables that make the test program a server, so that its memory can be measured apart from that of the tests.
const (
	envServeDatabase = "PLAIT_TEST_SERVE_DATABASE"
	envServeBlobs    = "PLAIT_TEST_SERVE_BLOBS"
	envServeTemporal = "PLAIT_TEST_SERVE_TEMPORAL"
	// envServeDisk is the size of a disk of the server's own for temporary files, as mount(8) takes it; empty: none.
	envServeDisk = "PLAIT_TEST_SERVE_DISK"
	// envServeAddress is where it listens; empty: on a free port.
	envServeAddress = "PLAIT_TEST_SERVE_ADDRESS"
	// envServeStreams is how many event streams it takes; empty: those of testConfig.
	envServeStreams = "PLAIT_TEST_SERVE_STREAMS"
	// envServeUploads is how many uploads it takes at once, of one tenant too; empty: those of testConfig.
	envServeUploads = "PLAIT_TEST_SERVE_UPLOADS"
	// envServeFetch is the network that it fetches from; empty: it fetches nothing.
	envServeFetch = "PLAIT_TEST_SERVE_FETCH"
)

// serveUntilStdinEnds prints its address, and returns the exit status.
func serveUntilStdinEnds() int {
	ctx, cancel := context.WithCancel(context.Background())
	go func() {
		_, _ = io.Copy(io.Discard, os.Stdin)
		cancel()
	}()
	if err := serveChild(ctx); err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	return 0
}

func serveChild(ctx context.Context) error {
	memory.CollectEarly() // as a process of the API does
	if size := os.Getenv(envServeDisk); size != "" {
		if err := unix.Mount("tmpfs", os.TempDir(), "tmpfs", 0, "size="+size); err != nil {
			return fmt.Errorf("mount a small disk: %w", err)
		}
	}
	store, err := records.Open(ctx, os.Getenv(envServeDatabase), records.Options{})
	if err != nil {
		return err
	}
	defer store.Close()
	blobs, err := blob.Open(ctx, os.Getenv(envServeBlobs))
	if err != nil {
		return err
	}
	temporal, err := client.NewLazyClient(client.Options{HostPort: os.Getenv(envServeTemporal), Logger: slog.New(slog.DiscardHandler)})
	if err != nil {
		return err
	}
	defer temporal.Close()
	var lc net.ListenConfig
	listener, err := lc.Listen(ctx, "tcp", cmp.Or(os.Getenv(envServeAddress), "127.0.0.1:0"))
	if err != nil {
		return err
	}
	config := testConfig()
	config.MaxBody, config.MaxPages, config.UploadTimeout = 128<<20, 2000, 10*time.Minute
	if n, err := strconv.Atoi(os.Getenv(envServeStreams)); err == nil {
		config.MaxStreams, config.MaxStreamsPerTenant, config.MaxConnections = n, n, n+100
	}
	if n, err := strconv.Atoi(os.Getenv(envServeUploads)); err == nil {
		config.MaxUploads, config.MaxConnections = n, n+100
	}
	server := newServer(store, blobs, temporal, prometheus.NewRegistry(), config)
	if network := os.Getenv(envServeFetch); network != "" {
		allowed, err := netip.ParsePrefix(network)
		if err != nil {
			return err
		}
		server.Fetch = fetch.New(fetch.Config{Timeout: config.UploadTimeout, Allowed: []netip.Prefix{allowed}})
	}
	fmt.Println(listener.Addr())
	return server.Serve(ctx, listener)
}

// child starts a server in a process of its own, on the database and blobs of r, and sends what r sends to it.
func (r *rig) child(environ ...string) *exec.Cmd {
	r.t.Helper()
	cmd := exec.CommandContext(context.WithoutCancel(r.t.Context()), os.Args[0])
	cmd.Env = append(os.Environ(), envServeDatabase+"="+r.url, envServeBlobs+"="+r.folder, envServeTemporal+"="+stacktest.Temporal(r.t))
	cmd.Env = append(cmd.Env, environ...)
	if slices.ContainsFunc(environ, func(e string) bool { return strings.HasPrefix(e, envServeDisk) }) { // mounts of its own, which need no rights outside
		cmd.SysProcAttr = &syscall.SysProcAttr{
			Cloneflags:  syscall.CLONE_NEWUSER | syscall.CLONE_NEWNS,
			UidMappings: []syscall.SysProcIDMap{{HostID: os.Geteuid(), Size: 1}},
			GidMappings: []syscall.SysProcIDMap{{HostID: os.Getegid(), Size: 1}},
		}
	}
	cmd.Stderr = os.Stderr
	stdin, err := cmd.StdinPipe()
	require.NoError(r.t, err)
	stdout, err := cmd.StdoutPipe()
	require.NoError(r.t, err)
	require.NoError(r.t, cmd.Start())
	r.t.Cleanup(func() {
		r.http.CloseIdleConnections()
		if cmd.ProcessState == nil { // else the test has killed it, and waited
			require.NoError(r.t, stdin.Close())
			require.NoError(r.t, cmd.Wait())
		}
	})
	address, err := bufio.NewReader(stdout).ReadString('\n')
	require.NoError(r.t, err)
	r.address = "http://" + strings.TrimSpace(address)
	return cmd
}

// peakMB is the largest resident memory that the process has had.
func peakMB(t *testing.T, pid int) int {
	t.Helper()
	b, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
	require.NoError(t, err)
	_, rest, _ := strings.Cut(string(b), "VmHWM:")
	kb, err := strconv.Atoi(strings.Fields(rest)[0])
	require.NoError(t, err)
	return kb >> 10
}

// memoryMB is what the server may have. The race detector keeps notes on memory that are larger than the memory.
const memoryMB = 200 * raceFactor

// With limits as they are by default, what clients may send that is bad keeps the server within its memory.
func TestBadInputKeepsWithinMemory(t *testing.T) {
	r := newRig(t)
	cmd := r.child()
	c := r.caller("acme")
	t.Logf("at rest %d MB", peakMB(t, cmd.Process.Pid))
	within := func(status int, what string, send func() answer) {
		t.Helper()
		start := time.Now()
		require.Equal(t, status, send().status, what)
		t.Logf("%s: %v, peak %d MB", what, time.Since(start).Round(time.Millisecond), peakMB(t, cmd.Process.Pid))
		require.Less(t, peakMB(t, cmd.Process.Pid), memoryMB, what)
	}
	within(422, "40,000 x 40,000 pixels", func() answer { return c.post(toEnglish(image("1.png", hugePNG(t)))) })
	within(422, "zip bomb", func() answer { return c.post(toEnglish(image("b.cbz", bomb(t, 20)))) })
	within(422, "60 MB that are no image", func() answer { return c.post(toEnglish(image("1.png", make([]byte, 60<<20)))) })
	within(413, "a page of 70 MB", func() answer { return c.post(toEnglish(image("1.png", make([]byte, 70<<20)))) })
	within(413, "a field of 10 MB", func() answer { return c.post(toEnglish(field("title", strings.Repeat("x", 10<<20)))) })
	within(422, "a script of 15 MB", func() answer {
		return c.post(toEnglish(scriptPart(strings.Repeat("1.png,0,x,y\n", 15<<20/12)), image("1.png", page(t))))
	})
	within(413, "JSON of 3 MB", func() answer { return c.postJSON(`{"files":[` + strings.Repeat("{},", 1<<20) + `{}]}`) })
	within(413, "2 GB in chunks", func() answer {
		body := io.MultiReader(strings.NewReader(fileHead), io.LimitReader(&endless{ctx: t.Context()}, 2<<30))
		return c.do(http.MethodPost, translations, body, "Content-Type: multipart/form-data; boundary=b")
	})
	within(413, "2 GB as a blob", func() answer {
		return c.do(http.MethodPost, "/v1/blobs", io.LimitReader(&endless{ctx: t.Context()}, 2<<30))
	})
	require.Equal(t, http.StatusRequestEntityTooLarge, rawStatus(t, c.raw("POST /v1/blobs HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer "+c.key+"\r\nContent-Length: 2147483648\r\n\r\n")))
	c.get(tasksRoute+"/"+strings.Repeat("x", 30_000)).refused(http.StatusNotFound, core.CodeNotFound, "no task")
	r.nothingLeft()
}
