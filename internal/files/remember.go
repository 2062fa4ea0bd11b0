package files

import (
	"context"
	"encoding/json"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"plait/internal/archive"
)

// remembered is how many results dir remembers: the latest ones.
const remembered = 1000

// Remember records in dir where the result of a task was written, so that later commands on the task can write it there again.
func Remember(dir, task string, r Result) error {
	b, err := json.Marshal(r.Absolute())
	if err != nil {
		return err
	}
	if err := WriteBytes(filepath.Join(dir, filepath.Base(task)+".json"), b); err != nil {
		return err
	}
	entries, err := os.ReadDir(dir)
	if err != nil || len(entries) <= remembered {
		return err
	}
	// The id of a task begins with the time of its creation, so the oldest tasks sort first.
	slices.SortFunc(entries, func(a, b os.DirEntry) int { return strings.Compare(a.Name(), b.Name()) })
	for _, old := range entries[:len(entries)-remembered] {
		_ = os.Remove(filepath.Join(dir, old.Name())) // another command may have removed it
	}
	return nil
}

// Renew writes the result of a task to out, or, if out is empty, to the place that dir remembers, and remembers the place in dir. fetch
// streams the result. Renew returns the place; if it is empty, no place is known and nothing was written.
func Renew(ctx context.Context, dir, task string, out Result, limits archive.Limits, fetch func(io.Writer) error) (Result, error) {
	if out == (Result{}) {
		out = Remembered(dir, task)
	}
	if out == (Result{}) {
		return out, nil
	}
	if err := out.Write(ctx, task, limits, fetch); err != nil {
		return out, err
	}
	return out, Remember(dir, task, out)
}

// Remembered returns where the result of a task was last written; empty when dir has no record.
func Remembered(dir, task string) Result {
	var r Result
	if b, err := os.ReadFile(filepath.Join(dir, filepath.Base(task)+".json")); err == nil {
		_ = json.Unmarshal(b, &r) // a damaged record counts as none
	}
	return r
}
