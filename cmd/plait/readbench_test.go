package main

import (
	"flag"
	"io"
	"maps"
	"math"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"plait/internal/archive"
	"plait/internal/benchtest"
	"plait/internal/comic"
	"plait/internal/comic/batch"
	"plait/internal/config"
	"plait/internal/files"
	"plait/internal/languages"
)

// readFigures is a line of bench/read.jsonl: the pages of one folder, read as often as Rounds says. Seconds are those of
// the middle round. They hold decoding, reading, grouping and printing; not what happens once a process, which
// ProcessSeconds has as well.
type readFigures struct {
	Case   string `json:"case"`
	Folder string `json:"folder"`
	Pages  int    `json:"pages"`
	Rounds int    `json:"rounds"`
	Cores  int    `json:"cores"`
	Slots  int    `json:"slots"`

	PagesPerSecond float64 `json:"pages_per_second"`
	SecondsPerPage float64 `json:"seconds_per_page"`
	ProcessSeconds float64 `json:"process_seconds"`
	MemoryMiB      int64   `json:"memory_mib_at_peak"`
	Regions        int     `json:"regions"`
}

var benchPagesFlag = flag.String("pages", "", "folder of the folders of pages that benchmarks, and the test of the same bytes, take")

// benchRounds is how often each side reads the pages.
const benchRounds = 3

// BenchmarkRead reads the pages below -pages, a folder with one folder for each language or book, on the
// engine of this host with all its cores, and prints one JSON line a folder. How well they are read, and how fast beside another
// program, bench/quality measures.
//
//	go test ./cmd/plait -run '^$' -bench 'Read$' -benchtime 1x -pages $PWD/examples
func BenchmarkRead(b *testing.B) {
	root := *benchPagesFlag
	require.NotEmpty(b, root, "-pages names the folder of the pages")
	program := filepath.Join(moduleRoot(), "build", "plait")
	require.FileExists(b, program, "run make build")
	in := newInstallation(b)
	in.program = program
	l, err := config.Load(config.Sources{Environ: in.env})
	require.NoError(b, err)
	folders := benchPages(b, root)
	// The processes come before this one loads an engine: the peak that the system reports of a child is at least what
	// its parent held when it started it.
	var figures [][]*readFigures
	for _, folder := range slices.Sorted(maps.Keys(folders)) {
		var ways []*readFigures
		for _, way := range readWays {
			f := &readFigures{
				Case: way.name, Folder: folder, Pages: len(folders[folder]), Rounds: benchRounds * b.N, Cores: runtime.NumCPU(), Slots: l.DeviceSlots(),
			}
			began := time.Now()
			process := in.plait(slices.Concat([]string{"read", "--json"}, way.flags, folders[folder])...)
			require.Zero(b, process.status, process.stderr)
			f.ProcessSeconds, f.MemoryMiB = time.Since(began).Seconds(), process.maxMemory>>20
			ways = append(ways, f)
		}
		figures = append(figures, ways)
	}
	var readers []*benchReader
	for _, way := range readWays {
		e, err := batch.Open(b.Context(), &l.Config, batch.Options{From: languages.Auto}, math.MaxInt)
		require.NoError(b, err)
		defer func() { require.NoError(b, e.Close()) }()
		readers = append(readers, &benchReader{Engine: e, Reader: batch.Reader{Options: comic.Options{From: languages.Auto, Fast: way.fast}}})
	}
	for _, ways := range figures {
		compare(b, readers, ways, folders[ways[0].Folder])
		for _, f := range ways {
			benchtest.Write(b, folders[f.Folder], f)
		}
	}
}

// readWays are the ways of `plait read` that are measured.
var readWays = []struct {
	name  string
	flags []string
	fast  bool
}{{"read", nil, false}, {"read-fast", []string{"--fast"}, true}}

// compare reads the pages with each reader in turns.
func compare(b *testing.B, readers []*benchReader, ways []*readFigures, pages []string) {
	b.Helper()
	seconds := make([][]float64, len(readers))
	for range ways[0].Rounds {
		for i, r := range readers {
			seconds[i] = append(seconds[i], r.timeReading(b, pages, ways[i]))
		}
	}
	for i, f := range ways {
		f.SecondsPerPage = median(seconds[i]) / float64(len(pages))
		f.PagesPerSecond = 1 / f.SecondsPerPage
	}
}

// benchReader is one way of reading.
type benchReader struct {
	*batch.Engine
	batch.Reader
}

// timeReading reads the pages once, as `plait read --json` does. It answers seconds.
func (r *benchReader) timeReading(b *testing.B, pages []string, f *readFigures) float64 {
	b.Helper()
	in := files.List(pages, archive.DefaultLimits())
	defer in.Close()
	out := lineEncoder(io.Discard)
	f.Regions = 0
	began := time.Now()
	require.NoError(b, batch.Run(b.Context(), r.Engine, in.List, r.Read, func(page files.Page, found comic.DetectOutput, err error) error {
		require.NoError(b, err, page.Name)
		f.Regions += len(found.Regions)
		return out.Encode(batch.RecordRead(page.Name, found))
	}))
	return time.Since(began).Seconds()
}

// median is the middle value, the upper one of two.
func median(values []float64) float64 {
	slices.Sort(values)
	return values[len(values)/2]
}

// benchPages are the pages of each folder in root: its images, or where some have their text beside them, as 01.jpg has
// 01.json, those alone.
func benchPages(tb testing.TB, root string) map[string][]string {
	tb.Helper()
	folders, err := os.ReadDir(root)
	require.NoError(tb, err)
	all := map[string][]string{}
	for _, folder := range folders {
		if !folder.IsDir() {
			continue
		}
		var pages, withText []string
		for _, p := range files.List([]string{filepath.Join(root, folder.Name())}, archive.DefaultLimits()).List {
			if p.Path == "" {
				continue
			}
			pages = append(pages, p.Path)
			if _, err := os.Stat(strings.TrimSuffix(p.Path, filepath.Ext(p.Path)) + ".json"); err == nil {
				withText = append(withText, p.Path)
			}
		}
		if len(withText) > 0 {
			pages = withText
		}
		if len(pages) > 0 {
			all[folder.Name()] = pages
		}
	}
	require.NotEmpty(tb, all, "%s has no folders of pages", root)
	return all
}
