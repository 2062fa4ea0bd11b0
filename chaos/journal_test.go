package chaos_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// journal is the story of a run: what was done when, and what became of the processes. It is a file that a person can read.
type journal struct {
	began time.Time

	mu    sync.Mutex
	file  *os.File
	lines []string
	err   error
}

func newJournal(tb testing.TB, folder string) *journal {
	tb.Helper()
	file, err := os.Create(filepath.Join(folder, "storm.log"))
	require.NoError(tb, err)
	j := &journal{began: time.Now(), file: file}
	tb.Cleanup(func() {
		if tb.Failed() {
			tb.Logf("%s:\n%s", file.Name(), strings.Join(j.lines, "\n"))
		}
		require.NoError(tb, j.err)
		require.NoError(tb, file.Close())
	})
	return j
}

// tell adds a line: seconds since the begin, what kind of thing, and what.
func (j *journal) tell(kind, format string, args ...any) {
	j.mu.Lock()
	defer j.mu.Unlock()
	line := fmt.Sprintf("%8.3f  %-18s %s", time.Since(j.began).Seconds(), kind, fmt.Sprintf(format, args...))
	j.lines = append(j.lines, line)
	if _, err := fmt.Fprintln(j.file, line); err != nil && j.err == nil {
		j.err = err
	}
}
