package comicclient_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"github.com/vbauerster/mpb/v8"

	"plait/api/client/progress"
	comicclient "plait/api/comic/client"
	comicschema "plait/api/comic/schema"
	"plait/api/schema"
	"plait/internal/comic"
	"plait/internal/core"
)

var words = progress.Kinds{comic.Kind: comicclient.Progress()}

func raw(v any) json.RawMessage {
	b, err := json.Marshal(v)
	if err != nil {
		panic(err)
	}
	return b
}

func taskOf(status core.Status, detected, translated, done int, pages ...comicschema.Page) schema.Task {
	left := int64(4000)
	t := schema.Task{
		ID: "t", Kind: comic.Kind, Title: "book", Status: status, TotalCount: len(pages),
		Options:  raw(comicschema.Options{From: "ja", To: "en"}),
		Details:  raw(comicschema.TaskDetails{Detected: detected, Translated: translated}),
		Progress: schema.Progress{Done: done, Total: len(pages), ElapsedMS: 61_000, EstimatedMS: &left},
	}
	for _, p := range pages {
		p.Details = raw(p.PageDetails)
		t.Items = append(t.Items, p.Item)
	}
	return t
}

// page is a page that has come so far.
func page(index int, status core.Status, d comicschema.PageDetails) comicschema.Page {
	return comicschema.Page{Item: schema.Item{Index: index, Name: fmt.Sprintf("%02d.png", index+1), Status: status}, PageDetails: d}
}

func TestBarsShowEveryStageAndWhatFailed(t *testing.T) {
	var out bytes.Buffer
	d := progress.NewBars(&out, words, mpb.WithAutoRefresh())
	d.Part("postgres", "ready")
	bad := page(1, core.StatusError, comicschema.PageDetails{})
	bad.Failure = &schema.Failure{Stage: comic.StageDetect, Message: "it is truncated"}
	good := page(0, core.StatusSuccess, comicschema.PageDetails{Regions: 1})
	d.Task(taskOf(core.StatusRunning, 1, 1, 0, page(0, "", comicschema.PageDetails{}), page(1, "", comicschema.PageDetails{})))
	d.Task(taskOf(core.StatusPartial, 2, 2, 2, good, bad))
	d.End("1 of 2 pages in 1:01")
	for _, want := range []string{"postgres", "book · ja → en · 2 pages", "Read", "Translate", "Letter", "1:01", "02.png: failed in detect: it is truncated", "1 of 2 pages in 1:01"} {
		require.Contains(t, out.String(), want)
	}
}

func TestBarsShowWhenAQueuedTaskStarts(t *testing.T) {
	for want, start := range map[string]time.Duration{"0:00, starts in 1:00": time.Minute, "0:00, number 3 in queue": 0} {
		queued := taskOf(core.StatusQueued, 0, 0, 0, page(0, "", comicschema.PageDetails{}))
		queued.Progress = schema.Progress{Total: 1, QueuePosition: 3}
		if start > 0 {
			at := time.Now().Add(start)
			queued.Progress.EstimatedStart = &at
		}
		var out bytes.Buffer
		d := progress.NewBars(&out, words, mpb.WithAutoRefresh())
		d.Task(queued)
		d.End()
		require.Contains(t, out.String(), want)
	}
}

func TestPlainLinesNameEachPageOnce(t *testing.T) {
	var out bytes.Buffer
	d := progress.NewLines(&out, words)
	first, second := page(0, core.StatusSuccess, comicschema.PageDetails{Regions: 2}), page(1, "", comicschema.PageDetails{})
	first.Mode = comic.ModeFallback
	d.Task(taskOf(core.StatusRunning, 1, 1, 1, first, second))
	d.Task(taskOf(core.StatusRunning, 1, 1, 1, first, second))
	require.Equal(t, "[1/2] 01.png: 2 texts, by the fallback  (0:00, about 0:04 left)\n", out.String())
}

func TestTheSummaryNamesCharactersThatNoFontHas(t *testing.T) {
	said := words.Summary(taskOf(core.StatusSuccess, 2, 2, 2,
		page(0, core.StatusSuccess, comicschema.PageDetails{}), page(1, core.StatusSuccess, comicschema.PageDetails{Missing: "ᚠ"})))
	require.Contains(t, said, "02.png: no font has U+16A0 ᚠ: left out")
	require.NotContains(t, strings.Join(said, "\n"), "01.png")
}

// persons are the displays for persons, by name.
var persons = map[string]func(*bytes.Buffer) progress.Display{
	"lines": func(b *bytes.Buffer) progress.Display { return progress.NewLines(b, words) },
	"bars":  func(b *bytes.Buffer) progress.Display { return progress.NewBars(b, words, mpb.WithAutoRefresh()) },
}

func TestAPauseIsToldOnceInLinesAndBars(t *testing.T) {
	first := page(0, "", comicschema.PageDetails{})
	for name, open := range persons {
		var out bytes.Buffer
		d := open(&out)
		for _, status := range []core.Status{
			core.StatusRunning, core.StatusPaused, core.StatusPaused, core.StatusRunning, core.StatusPaused,
		} {
			d.Task(taskOf(status, 0, 0, 0, first))
		}
		d.End("end")
		require.Equal(t, 2, strings.Count(out.String(), "Paused: plait resume t has it go on."), name)
	}
}

func TestAFailureThatIsTriedAgainIsToldOnceAnItem(t *testing.T) {
	for name, open := range persons {
		var out bytes.Buffer
		d := open(&out)
		show := func(done int, message string) {
			task := taskOf(core.StatusRunning, done, done, done, page(0, "", comicschema.PageDetails{}), page(1, "", comicschema.PageDetails{}))
			if message != "" {
				task.Progress.Trouble = &schema.Trouble{ItemIndex: 1, Message: message}
			}
			d.Task(task)
		}
		show(0, "the model does not answer")
		show(0, "")
		show(0, "the model does not answer")
		show(0, "too many requests")
		show(1, "too many requests")
		d.End("end")
		require.Equal(t, 1, strings.Count(out.String(), "Trying page 2 again: the model does not answer\n"), name)
		require.Equal(t, 2, strings.Count(out.String(), "Trying page 2 again: too many requests\n"), name)
	}
}
