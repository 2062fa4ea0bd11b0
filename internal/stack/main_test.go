package stack_test

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"plait/internal/assets/assetstest"
	"plait/internal/stack"
	"plait/internal/stack/netns"
	"plait/internal/stack/port"
	"plait/internal/stack/process"
	"plait/internal/stack/stacktest"
)

// envOwner makes this test binary run a stack with these options (JSON) until it is killed.
const envOwner = "PLAIT_TEST_OWN_STACK"

// callersSecret is in the environment of this process. No server that it starts may have it in its environment.
const callersSecret = "sk-of-the-caller"

// envOnLoopback makes the owner of a stack run Temporal without a network namespace, as on systems that do not allow one.
const envOnLoopback = "PLAIT_TEST_ON_LOOPBACK"

func TestMain(m *testing.M) {
	if os.Getenv(envOnLoopback) == "" {
		netns.Main()
	}
	if err := os.Setenv("OPENAI_API_KEY", callersSecret); err != nil {
		panic(err)
	}
	if text := os.Getenv(envOwner); text != "" {
		if err := own(text); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		return
	}
	stacktest.Main(m)
}

func own(text string) error {
	var options stack.Options
	if err := json.Unmarshal([]byte(text), &options); err != nil {
		return err
	}
	s, err := stack.Start(context.Background(), options)
	if err != nil {
		return err
	}
	if err := s.Run("sleeper", sleeper); err != nil {
		return err
	}
	if err := s.Publish("app"); err != nil {
		return err
	}
	if err := json.NewEncoder(os.Stdout).Encode(s.Processes()); err != nil {
		return err
	}
	<-s.Done()
	return s.Err()
}

func sleeper() *exec.Cmd { return exec.Command("sleep", "1000") }

// ownInAnotherProcess starts a process that owns a stack, and returns that process and the processes of the stack.
func ownInAnotherProcess(t *testing.T, options stack.Options, environ ...string) (*exec.Cmd, []stack.Process) {
	t.Helper()
	text, err := json.Marshal(map[string]any{
		"TemporalPort": options.TemporalPort, "TemporalUIPort": options.TemporalUIPort,
		"DataDir": options.DataDir, "AssetsDir": options.AssetsDir, "TemporalBinary": options.TemporalBinary,
	})
	require.NoError(t, err)
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(append(os.Environ(), envOwner+"="+string(text)), environ...)
	cmd.Stderr = os.Stderr
	stdout, err := cmd.StdoutPipe()
	require.NoError(t, err)
	require.NoError(t, cmd.Start())
	t.Cleanup(func() {
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
	})
	line, err := bufio.NewReader(stdout).ReadBytes('\n')
	require.NoError(t, err)
	var processes []stack.Process
	require.NoError(t, json.Unmarshal(line, &processes))
	return cmd, processes
}

func testOptions(t *testing.T) stack.Options {
	t.Helper()
	ports := make([]int, 2)
	for i := range ports { // each test has its own ports, so that no parallel test takes those of a stopped stack
		var err error
		ports[i], err = port.Choose(t.Context())
		require.NoError(t, err)
	}
	return stack.Options{
		TemporalPort: ports[0], TemporalUIPort: ports[1],
		DataDir: stacktest.DataDir(t), AssetsDir: assetstest.Dir(t), TemporalBinary: stacktest.TemporalBinary(t),
		SearchAttributes: map[string]string{"PlaitTenant": "Keyword"},
	}
}

// withoutServers sets external servers, so that the stack starts none. Tests of the data folder and of children use it.
func withoutServers(options stack.Options) stack.Options {
	options.AssetsDir, options.TemporalBinary = "", ""
	options.DatabaseURL, options.TemporalAddress = "postgres://db.example/plait", "temporal.example:7233"
	return options
}

func start(t *testing.T, options stack.Options) *stack.Stack {
	t.Helper()
	s, err := stack.Start(t.Context(), options)
	require.NoError(t, err)
	t.Cleanup(func() { _ = stop(s) })
	return s
}

func stop(s *stack.Stack) error {
	ctx, cancel := context.WithTimeout(context.Background(), 20*time.Second)
	defer cancel()
	return s.Stop(ctx)
}

// write stores a row in the database, and requireWritten reads it.
func write(t *testing.T, url string) {
	t.Helper()
	conn, err := pgx.Connect(t.Context(), url)
	require.NoError(t, err)
	defer func() { require.NoError(t, conn.Close(t.Context())) }()
	_, err = conn.Exec(t.Context(), "CREATE TABLE page (title text); INSERT INTO page VALUES ('kept')")
	require.NoError(t, err)
}

func requireWritten(t *testing.T, url string) {
	t.Helper()
	conn, err := pgx.Connect(t.Context(), url)
	require.NoError(t, err)
	defer func() { require.NoError(t, conn.Close(t.Context())) }()
	var title string
	require.NoError(t, conn.QueryRow(t.Context(), "SELECT title FROM page").Scan(&title))
	require.Equal(t, "kept", title)
}

func pidOf(t *testing.T, processes []stack.Process, name string) int {
	t.Helper()
	for _, p := range processes {
		if p.Name == name {
			return p.PID
		}
	}
	require.Fail(t, "no such process", name)
	return 0
}

func requireEnded(t *testing.T, processes []stack.Process) {
	t.Helper()
	for _, p := range processes {
		require.Eventually(t, func() bool {
			_, alive := process.Identity(p.PID)
			return !alive
		}, 10*time.Second, 10*time.Millisecond, "%s (%d) still runs", p.Name, p.PID)
	}
}
