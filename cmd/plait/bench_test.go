package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"plait/internal/benchtest"
)

// BenchmarkSample translates the sample chapter by its script with the program that `make` builds, and prints one JSON
// line: pages a minute, the share of that time that the task itself took (the rest is upload, download and the start of
// a process), and the memory of each process at rest (models loaded, one page without text done) and at its peak.
//
//	go test ./cmd/plait -run '^$' -bench Sample -benchtime 3x
func BenchmarkSample(b *testing.B) {
	program := filepath.Join(moduleRoot(), "build", "plait")
	require.FileExists(b, program, "run make build")
	in := newInstallation(b)
	in.program = program
	in.up()
	warm := in.plait("translate", example("small", "03.png"), "--from", "ja", "--to", "en", "-o", filepath.Join(in.dir, "warm"))
	require.Zero(b, warm.status, "%s%s", warm.stdout, warm.stderr)
	rest := in.memory("VmRSS:")
	b.ResetTimer()

	var spent, inTask time.Duration
	pages := 0
	var files []string
	for i := 0; b.Loop(); i++ {
		out := filepath.Join(in.dir, fmt.Sprint("out", i))
		began := time.Now()
		f := in.plait("translate", example("chapter"), "--from", "ja", "--to", "en", "--script", example("script.en.json"),
			"-o", out, "--again", "--json")
		spent += time.Since(began)
		require.Zero(b, f.status, "%s%s", f.stdout, f.stderr)
		entries, err := os.ReadDir(out)
		require.NoError(b, err)
		pages += len(entries)
		files = benchPages(b, example())["chapter"]
		inTask += taskTime(b, f.stdout)
	}
	perMinute := float64(pages) / spent.Minutes()
	b.ReportMetric(perMinute, "pages/min")
	benchtest.Write(b, files, map[string]any{
		"case": "sample", "chapters": b.N, "pages": pages, "pages_per_minute": perMinute,
		"task_share": inTask.Seconds() / spent.Seconds(), "memory_mib_at_rest": rest, "memory_mib_at_peak": in.memory("VmHWM:"),
	})
}

// taskTime is what the last event says of the task's own time.
func taskTime(b *testing.B, events string) time.Duration {
	b.Helper()
	var last time.Duration
	for line := range strings.Lines(events) {
		var e struct {
			Task struct {
				Progress struct {
					ElapsedMS int64 `json:"elapsed_ms"`
				} `json:"progress"`
			} `json:"task"`
		}
		if json.Unmarshal([]byte(line), &e) == nil && e.Task.Progress.ElapsedMS > 0 {
			last = time.Duration(e.Task.Progress.ElapsedMS) * time.Millisecond
		}
	}
	return last
}
