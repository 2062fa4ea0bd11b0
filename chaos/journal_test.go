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

func newJournal(t *testing.T, folder string) *journal {
	t.Helper()
	file, err := os.Create(filepath.Join(folder, "storm.log"))
	require.NoError(t, err)
	j := &journal{began: time.Now(), file: file}
	t.Cleanup(func() {
		if t.Failed() {
			t.Logf("%s:\n%s", file.Name(), strings.Join(j.lines, "\n"))
		}
		require.NoError(t, j.err)
		require.NoError(t, file.Close())
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
