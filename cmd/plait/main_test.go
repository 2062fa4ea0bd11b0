package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"plait/examples/checksum"
	"plait/installation"
	"plait/internal/assets/assetstest"
	"plait/internal/stack/netns"
	"plait/internal/stack/stacktest"
)

// The tests run the command as a person does: as a process of its own. That process is the test binary itself, so that
// the race detector watches it too, or else the program of newUnwatched.
const asCommand = "PLAIT_TEST_AS_COMMAND"

func TestMain(m *testing.M) {
	netns.Main()
	if os.Getenv(asCommand) != "" {
		if os.Getenv(withChecksum) != "" {
			kinds = installation.Kinds{checksum.Kind()}
		}
		if isStandIn() {
			os.Exit(runStandIn())
		}
		os.Exit(run(os.Args[1:]))
	}
	status := m.Run()
	if unwatchedDir != "" {
		_ = os.RemoveAll(unwatchedDir)
	}
	os.Exit(status)
}

// sandbox is a data folder of a test's own, and the environment of the commands that use it.
type sandbox struct {
	t    testing.TB
	dir  string
	env  []string
	data string
	// program is what is run; empty is the test itself.
	program string
	// owner is the process of `plait up`, when up was called.
	owner int
	// ended is closed when that process has ended.
	ended chan struct{}
}

func newInstallation(tb testing.TB, env ...string) *sandbox {
	tb.Helper()
	dir := tb.TempDir()
	in := &sandbox{t: tb, dir: dir, data: stacktest.DataDir(tb)}
	in.env = append(clean(os.Environ()), asCommand+"=1",
		"PLAIT_DATA_DIR="+in.data,
		"PLAIT_ASSETS_DIR="+assetstest.Dir(tb),
		"PLAIT_TEMPORAL_BINARY="+stacktest.TemporalBinary(tb),
		"PLAIT_HTTP_ADDRESS=127.0.0.1:0",
	)
	in.env = append(in.env, env...)
	return in
}

// newUnwatched is an installation whose commands run without the race detector, under which reading and lettering a page take four
// times as long. It is for tests of what commands say and write. The chaos test, TestAKindNeedsItsRegistrationAlone, the tests of
// killed runs, the first installation of the test of same bytes, and the tests of the engine watch the same code for races.
func newUnwatched(tb testing.TB, env ...string) *sandbox {
	tb.Helper()
	in := newInstallation(tb, env...)
	program, err := unwatched()
	require.NoError(tb, err)
	in.program = program
	return in
}

// unwatched builds the program without the race detector, once, in unwatchedDir.
var unwatched = sync.OnceValues(func() (string, error) {
	var err error
	if unwatchedDir, err = os.MkdirTemp("", "plait-unwatched-"); err != nil {
		return "", err
	}
	program := filepath.Join(unwatchedDir, "plait")
	if said, err := exec.Command("go", "build", "-buildvcs=false", "-o", program, ".").CombinedOutput(); err != nil {
		return "", fmt.Errorf("%w: %s", err, said)
	}
	return program, nil
})

var unwatchedDir string

// clean drops what the machine of the test may have configured.
func clean(environ []string) []string {
	var rest []string
	for _, line := range environ {
		switch name, _, _ := cutEnv(line); name {
		case "DATABASE_URL", "TEMPORAL_ADDRESS", "TEMPORAL_NAMESPACE", "OPENAI_API_KEY", "OPENAI_BASE_URL", "GEMINI_API_KEY", "ANTHROPIC_API_KEY", "DEEPL_AUTH_KEY":
		default:
			rest = append(rest, line)
		}
	}
	return rest
}

func cutEnv(line string) (name, value string, found bool) {
	n, v, ok := bytes.Cut([]byte(line), []byte("="))
	return string(n), string(v), ok
}

func moduleRoot() string {
	_, file, _, _ := runtime.Caller(0)
	return filepath.Join(filepath.Dir(file), "..", "..")
}

// finished is how a command ended.
type finished struct {
	status         int
	stdout, stderr string
	maxMemory      int64 // bytes of the process itself at its peak
}

// command prepares a run of plait.
func (in *sandbox) command(args ...string) *exec.Cmd {
	program := in.program
	if program == "" {
		var err error
		program, err = os.Executable()
		require.NoError(in.t, err)
	}
	cmd := exec.Command(program, args...)
	cmd.Env, cmd.Dir = in.env, in.dir
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	return cmd
}

// plait runs a command to its end.
func (in *sandbox) plait(args ...string) finished {
	in.t.Helper()
	return in.finish(in.command(args...))
}

func (in *sandbox) finish(cmd *exec.Cmd) finished {
	in.t.Helper()
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	err := cmd.Run()
	var exit *exec.ExitError
	if err != nil {
		require.ErrorAs(in.t, err, &exit)
	}
	f := finished{status: cmd.ProcessState.ExitCode(), stdout: stdout.String(), stderr: stderr.String()}
	if usage, ok := cmd.ProcessState.SysUsage().(*syscall.Rusage); ok {
		f.maxMemory = usage.Maxrss * 1024
	}
	return f
}

// event is one line of --json.
type event struct {
	Event string `json:"event"`
	Part  string `json:"part"`
	State string `json:"state"`
	Task  json.RawMessage
	Item  struct {
		Name    string
		Status  string
		Stage   string
		Mode    string
		Failure *struct{ Stage, Code, Message string }
	}
	Message string
}

// eventually polls until done says so.
func eventually(tb testing.TB, done func() bool, what string) {
	tb.Helper()
	require.Eventually(tb, done, 2*time.Minute, 50*time.Millisecond, what)
}
