package documentrecords_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"plait/internal/core"
	"plait/internal/document"
	"plait/internal/document/estimate"
	"plait/internal/records"
	documentrecords "plait/internal/records/document"
	"plait/internal/records/recordstest"
	"plait/internal/stack/stacktest"
	"plait/internal/translate/ledger"
)

func TestMain(m *testing.M) { stacktest.Main(m) }

type fixture struct {
	documentrecords.Store
	recordstest.Fixture
}

func open(t *testing.T) fixture {
	t.Helper()
	t.Parallel()
	store, f := recordstest.NewFixture(t)
	return fixture{documentrecords.New(store), f}
}

func (f fixture) running(n int) records.NewTask {
	options := document.Options{From: "en", To: "zh", Mode: document.ModeConcurrent, Total: n}
	for i := range n {
		options.Pages = append(options.Pages, i)
	}
	return f.Running(recordstest.NewTask(document.Kind, options.JSON(), n))
}

func runOf(page core.Item, stage core.Stage, attempt int) records.StageRun {
	return records.StageRun{Item: page, Stage: stage, Rank: document.Rank(stage), Attempt: attempt, Mode: document.ModeConcurrent, Host: "cpu-1"}
}

// layout writes a page with a heading, a paragraph with a formula, a cell, an empty cell and a number.
func (f fixture) layout(page core.Item, attempt int, paragraph string) {
	f.T.Helper()
	run := runOf(page, document.StageLayout, attempt)
	f.Begin(run)
	cell := func(row, column int) *document.Cell {
		return &document.Cell{Row: row, Column: column, RowSpan: 1, ColumnSpan: 1}
	}
	require.NoError(f.T, f.SaveLayout(f.T.Context(), run, documentrecords.Layout{
		Page: documentrecords.PageInfo{Number: page.Index, Label: "iv", Width: 595, Height: 842, Rotate: 90, ContentHash: "h"},
		Blocks: []document.Block{
			{Index: 0, Class: document.ClassTitle, Text: "A heading", Size: 14},
			{Index: 1, Class: document.ClassText, Text: paragraph, Size: 10, Formulas: make([]document.Formula, 1), Glyphs: []int{3, 4}},
			{Index: 2, Class: document.ClassTable, Text: "Name", Size: 8, Cell: cell(0, 0)},
			{Index: 3, Class: document.ClassTable, Cell: cell(0, 1), Untranslated: document.ReasonEmpty},
			{Index: 4, Class: document.ClassTable, Text: "12.5", Cell: cell(1, 0), Untranslated: document.ReasonNoText},
		},
		CountTokens: func(text string) int { return len(text) }, Elapsed: core.ElapsedMS{"total": 7},
	}))
}

func (f fixture) translate(page core.Item, texts ...core.Translation) {
	f.T.Helper()
	run := runOf(page, document.StageTranslate, 1)
	f.Begin(run)
	require.NoError(f.T, f.SaveTranslations(f.T.Context(), run, documentrecords.Translations{
		List: texts, Provider: "openai", Model: "m", Estimated: &core.Usage{Calls: 3}, Elapsed: core.ElapsedMS{"total": 9},
	}))
}

func TestAPageGoesThroughItsStages(t *testing.T) {
	f := open(t)
	ctx := t.Context()
	page := f.running(1).Items[0]
	f.layout(page, 1, "Let {v0} be")
	found, err := f.Blocks(ctx, page.TaskID, 0)
	require.NoError(t, err)
	require.Len(t, found, 5)
	require.Equal(t, []int{3, 4}, found[1].Glyphs)
	require.Equal(t, "empty", found[3].Reason)

	f.translate(page, core.Translation{Index: 0, Text: "标题"}, core.Translation{Index: 1, Untranslated: core.UntranslatedForm}, core.Translation{Index: 2, Text: "名\x00称"})
	run := runOf(page, document.StageTypeset, 1)
	f.Begin(run)
	result := recordstest.BlobOf("edit")
	require.NoError(t, f.HoldBlobs(ctx, page.TaskID, []core.BlobRef{result}))
	require.NoError(t, f.FinishPage(ctx, run, documentrecords.Set{
		Result: result, Mode: document.ModeConcurrent, Overflow: 1, Scales: []documentrecords.BlockScale{{Index: 0, Scale: 0.5}},
		Unset: []documentrecords.BlockReason{{Index: 2, Reason: document.ReasonNoFont}},
	}))
	p, err := f.Page(ctx, page.TaskID, 0)
	require.NoError(t, err)
	require.Equal(t, core.StatusSuccess, p.Status)
	require.Equal(t, result, p.Result)
	require.Equal(t, documentrecords.PageInfo{Label: "iv", Width: 595, Height: 842, Rotate: 90, ContentHash: "h"}, p.PageInfo)
	counts := document.Counts{
		Paragraphs: document.Count{Total: 2, Translated: 1, SkippedFailed: 1},
		Cells:      document.Count{Total: 3, SkippedEmpty: 1, SkippedNoText: 1, SkippedFailed: 1},
	}
	require.Equal(t, counts, p.Counts)
	require.Equal(t, 1, p.Overflow)
	scales, err := f.Scales(ctx, page.TaskID)
	require.NoError(t, err)
	require.Equal(t, []documentrecords.Scale{{Class: document.ClassTitle, Size: 14, Scale: 0.5}}, scales)
	progress, err := f.Progress(ctx, page.TaskID, "absent")
	require.NoError(t, err)
	require.Equal(t, map[string]documentrecords.Progress{page.TaskID: {LaidOut: 1, Translated: 1, Counts: counts, Overflow: 1}}, progress)
}

// A part of a paragraph that begins on the page before is not counted again, unless it alone stays as it was.
func TestAParagraphOverPagesCountsOnce(t *testing.T) {
	f := open(t)
	ctx := t.Context()
	page := f.running(1).Items[0]
	f.layout(page, 1, "went on.")
	run := runOf(page, document.StageTranslate, 1)
	f.Begin(run)
	save := func(part core.Translation) document.Count {
		require.NoError(t, f.SaveTranslations(ctx, run, documentrecords.Translations{
			List: []core.Translation{{Index: 0, Text: "标题"}, part}, Continuing: []int{1}, Provider: "openai",
		}))
		p, err := f.Page(ctx, page.TaskID, 0)
		require.NoError(t, err)
		report, err := f.Report(ctx, page.TaskID)
		require.NoError(t, err)
		require.Equal(t, p.Paragraphs, report.Paragraphs)
		return p.Paragraphs
	}
	require.Equal(t, document.Count{Total: 1, Translated: 1}, save(core.Translation{Index: 1, Text: "继续。"}))
	require.Equal(t, document.Count{Total: 2, Translated: 1, SkippedFailed: 1}, save(core.Translation{Index: 1, Untranslated: core.UntranslatedForm}))
	texts, err := f.Texts(ctx, page.TaskID)
	require.NoError(t, err)
	require.Equal(t, 1, texts[0].Paragraphs)
}

// A repeated layout keeps what was paid for, where the text is the same.
func TestARepeatedLayoutKeepsTranslations(t *testing.T) {
	f := open(t)
	page := f.running(1).Items[0]
	f.layout(page, 1, "Let {v0} be")
	f.translate(page, core.Translation{Index: 0, Text: "标题"}, core.Translation{Index: 1, Text: "设 {v0}"}, core.Translation{Index: 2, Text: "名称"})
	// A page that is laid out again within its typeset has another paragraph.
	run := runOf(page, document.StageTypeset, 1)
	f.Begin(run)
	require.NoError(t, f.SaveLayout(t.Context(), run, documentrecords.Layout{
		Blocks: []document.Block{{Index: 0, Text: "A heading"}, {Index: 1, Text: "Another"}}, CountTokens: func(string) int { return 1 },
	}))
	blocks, err := f.Blocks(t.Context(), page.TaskID, 0)
	require.NoError(t, err)
	require.Len(t, blocks, 2)
	require.Equal(t, "标题", blocks[0].Translation)
	require.Empty(t, blocks[1].Translation)
}

func TestAModelIsToldTheParagraphsBefore(t *testing.T) {
	f := open(t)
	task := f.running(2)
	f.layout(task.Items[0], 1, "The last paragraph")
	c, err := f.PromptContext(t.Context(), task.Items[1], "zh")
	require.NoError(t, err)
	require.Equal(t, []string{"The last paragraph"}, c.Before)
	c, err = f.PromptContext(t.Context(), task.Items[0], "zh")
	require.NoError(t, err)
	require.Empty(t, c.Before)
}

func TestAReportComparesWithTheEstimate(t *testing.T) {
	f := open(t)
	ctx := t.Context()
	task := f.running(2)
	for _, page := range task.Items {
		f.layout(page, 1, "Let {v0} be")
		f.translate(page, core.Translation{Index: 0, Text: "标题"}, core.Translation{Index: 1, Untranslated: core.UntranslatedMissing}, core.Translation{Index: 2, Text: "名称"})
	}
	texts, err := f.Texts(ctx, task.ID)
	require.NoError(t, err)
	onPage := estimate.Texts{Paragraphs: 2, ParagraphTokens: 20, Cells: 1, CellTokens: 4}
	require.Equal(t, []estimate.Page{{Number: 1, Texts: onPage}, {Number: 2, Texts: onPage}}, texts)
	require.NoError(t, f.SaveEstimate(ctx, task.ID, documentrecords.Estimate{
		Estimate: estimate.Estimate{InputTokens: 60, OutputTokens: 40, Seconds: 2}, Model: estimate.Model{PromptTokens: 10}, Threads: 4, TableThreads: 50,
	}))
	for i, key := range []string{"a", "b"} {
		require.NoError(t, f.RecordCall(ctx, ledger.Call{
			Key: key, Tenant: recordstest.Tenant, TaskID: task.ID, Page: i, Provider: "openai", Model: "m", StartedAt: time.Now(),
			Outcome: ledger.OutcomeOK, Answer: ledger.Answer{Text: "x", InputTokens: 50, OutputTokens: 10},
		}))
	}
	r, err := f.Report(ctx, task.ID)
	require.NoError(t, err)
	require.NotNil(t, r.StartedAt)
	require.GreaterOrEqual(t, r.TranslationSeconds, 0.0)
	rate, deviation := 2.0/3, 0.2
	require.InDelta(t, rate, *r.SuccessRate, 1e-3)
	require.InDelta(t, deviation, *r.TokenDeviation, 1e-3)
	r.StartedAt, r.TranslationSeconds, r.SuccessRate, r.TokenDeviation, r.TimeDeviation = nil, 0, nil, nil, nil
	require.Equal(t, document.Report{
		Service: "openai", Model: "m", Threads: 4, TableThreads: 50, Calls: 2, InputTokens: 100, OutputTokens: 20, TotalTokens: 120, TokensFrom: "provider",
		EstimatedInputTokens: 60, EstimatedOutputTokens: 40, EstimatedSeconds: 2,
		Counts: document.Counts{
			Paragraphs: document.Count{Total: 4, Translated: 2, SkippedFailed: 2},
			Cells:      document.Count{Total: 6, Translated: 2, SkippedEmpty: 2, SkippedNoText: 2},
		},
	}, r)
	require.Equal(t, []string{"4 50"}, f.Rows(`SELECT concat_ws(' ', threads, table_threads) FROM document_report`))
	_, err = f.Report(ctx, "absent")
	recordstest.RequireCode(t, core.CodeNotFound, err)
}

func TestResultsReplaceThoseOfAnEarlierAttempt(t *testing.T) {
	f := open(t)
	ctx := t.Context()
	task := f.running(1)
	blobs := []core.BlobRef{recordstest.BlobOf("mono"), recordstest.BlobOf("dual")}
	require.NoError(t, f.HoldBlobs(ctx, task.ID, blobs))
	require.NoError(t, f.SaveResult(ctx, task.ID, []records.File{{Name: "a.zh.pdf", Blob: blobs[1]}}))
	files := []records.File{
		{Role: documentrecords.RoleResult, Name: "a.zh.pdf", Blob: blobs[0]}, {Role: documentrecords.RoleResult, Position: 1, Name: "a.zh.dual.pdf", Blob: blobs[1]},
	}
	require.NoError(t, f.SaveResult(ctx, task.ID, files))
	got, err := f.Files(ctx, task.ID, documentrecords.RoleResult)
	require.NoError(t, err)
	require.Equal(t, files, got)
	require.Empty(t, f.Rows(`SELECT blob FROM blob_lease`), "the rows name them now")

	// The task fails, for its result could not be delivered, and says so.
	result, err := f.FinishTask(ctx, core.FinishTaskInput{TaskID: task.ID, Failure: &core.Failure{Stage: document.StageWrite, Code: core.CodeInvalidDocument, Message: "why"}})
	require.NoError(t, err)
	require.Equal(t, core.StatusError, result.Status)
	require.Equal(t, &core.Failure{Stage: document.StageWrite, Code: core.CodeInvalidDocument, Message: "why"}, f.TaskOf(task.ID).Failure)
	require.NoError(t, f.SaveResult(ctx, task.ID, nil))
	got, err = f.Files(ctx, task.ID, documentrecords.RoleResult)
	require.NoError(t, err)
	require.Equal(t, files, got, "a late attempt changes nothing")
}
