package main

import (
	"slices"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"plait/internal/benchtest"
	"plait/internal/comic"
	"plait/internal/comic/engine"
	"plait/internal/core"
)

// editFigures is the line of bench/letter.jsonl that tells how long an edit takes: one text of a page is another, and the page
// comes out anew of the context that the edit before left. That is what the edit step asks of the engine.
type editFigures struct {
	Case  string `json:"case"`
	Pages string `json:"folder"`
	Onto  string `json:"onto"`
	Text  string `json:"text"`
	Edits int    `json:"edits"`
	// PerEdit is the median and AtMost the maximum, in milliseconds; Lettering is the median without writing the file.
	PerEdit   float64 `json:"ms_per_edit"`
	AtMost    float64 `json:"ms_at_most"`
	Lettering float64 `json:"ms_lettering"`
	// CPU is the median of processor time of all cores, which others on the machine hardly change.
	CPU float64 `json:"cpu_ms_per_edit"`

	// files are those of the pages.
	files []string

	took, lettering, cpu []float64
}

// edit changes each text of a page in its turn, to twice what it says, and requires that the page shows it.
func (e *letterBench) edit(c *engine.Context, texts []core.Translation, f *editFigures) {
	texts = everyRegion(c.Regions(), texts)
	prepared, err := e.engine.Prepare(e.ctx, c, texts)
	require.NoError(e.b, err)
	before, _, err := e.engine.Render(e.ctx, prepared, texts)
	require.NoError(e.b, err)
	for i, t := range texts {
		if t.Text == "" {
			continue
		}
		changed := slices.Clone(texts)
		changed[i].Text = t.Text + " " + t.Text
		began, used := time.Now(), processorTime(e.b)
		lettered, err := e.engine.Letter(e.ctx, prepared, changed)
		require.NoError(e.b, err)
		f.lettering = append(f.lettering, milliseconds(began))
		after, _, err := lettered.Encode(e.ctx)
		require.NoError(e.b, err)
		f.took, f.cpu = append(f.took, milliseconds(began)), append(f.cpu, processorTime(e.b)-used)
		require.NotEqual(e.b, before, after)
	}
}

func milliseconds(since time.Time) float64 { return float64(time.Since(since).Microseconds()) / 1000 }

// processorTime is what this process has used, in milliseconds.
func processorTime(b *testing.B) float64 {
	b.Helper()
	var used syscall.Rusage
	require.NoError(b, syscall.Getrusage(syscall.RUSAGE_SELF, &used))
	return float64(used.Utime.Nano()+used.Stime.Nano()) / 1e6
}

// everyRegion has one translation a region: empty where none is given.
func everyRegion(regions []comic.Region, some []core.Translation) []core.Translation {
	texts := core.TextsByRegion(some)
	all := make([]core.Translation, len(regions))
	for i, r := range regions {
		all[i] = core.Translation{Index: r.Index, Text: texts[r.Index]}
	}
	return all
}

func (e *letterBench) printEdits(f *editFigures) {
	f.Edits = len(f.took)
	f.PerEdit, f.AtMost, f.Lettering = quantile(f.took, 0.5), quantile(f.took, 1), quantile(f.lettering, 0.5)
	f.CPU = quantile(f.cpu, 0.5)
	benchtest.Write(e.b, f.files, f)
}
