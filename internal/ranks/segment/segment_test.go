package segment_test

import (
	"bytes"
	"errors"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"plait/internal/core"
	"plait/internal/ranks/segment"
)

// envHandle makes this test binary a process that opens a segment, and prints its content.
const envHandle = "PLAIT_TEST_SEGMENT"

// Another process reads a segment, and none can write it. It goes with its last reference.
func TestASegmentIsShared(t *testing.T) {
	if where := os.Getenv(envHandle); where != "" {
		read(t, where)
		return
	}
	t.Parallel()
	var store segment.Store
	s, err := store.Copy("content", bytes.Repeat([]byte("x"), segment.SharedBytes))
	require.NoError(t, err)
	h, shared := s.Handle()
	require.True(t, shared)
	again, err := store.Open(h)
	require.NoError(t, err)
	require.Equal(t, s.Bytes(), again.Bytes())
	again.Release()

	cmd := exec.CommandContext(t.Context(), os.Args[0], "-test.run", "^TestASegmentIsShared$")
	cmd.Env = append(os.Environ(), envHandle+"="+strings.Join([]string{strconv.Itoa(h.PID), strconv.Itoa(h.FD), h.Name}, " "))
	out, err := cmd.CombinedOutput()
	require.NoError(t, err, string(out))
	require.Contains(t, string(out), "it has 65536 x")

	f, err := os.OpenFile("/proc/self/fd/"+strconv.Itoa(h.FD), os.O_RDWR, 0)
	require.NoError(t, err)
	_, err = f.WriteAt([]byte("y"), 0)
	require.ErrorIs(t, err, os.ErrPermission)
	require.NoError(t, f.Close())
	s.Release()
}

func read(t *testing.T, where string) {
	t.Helper()
	parts := strings.Fields(where)
	pid, err := strconv.Atoi(parts[0])
	require.NoError(t, err)
	fd, err := strconv.Atoi(parts[1])
	require.NoError(t, err)
	var store segment.Store
	s, err := store.Open(segment.Handle{PID: pid, FD: fd, Name: parts[2], Size: segment.SharedBytes})
	require.NoError(t, err)
	_, err = os.Stdout.WriteString("it has " + strconv.Itoa(bytes.Count(s.Bytes(), []byte("x"))) + " x\n")
	require.NoError(t, err)
}

func TestOpenRefuses(t *testing.T) {
	t.Parallel()
	var store segment.Store
	s, err := store.Copy("content", make([]byte, segment.SharedBytes))
	require.NoError(t, err)
	good, _ := s.Handle()
	for name, change := range map[string]func(*segment.Handle){
		"name":    func(h *segment.Handle) { h.Name = "other" },
		"size":    func(h *segment.Handle) { h.Size++ },
		"small":   func(h *segment.Handle) { h.Size = 1 },
		"file":    func(h *segment.Handle) { h.FD = 0 },
		"process": func(h *segment.Handle) { h.PID = 1 << 22 },
	} {
		h := good
		change(&h)
		_, err := store.Open(h)
		require.Equal(t, core.CodeUnavailable, core.CodeOf(err), name)
	}
	s.Release()
	_, err = store.New("content", segment.SharedBytes, func([]byte) error { return errors.New("no") })
	require.EqualError(t, err, "no")
	segments, size := store.Live()
	require.Zero(t, segments)
	require.Zero(t, size)
}
