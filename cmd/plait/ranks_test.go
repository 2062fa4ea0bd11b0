package main

import (
	"bytes"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"

	"plait/internal/video/ffmpeg/ffmpegtest"
	"plait/internal/video/window/windowtest"
)

// rankOf returns the process of rank 1 whose leader is a process, or 0.
func rankOf(t *testing.T, leader int) int {
	t.Helper()
	children, err := filepath.Glob(fmt.Sprintf("/proc/%d/task/*/children", leader))
	require.NoError(t, err)
	for _, list := range children {
		b, err := os.ReadFile(list)
		if err != nil {
			continue // the thread has ended
		}
		for _, child := range strings.Fields(string(b)) {
			line, err := os.ReadFile("/proc/" + child + "/cmdline")
			if err == nil && bytes.Contains(line, []byte("worker\x00--rank\x001\x00--leader\x00")) {
				pid, err := strconv.Atoi(child)
				require.NoError(t, err)
				return pid
			}
		}
	}
	return 0
}

// alive tells whether a process runs.
func alive(pid int) bool { return syscall.Kill(pid, 0) == nil }

// Two processes give the file of one, also when the second is killed on the way; and a leader that is killed takes the second with it.
func TestUpscaleOnTwoRanks(t *testing.T) {
	t.Parallel()
	in := newUnwatched(t)
	clip := ffmpegtest.Make(t, "-f", "lavfi", "-i", "testsrc=size=32x24:rate=25:duration=12", "clip.mp4")
	model := windowtest.Write(t, 1)
	args := func(out string) []string {
		return []string{"video", "upscale", clip, "--model", model, "--json", "-o", filepath.Join(in.dir, out)}
	}
	f := in.plait(args("one.mp4")...)
	require.Zero(t, f.status, f.stderr)
	want, err := os.ReadFile(filepath.Join(in.dir, "one.mp4"))
	require.NoError(t, err)

	// Rank 1 is killed when the second segment is there.
	cmd := in.command(append(args("two.mp4"), "--ranks", "2")...)
	var out, notes bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &notes
	require.NoError(t, cmd.Start())
	killed := killRank(t, cmd, filepath.Join(in.dir, "two.mp4.part", "progress.json"))
	require.NoError(t, cmd.Wait(), notes.String())
	require.False(t, alive(killed))
	got, err := os.ReadFile(filepath.Join(in.dir, "two.mp4"))
	require.NoError(t, err)
	require.Equal(t, want, got)
	require.Contains(t, out.String(), `"joined":2`)

	// The leader is killed: its rank ends, and the same command ends the work.
	cmd = in.command(append(args("three.mp4"), "--ranks", "2")...)
	require.NoError(t, cmd.Start())
	var rank int
	eventually(t, func() bool { rank = rankOf(t, cmd.Process.Pid); return rank > 0 }, "rank 1 runs")
	require.NoError(t, cmd.Process.Kill())
	require.Error(t, cmd.Wait())
	eventually(t, func() bool { return !alive(rank) }, "rank 1 has ended")
	f = in.plait(append(args("three.mp4"), "--ranks", "2")...)
	require.Zero(t, f.status, f.stderr)
	got, err = os.ReadFile(filepath.Join(in.dir, "three.mp4"))
	require.NoError(t, err)
	require.Equal(t, want, got)
}

// killRank kills rank 1 of a command when a file is there, and returns its process.
func killRank(t *testing.T, cmd *exec.Cmd, file string) int {
	t.Helper()
	eventually(t, func() bool { _, err := os.Stat(file); return err == nil }, "progress is saved")
	rank := rankOf(t, cmd.Process.Pid)
	require.NotZero(t, rank)
	require.NoError(t, syscall.Kill(rank, syscall.SIGKILL))
	return rank
}

func TestRanksRefuse(t *testing.T) {
	t.Parallel()
	in := newUnwatched(t)
	clip := ffmpegtest.Make(t, "-f", "lavfi", "-i", "testsrc=size=32x24:rate=25:duration=1", "clip.mp4")
	model := windowtest.Write(t, 1)
	for name, c := range map[string]struct {
		args    []string
		status  int
		message string
	}{
		"ranks":    {[]string{"video", "upscale", clip, "--ranks", "3"}, exitUsage, "--ranks: 3 is not from 1 to 2"},
		"listen":   {[]string{"video", "upscale", clip, "--listen", "127.0.0.1:0"}, exitUsage, "--listen needs --ranks 2"},
		"device":   {[]string{"video", "upscale", clip, "--model", model, "--ranks", "2", "--devices", "cpu"}, exitFailed, "2 ranks need 2 devices"},
		"no token": {[]string{"video", "upscale", clip, "--model", model, "--ranks", "2", "--listen", "127.0.0.1:0"}, exitFailed, "video.ranks_token is missing"},
		"worker":   {[]string{"worker", "--rank", "1"}, exitUsage, "--rank 1 and --leader belong together"},
		"second":   {[]string{"worker", "--rank", "2", "--leader", "a:1"}, exitUsage, "--rank 1 and --leader belong together"},
		"many":     {[]string{"worker", "--ranks", "3"}, exitUsage, "--ranks: 3 is not from 1 to 2"},
		"alone":    {[]string{"worker", "--listen", "127.0.0.1:0"}, exitUsage, "--listen needs --ranks 2"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			f := in.plait(c.args...)
			require.Equal(t, c.status, f.status, f.stderr)
			require.Contains(t, f.stderr, c.message)
			require.Equal(t, 1, strings.Count(f.stderr, "\n"), f.stderr)
		})
	}
}

// A rank of another host joins with the token of both, and the file is that of one process.
func TestUpscaleWithARankOfAnotherHost(t *testing.T) {
	t.Parallel()
	in := newUnwatched(t, "PLAIT_VIDEO_RANKS_TOKEN=sixteen characters")
	clip := ffmpegtest.Make(t, "-f", "lavfi", "-i", "testsrc=size=32x24:rate=25:duration=2", "clip.mp4")
	listener, err := new(net.ListenConfig).Listen(t.Context(), "tcp", "127.0.0.1:0")
	require.NoError(t, err)
	address := listener.Addr().String()
	require.NoError(t, listener.Close())
	args := []string{"video", "upscale", clip, "--model", windowtest.Write(t, 1), "--json", "-o"}

	cmd := in.command(append(args, filepath.Join(in.dir, "two.mp4"), "--ranks", "2", "--listen", address)...)
	var notes bytes.Buffer
	cmd.Stderr = &notes
	require.NoError(t, cmd.Start())
	eventually(t, func() bool {
		c, err := new(net.Dialer).DialContext(t.Context(), "tcp", address)
		return err == nil && c.Close() == nil
	}, "the leader listens")
	stranger := newUnwatched(t, "PLAIT_VIDEO_RANKS_TOKEN=sixteen characters too")
	f := stranger.plait("worker", "--rank", "1", "--leader", address)
	require.Equal(t, exitFailed, f.status)
	require.Contains(t, f.stderr, "the leader has another token")

	rank := in.command("worker", "--rank", "1", "--leader", address)
	require.NoError(t, rank.Start())
	require.NoError(t, cmd.Wait(), notes.String())
	require.NoError(t, rank.Process.Signal(syscall.SIGTERM))
	require.Error(t, rank.Wait())
	require.Equal(t, exitInterrupted, rank.ProcessState.ExitCode())

	f = in.plait(append(args, filepath.Join(in.dir, "one.mp4"))...)
	require.Zero(t, f.status, f.stderr)
	want, err := os.ReadFile(filepath.Join(in.dir, "one.mp4"))
	require.NoError(t, err)
	got, err := os.ReadFile(filepath.Join(in.dir, "two.mp4"))
	require.NoError(t, err)
	require.Equal(t, want, got)
}
