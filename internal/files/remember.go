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

// remembered is how many results a folder remembers, the latest.
const remembered = 1000

// Remember keeps in dir where the result of a task was written, so that later commands on the task renew it.
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
	// Ids of tasks begin with the time of their making.
	slices.SortFunc(entries, func(a, b os.DirEntry) int { return strings.Compare(a.Name(), b.Name()) })
	for _, old := range entries[:len(entries)-remembered] {
		_ = os.Remove(filepath.Join(dir, old.Name())) // another command may have removed it
	}
	return nil
}

// Renew writes the result of a task to out, or to where it was written before when out is empty, and remembers the place in dir. Fetch
// streams the result. It returns the place, which is empty where none is known: then nothing is written.
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

// Remembered is where the result of a task was written last; empty when dir does not know.
func Remembered(dir, task string) Result {
	var r Result
	if b, err := os.ReadFile(filepath.Join(dir, filepath.Base(task)+".json")); err == nil {
		_ = json.Unmarshal(b, &r) // one that is damaged is forgotten
	}
	return r
}
