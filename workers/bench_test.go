package workers_test

import (
	"context"
	"fmt"
	"log/slog"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"plait/internal/assets/assetstest"
	"plait/internal/comic"
	"plait/internal/core"
	"plait/internal/stack"
	"plait/internal/stack/stacktest"
	"plait/internal/translate"
	"plait/internal/translate/script"
	"plait/internal/translate/translatetest"
	"plait/workflows"
)

// BenchmarkOrchestration measures what a page costs beyond its engine and its translator, which here cost nothing:
// Temporal, Postgres, blobs, and the way between them, on the embedded stack as `plait up` runs it. It prints one
// JSON line a case.
//
//	go test ./workers -run '^$' -bench Orchestration -benchtime 5x
func BenchmarkOrchestration(b *testing.B) {
	embedded := startStack(b)
	for _, c := range []struct {
		mode  core.Mode
		pages int
	}{
		{comic.ModeSplit, 1}, {comic.ModeSplit, 40}, {comic.ModeUnified, 40},
	} {
		b.Run(fmt.Sprintf("%s of %d pages", c.mode, c.pages), func(b *testing.B) { orchestrate(b, embedded, c.mode, c.pages) })
	}
}

func startStack(b *testing.B) *stack.Stack {
	b.Helper()
	embedded, err := stack.Start(b.Context(), stack.Options{
		DataDir: filepath.Join(b.TempDir(), "data"), AssetsDir: assetstest.Dir(b),
		TemporalBinary:   stacktest.TemporalBinary(b),
		SearchAttributes: workflows.SearchAttributes(), Logger: slog.New(slog.DiscardHandler),
	})
	require.NoError(b, err)
	b.Cleanup(func() { require.NoError(b, embedded.Stop(context.WithoutCancel(b.Context()))) })
	return embedded
}

func orchestrate(b *testing.B, embedded *stack.Stack, mode core.Mode, pages int) {
	b.Helper()
	r := newRigAt(b, embedded.DatabaseURL(), embedded.TemporalAddress())
	r.translator = translate.FromScript(scriptOf(pages), false, slog.New(slog.DiscardHandler))
	r.host(hostOptions{})
	r.run(r.task(mode, chapterPages(pages)...))
	var spent time.Duration
	b.ResetTimer()
	for b.Loop() {
		b.StopTimer()
		in := r.task(mode, chapterPages(pages)...)
		b.StartTimer()
		began := time.Now()
		require.Equal(b, pages, r.run(in).SuccessCount)
		spent += time.Since(began)
	}
	perPage := float64(spent.Microseconds()) / 1000 / float64(b.N*pages)
	b.ReportMetric(perPage, "ms/page")
	figure(b, map[string]any{
		"case": "orchestration", "mode": mode, "pages": pages, "chapters": b.N, "ms_per_page": perPage,
	})
}

// scriptOf translates the pages of a chapter.
func scriptOf(pages int) *script.File {
	file := &script.File{From: "ja", To: "en"}
	for i := range pages {
		page := script.Page{Page: fmt.Sprintf("%03d.png", i+1)}
		for region, source := range []string{fmt.Sprintf("こんにちは %d", i), fmt.Sprintf("さようなら %d", i)} {
			page.Regions = append(page.Regions, script.Region{Region: &region, Source: source, Translation: translatetest.Bracketed(source)})
		}
		file.Pages = append(file.Pages, page)
	}
	return file
}
