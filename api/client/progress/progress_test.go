package progress

import (
	"bytes"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/vbauerster/mpb/v8"

	"plait/api/schema"
	"plait/internal/comic"
	"plait/internal/core"
)

func taskOf(status core.Status, detected, translated, done int, pages ...schema.Page) schema.Task {
	left := int64(4000)
	return schema.Task{
		ID: "t", Title: "book", From: "ja", To: "en", Status: status, TotalCount: len(pages), Pages: pages,
		Progress: schema.Progress{Detected: detected, Translated: translated, Done: done, Total: len(pages), ElapsedMS: 61_000, EstimatedMS: &left},
	}
}

func TestBarsShowEveryStageAndWhatFailed(t *testing.T) {
	var out bytes.Buffer
	d := NewBars(&out, mpb.WithAutoRefresh())
	d.Part("postgres", "ready")
	bad := schema.Page{Index: 1, Name: "02.png", Status: core.StatusError, Failure: &schema.Failure{Stage: comic.StageDetect, Message: "it is truncated"}}
	good := schema.Page{Index: 0, Name: "01.png", Status: core.StatusSuccess, Regions: 1}
	d.Task(taskOf(core.StatusRunning, 1, 1, 0, schema.Page{Name: "01.png"}, schema.Page{Index: 1, Name: "02.png"}))
	d.Task(taskOf(core.StatusPartial, 2, 2, 2, good, bad))
	d.End("1 of 2 pages in 1:01")
	for _, want := range []string{"postgres", "book · ja → en · 2 pages", "Read", "Translate", "Letter", "1:01", "02.png: failed in detect: it is truncated", "1 of 2 pages in 1:01"} {
		require.Contains(t, out.String(), want)
	}
}

func TestPlainLinesNameEachPageOnce(t *testing.T) {
	var out bytes.Buffer
	d := NewLines(&out)
	page := schema.Page{Name: "01.png", Status: core.StatusSuccess, Regions: 2, Mode: comic.ModeFallback}
	d.Task(taskOf(core.StatusRunning, 1, 1, 1, page, schema.Page{Index: 1, Name: "02.png"}))
	d.Task(taskOf(core.StatusRunning, 1, 1, 1, page, schema.Page{Index: 1, Name: "02.png"}))
	require.Equal(t, "[1/2] 01.png: 2 texts, by the fallback  (0:00, about 0:04 left)\n", out.String())
}

func TestTheSummaryNamesCharactersThatNoFontHas(t *testing.T) {
	said := Summary(taskOf(core.StatusSuccess, 2, 2, 2,
		schema.Page{Name: "01.png", Status: core.StatusSuccess}, schema.Page{Index: 1, Name: "02.png", Status: core.StatusSuccess, Missing: "ᚠ"}))
	require.Contains(t, said, "02.png: no font has U+16A0 ᚠ: left out")
	require.NotContains(t, strings.Join(said, "\n"), "01.png")
}

func TestAPauseIsToldOnceInLinesAndBars(t *testing.T) {
	page := schema.Page{Name: "01.png"}
	for name, open := range map[string]func(*bytes.Buffer) Display{
		"lines": func(b *bytes.Buffer) Display { return NewLines(b) },
		"bars":  func(b *bytes.Buffer) Display { return NewBars(b, mpb.WithAutoRefresh()) },
	} {
		var out bytes.Buffer
		d := open(&out)
		for _, status := range []core.Status{
			core.StatusRunning, core.StatusPaused, core.StatusPaused, core.StatusRunning, core.StatusPaused,
		} {
			d.Task(taskOf(status, 0, 0, 0, page))
		}
		d.End("end")
		require.Equal(t, 2, strings.Count(out.String(), "Paused: plait resume t has it go on."), name)
	}
}
