// Package benchtest writes the figures of benchmarks as JSON lines that say where they come from: the case, the machine, the commit, the
// date and the pages. With -figures FILE a run of `go test -bench` writes that file anew, and without it the lines go to standard error.
package benchtest

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/klauspost/cpuid/v2"
)

var file = flag.String("figures", "", "file that the figures of the benchmarks are written to, in place of what it holds")

// origin is what begins each line.
type origin struct {
	CPU   string `json:"cpu"`
	Cores int    `json:"cores"`
	// Commit is that of the working tree, with "-dirty" where it has other changes.
	Commit string `json:"commit"`
	Date   string `json:"date"` // UTC
	// Pages are the names of the pages, or what was made in their place.
	Pages []string `json:"page_names"`
}

var (
	written sync.Mutex
	began   = map[string]bool{} // files that this process has begun
)

// Write writes one line: the fields of origin, then those of figures, which become a JSON object. Pages are paths, of which the last
// folder and the name are kept.
func Write(tb testing.TB, pages []string, figures any) {
	tb.Helper()
	if err := WriteTo(tb.Context(), pages, figures); err != nil {
		tb.Fatal(err)
	}
}

// WriteTo is [Write] for programs that are no tests.
func WriteTo(ctx context.Context, pages []string, figures any) error {
	line, err := Line(ctx, pages, figures)
	if err != nil {
		return err
	}
	return emit(*file, line)
}

// Line is the line that [Write] writes.
func Line(ctx context.Context, pages []string, figures any) ([]byte, error) {
	names := make([]string, len(pages))
	for i, page := range pages {
		names[i] = filepath.Base(page)
		if folder := filepath.Base(filepath.Dir(page)); folder != "." {
			names[i] = folder + "/" + names[i]
		}
	}
	commit, err := exec.CommandContext(ctx, "git", "describe", "--always", "--dirty", "--exclude", "*").Output()
	if err != nil {
		return nil, fmt.Errorf("the commit of the working tree: %w", err)
	}
	head, err := json.Marshal(origin{
		CPU: cpuid.CPU.BrandName, Cores: runtime.NumCPU(), Commit: strings.TrimSpace(string(commit)),
		Date: time.Now().UTC().Format(time.DateOnly), Pages: names,
	})
	if err != nil {
		return nil, err
	}
	body, err := json.Marshal(figures)
	if err != nil {
		return nil, err
	}
	if body[0] != '{' || bytes.Equal(body, []byte("{}")) {
		return nil, fmt.Errorf("figures are %s, which is no JSON object with fields", body)
	}
	head[len(head)-1] = ','
	return append(append(head, body[1:]...), '\n'), nil
}

// emit appends a line to the file, whose first line in this process takes the place of what it held.
func emit(path string, line []byte) error {
	if path == "" {
		_, err := os.Stderr.Write(line)
		return err
	}
	written.Lock()
	defer written.Unlock()
	mode := os.O_APPEND
	if !began[path] {
		mode = os.O_TRUNC
	}
	f, err := os.OpenFile(path, os.O_CREATE|os.O_WRONLY|mode, 0o600)
	if err != nil {
		return err
	}
	began[path] = true
	_, err = f.Write(line)
	if closeErr := f.Close(); err == nil {
		err = closeErr
	}
	return err
}

// ResidentPeak returns the largest resident size of this process so far in MiB, or 0 where the system does not tell it.
func ResidentPeak(tb testing.TB) int64 {
	tb.Helper()
	status, err := os.ReadFile("/proc/self/status")
	if errors.Is(err, fs.ErrNotExist) {
		return 0
	}
	if err != nil {
		tb.Fatal(err)
	}
	for line := range strings.Lines(string(status)) {
		if rest, found := strings.CutPrefix(line, "VmHWM:"); found {
			kib, err := strconv.ParseInt(strings.Fields(rest)[0], 10, 64)
			if err != nil {
				tb.Fatal(err)
			}
			return kib >> 10
		}
	}
	return 0
}
