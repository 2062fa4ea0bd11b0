package main

import (
	"bytes"
	"context"
	"crypto/sha256"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"

	"plait/api/client"
	"plait/api/schema"
	"plait/internal/core"
	"plait/workflows"
)

// withChecksum makes the only kind of a program that of examples/checksum.
const withChecksum = "PLAIT_TEST_CHECKSUM"

// sums is an installation of checksums alone, with a client.
type sums struct {
	*sandbox
	api     *client.Client
	metrics string
}

func newSums(t *testing.T) sums {
	t.Helper()
	listener, err := new(net.ListenConfig).Listen(t.Context(), "tcp", "127.0.0.1:0")
	require.NoError(t, err)
	metrics := listener.Addr().String()
	require.NoError(t, listener.Close())
	in := newInstallation(t, withChecksum+"=1", "PLAIT_HTTP_METRICS_ADDRESS="+metrics)
	address := in.up()
	key, err := os.ReadFile(filepath.Join(in.data, "api-key"))
	require.NoError(t, err)
	api, err := client.New(address, string(bytes.TrimSpace(key)))
	require.NoError(t, err)
	t.Cleanup(api.CloseIdleConnections)
	return sums{in, api, metrics}
}

// content is that of file i, and line what the result says of it.
func content(i int) string { return fmt.Sprintf("file %d\n", i) }

func line(i int) string {
	return fmt.Sprintf("%x  %03d.txt\n", sha256.Sum256([]byte(content(i))), i)
}

// post asks for the checksums of files first to last.
func (s sums) post(key string, first, last int) schema.Task {
	s.t.Helper()
	r := client.Request{Path: "/checksums", IdempotencyKey: key}
	for i := first; i <= last; i++ {
		r.Files = append(r.Files, client.File{
			Name: fmt.Sprintf("%03d.txt", i), Open: func() (io.ReadCloser, error) { return io.NopCloser(strings.NewReader(content(i))), nil },
		})
	}
	task, err := s.api.Create(s.t.Context(), r)
	require.NoError(s.t, err)
	return task
}

// until polls a task until it is as wanted.
func (s sums) until(id string, wanted func(schema.Task) bool) (task schema.Task) {
	s.t.Helper()
	eventually(s.t, func() bool {
		var err error
		task, err = s.api.Task(s.t.Context(), id)
		require.NoError(s.t, err)
		return wanted(task)
	}, "task "+id)
	return task
}

func ended(t schema.Task) bool { return t.Status.Ended() }

func count(t schema.Task, status core.Status) (n int) {
	for _, i := range t.Items {
		if i.Status == status {
			n++
		}
	}
	return n
}

// A kind gets everything that all kinds share by its registration: the kind of examples/checksum is tried in an installation that knows
// no other.
func TestAKindNeedsItsRegistrationAlone(t *testing.T) {
	t.Parallel()
	s := newSums(t)
	for _, test := range []func(sums){checksumsAtATerminal, checksumsOnce, failedChecksums, lostChecksum, pausedChecksums, canceledChecksums, recordedChecksums} {
		test(s)
	}
}

func checksumsAtATerminal(s sums) {
	t := s.t
	for i := range 2 {
		require.NoError(t, os.WriteFile(filepath.Join(s.dir, fmt.Sprintf("%03d.txt", i)), []byte(content(i)), 0o600))
	}
	submit := []string{"submit", "checksum", "000.txt", "001.txt", "--set", "algorithm=sha256", "-o", "sums.out"}
	f := s.plait(submit...)
	require.Zero(t, f.status, f.stdout+f.stderr)
	require.Contains(t, f.stdout, "2 of 2 items in")
	written, err := os.ReadFile(filepath.Join(s.dir, "sums.out"))
	require.NoError(t, err)
	require.Equal(t, line(0)+line(1), string(written))
	task := regexp.MustCompile(`task (\S+)`).FindStringSubmatch(f.stdout)[1]
	require.Contains(t, s.plait(submit...).stdout, task, "the same command is the same task")
	f = s.plait("get", task, "-o", "again.out")
	require.Zero(t, f.status, f.stderr)
	require.FileExists(t, filepath.Join(s.dir, "again.out"))
	require.Regexp(t, task+`\s+checksum\s+success\s+2/2`, s.plait("tasks", "--kind", "checksum").stdout)
	for wrong, what := range map[string]string{"algorithm=md5": `algorithm "md5" is not sha256 or sha512`, "hash=sha512": `field "hash" is not known`} {
		f = s.plait("submit", "checksum", "000.txt", "--set", wrong)
		require.Equal(t, exitFailed, f.status)
		require.Contains(t, f.stderr, what)
	}
	f = s.plait("submit", "comic", "000.txt")
	require.Equal(t, exitUsage, f.status)
	require.Contains(t, f.stderr, `kind "comic" is none of checksum`)
	require.Zero(t, s.plait("delete", task).status)
	require.NotContains(t, s.plait("tasks").stdout, task)
}

func checksumsOnce(s sums) {
	first := s.post("once", 10, 12)
	require.Equal(s.t, first.ID, s.post("once", 10, 12).ID)
	_, err := s.api.Create(s.t.Context(), client.Request{Path: "/checksums", IdempotencyKey: "once"})
	require.Error(s.t, err, "another request under the same key")
	require.Equal(s.t, core.StatusSuccess, s.until(first.ID, ended).Status)
}

// failedChecksums takes a file away while the worker stands still, and puts it back for a retry.
func failedChecksums(s sums) {
	t, worker := s.t, workerOf(s.t, s.owner)
	require.NoError(t, syscall.Kill(worker, syscall.SIGSTOP))
	task := s.post("", 20, 22)
	hash := fmt.Sprintf("%x", sha256.Sum256([]byte(content(21))))
	stored := filepath.Join(s.data, "blobs", hash[:2], hash)
	require.NoError(t, os.Rename(stored, stored+".away"))
	require.NoError(t, syscall.Kill(worker, syscall.SIGCONT))
	task = s.until(task.ID, ended)
	require.Equal(t, []any{core.StatusPartial, 2, 1}, []any{task.Status, task.SuccessCount, task.FailedCount})
	require.Equal(t, &schema.Failure{Stage: "hash", Code: core.CodeBlobMissing, Message: task.Items[1].Failure.Message}, task.Items[1].Failure)
	require.NoError(t, os.Rename(stored+".away", stored))
	f := s.plait("retry", task.ID, "-o", "retried.out")
	require.Zero(t, f.status, f.stderr)
	written, err := os.ReadFile(filepath.Join(s.dir, "retried.out"))
	require.NoError(t, err)
	require.Equal(t, line(20)+line(21)+line(22), string(written))
}

// lostChecksum is a task of which nothing succeeds: the command fails, and says which task it was.
func lostChecksum(s sums) {
	t, worker := s.t, workerOf(s.t, s.owner)
	require.NoError(t, os.WriteFile(filepath.Join(s.dir, "lost.txt"), []byte("lost"), 0o600))
	require.NoError(t, syscall.Kill(worker, syscall.SIGSTOP))
	ended := make(chan finished, 1)
	go func() { ended <- s.plait("submit", "checksum", "lost.txt") }()
	hash := fmt.Sprintf("%x", sha256.Sum256([]byte("lost")))
	eventually(t, func() bool { return os.Remove(filepath.Join(s.data, "blobs", hash[:2], hash)) == nil }, "the file is uploaded")
	require.NoError(t, syscall.Kill(worker, syscall.SIGCONT))
	f := <-ended
	require.Equal(t, exitFailed, f.status)
	require.Regexp(t, `task [0-9a-f-]{36}`, f.stdout)
	require.Contains(t, f.stderr, "no item succeeded: lost.txt failed in hash")
}

// many is the number of files of a task that is caught on its way.
const many = 120

// pausedChecksums pauses a task, kills its worker, and kills the next one in the middle of the rest.
func pausedChecksums(s sums) {
	t, ctx := s.t, s.t.Context()
	id := s.post("", 100, 100+many-1).ID
	s.until(id, func(t schema.Task) bool { return t.Progress.Done > 0 })
	_, err := s.api.Pause(ctx, id)
	require.NoError(t, err)
	paused := s.until(id, func(t schema.Task) bool { return count(t, core.StatusRunning) == 0 })
	require.Equal(t, core.StatusPaused, paused.Status)
	require.Positive(t, count(paused, core.StatusQueued), "what has not begun waits")
	s.kill()
	now := s.until(id, func(schema.Task) bool { return true })
	require.LessOrEqual(t, now.Progress.Done, paused.Progress.Done+workflows.DefaultWindow, "only what was in flight has ended")
	_, err = s.api.Resume(ctx, id)
	require.NoError(t, err)
	s.until(id, func(t schema.Task) bool {
		return t.Progress.Done > paused.Progress.Done && count(t, core.StatusRunning) > 0
	})
	s.kill()
	require.Equal(t, core.StatusSuccess, s.until(id, ended).Status)
	var result, want bytes.Buffer
	require.NoError(t, s.api.Result(ctx, id, &result))
	for i := range many {
		want.WriteString(line(100 + i))
	}
	require.Equal(t, want.String(), result.String())
}

// kill ends the worker as kill -9 does, and waits for the next one.
func (s sums) kill() {
	s.t.Helper()
	worker := workerOf(s.t, s.owner)
	require.NoError(s.t, syscall.Kill(worker, syscall.SIGKILL))
	eventually(s.t, func() bool { return workerOf(s.t, s.owner) != worker }, "another worker runs")
}

func canceledChecksums(s sums) {
	id := s.post("", 300, 300+many-1).ID
	s.until(id, func(t schema.Task) bool { return t.Progress.Done > 0 })
	_, err := s.api.Pause(s.t.Context(), id)
	require.NoError(s.t, err)
	s.interruptWatch(id)
	f := s.plait("cancel", id)
	require.Zero(s.t, f.status, f.stderr)
	require.Contains(s.t, f.stdout, "task "+id+": canceled", "the command waits for the end")
	task := s.until(id, ended)
	require.Equal(s.t, core.StatusCanceled, task.Status)
	require.Equal(s.t, many, task.SuccessCount+task.FailedCount)
	require.Positive(s.t, count(task, core.StatusCanceled))
}

// interruptWatch presses Ctrl-C while a command shows a task that pauses.
func (s sums) interruptWatch(id string) {
	s.t.Helper()
	out, err := os.Create(filepath.Join(s.dir, "watch.txt"))
	require.NoError(s.t, err)
	defer out.Close()
	watch := s.command("watch", id)
	watch.Stdout = out
	require.NoError(s.t, watch.Start())
	said := func(what string) bool {
		b, err := os.ReadFile(out.Name())
		require.NoError(s.t, err)
		return strings.Contains(string(b), what)
	}
	eventually(s.t, func() bool { return said("Paused: plait resume " + id) }, "the command shows the task")
	require.NoError(s.t, watch.Process.Signal(os.Interrupt))
	require.Error(s.t, watch.Wait())
	require.Equal(s.t, exitInterrupted, watch.ProcessState.ExitCode())
	require.True(s.t, said("The task goes on in the running stack: plait watch "+id))
	require.False(s.t, said("goes on while a stack runs"), "it is told once")
}

func recordedChecksums(s sums) {
	t, ctx := s.t, context.WithoutCancel(s.t.Context())
	database := s.database(s.located())
	var tasks, items, runs, failures int
	require.NoError(t, database.QueryRow(ctx, `SELECT count(*) FROM task WHERE kind = 'checksum' AND ended_at IS NOT NULL`).Scan(&tasks))
	require.NoError(t, database.QueryRow(ctx, `SELECT count(*) FROM item WHERE status = 'success'`).Scan(&items))
	require.NoError(t, database.QueryRow(ctx, `SELECT count(*) FROM stage_run WHERE stage = 'write' AND outcome = 'success'`).Scan(&runs))
	require.NoError(t, database.QueryRow(ctx, `SELECT count(*) FROM stage_run WHERE stage = 'hash' AND code = 'BLOB_MISSING'`).Scan(&failures))
	require.Equal(t, 5, tasks)
	require.Equal(t, items, runs, "each result has the run that made it")
	require.Positive(t, failures)
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, "http://"+s.metrics+"/metrics", nil)
	require.NoError(t, err)
	response, err := http.DefaultClient.Do(request)
	require.NoError(t, err)
	defer response.Body.Close()
	text, err := io.ReadAll(response.Body)
	require.NoError(t, err)
	require.Contains(t, string(text), `plait_stage_seconds_count{code="",kind="checksum",mode="host",stage="write"}`)
}
