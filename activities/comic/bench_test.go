package comic_test

import (
	"context"
	"fmt"
	"log/slog"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	comicsteps "plait/activities/comic"
	"plait/activities/comic/enginetest"
	"plait/internal/benchtest"
	"plait/internal/comic"
	"plait/internal/core"
	"plait/internal/llmtest"
	"plait/internal/records"
	"plait/internal/translate"
	"plait/internal/translate/ledger"
	"plait/internal/translate/provider"
)

// benchPages is the length of the chapter that is translated; all but the first three pages have a full context.
const benchPages = 60

// chapters are translated in one turn of the benchmark.
const chapters = 3

// BenchmarkTranslateStep measures what a translate step takes beside the calls of its provider: the look-up of the page, the
// slot, the context, the prompt, the checks, and the records. It prints one JSON line.
//
//	go test ./activities/comic -run '^$' -bench TranslateStep -benchtime 1x
func BenchmarkTranslateStep(b *testing.B) {
	var overheads []time.Duration
	for range chapters * b.N {
		overheads = append(overheads, translateChapter(b)...)
	}
	slices.Sort(overheads)
	at := func(share float64) float64 {
		return float64(overheads[int(share*float64(len(overheads)-1))].Microseconds()) / 1000
	}
	benchtest.Write(b, []string{"stand-in pages of a chapter"}, map[string]any{
		"case": "translate step beside its calls", "pages": len(overheads), "median_ms": at(0.5), "p95_ms": at(0.95),
	})
}

// timed is a ledger that knows how long the calls took.
type timed struct {
	*records.Store
	spent time.Duration
}

func (l *timed) RecordCall(ctx context.Context, c ledger.Call) error {
	l.spent += c.Latency
	return l.Store.RecordCall(ctx, c)
}

func translateChapter(b *testing.B) (overheads []time.Duration) {
	b.Helper()
	r := newRig(b)
	server := llmtest.New(b)
	account := &timed{Store: r.records.Store}
	translator, err := translate.New(translate.Config{Provider: provider.Config{
		Kind: provider.OpenAI, BaseURL: server.OpenAIURL(), Model: server.Model(),
	}}, account, slog.New(slog.DiscardHandler))
	require.NoError(b, err)
	r.env = r.process(comicsteps.New(comicsteps.Deps{
		Host:        r.host(),
		Engine:      comicsteps.EngineOf(r.engine),
		Translators: func(context.Context, comic.Options) (translate.Translator, error) { return translator, nil },
	}))
	for _, p := range r.chapter(benchPages) {
		found := r.detect(p)
		account.spent = 0
		began := time.Now()
		r.translate(p, found)
		overheads = append(overheads, time.Since(began)-account.spent)
	}
	return overheads
}

// chapter writes a task of n pages with 12 lines each.
func (r *rig) chapter(n int) []core.Item {
	r.t.Helper()
	var pages []string
	for i := range n {
		var lines []string
		for k := range 12 {
			lines = append(lines, fmt.Sprintf("%d頁の台詞その%d、すこし長いよ", i, k))
		}
		pages = append(pages, strings.Join(lines, "\n"))
	}
	return r.chapterOf(pages)
}

// chapterOf writes a task with these pages, each the lines of its texts.
func (r *rig) chapterOf(pages []string) []core.Item {
	r.t.Helper()
	id := uuid.NewString()
	task := records.NewTask{ID: id, Tenant: "tenant", Kind: comic.Kind, Options: options.JSON()}
	for i, lines := range pages {
		task.Items = append(task.Items, core.Item{
			TaskID: id, Tenant: "tenant", Index: i, Name: fmt.Sprintf("%03d.png", i), Blob: r.put(enginetest.Page(strings.Split(lines, "\n")...)),
		})
	}
	_, _, err := r.records.CreateTask(r.t.Context(), task)
	require.NoError(r.t, err)
	require.NoError(r.t, r.records.StartTask(r.t.Context(), core.StartTaskInput{TaskID: id}))
	return task.Items
}
