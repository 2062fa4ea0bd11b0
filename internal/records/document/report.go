package documentrecords

import (
	"context"
	"errors"

	"github.com/jackc/pgx/v5"

	"plait/internal/core"
	"plait/internal/document"
	"plait/internal/document/estimate"
	"plait/internal/records"
)

// Texts reads the number of texts of each page of a task and their tokens, in page order. A paragraph counts where it begins.
func (s Store) Texts(ctx context.Context, taskID string) (list []estimate.Page, err error) {
	err = s.Read(ctx, records.Statement{
		SQL: `SELECT p.page_index + 1, count(b) FILTER (WHERE b.table_index IS NULL AND NOT b.continues),
				coalesce(sum(b.tokens) FILTER (WHERE b.table_index IS NULL), 0),
				count(b) FILTER (WHERE b.table_index IS NOT NULL), coalesce(sum(b.tokens) FILTER (WHERE b.table_index IS NOT NULL), 0)
			FROM document_page p LEFT JOIN document_block b ON b.task_id = p.task_id AND b.item_index = p.item_index AND b.tokens > 0
			WHERE p.task_id = @task GROUP BY p.page_index ORDER BY p.page_index`,
		Args: pgx.NamedArgs{"task": taskID},
		Read: records.All(&list, func(row pgx.CollectableRow) (p estimate.Page, err error) {
			return p, row.Scan(&p.Number, &p.Paragraphs, &p.ParagraphTokens, &p.Cells, &p.CellTokens)
		}),
	})
	return list, records.Wrap(err, "count the texts of a document")
}

// Estimate is what a task was expected to take.
type Estimate struct {
	estimate.Estimate
	Model estimate.Model
	// Threads and TableThreads are the numbers of texts and of table cells of a page that are translated at the same time, at most.
	Threads, TableThreads int
}

// SaveEstimate writes what a task was expected to take.
func (s Store) SaveEstimate(ctx context.Context, taskID string, e Estimate) error {
	_, err := s.Write(ctx, taskID, records.Statement{
		SQL: `INSERT INTO document_estimate (task_id, threads, table_threads, reasoning, prompt_tokens, input_tokens, output_tokens, seconds)
			VALUES (@task, @threads, @table_threads, @reasoning, @prompt, @input, @output, @seconds)
			ON CONFLICT (task_id) DO UPDATE SET threads = excluded.threads, table_threads = excluded.table_threads, reasoning = excluded.reasoning,
				prompt_tokens = excluded.prompt_tokens, input_tokens = excluded.input_tokens, output_tokens = excluded.output_tokens,
				seconds = excluded.seconds, created_at = now()`,
		Args: pgx.NamedArgs{
			"task": taskID, "threads": e.Threads, "table_threads": e.TableThreads, "reasoning": e.Model.Reasoning, "prompt": e.Model.PromptTokens,
			"input": e.InputTokens, "output": e.OutputTokens, "seconds": e.Seconds,
		},
	})
	return records.Wrap(err, "save an estimate")
}

const selectReport = `
SELECT started_at, ended_at, coalesce(translation_seconds, 0), coalesce(provider, ''), coalesce(model, ''), coalesce(threads, 0),
	coalesce(table_threads, 0), llm_call_count, actual_input_tokens, actual_output_tokens, actual_total_tokens, coalesce(tokens_from, ''),
	coalesce(estimated_input_tokens, 0), coalesce(estimated_output_tokens, 0), coalesce(estimated_seconds, 0),
	token_deviation::double precision, time_deviation::double precision,
	paragraphs_total, paragraphs_translated, paragraphs_skipped_empty, paragraphs_skipped_formula, paragraphs_skipped_no_text,
	paragraphs_skipped_failed,
	cells_total, cells_translated, cells_skipped_empty, cells_skipped_formula, cells_skipped_no_text, cells_skipped_failed,
	success_rate::double precision
FROM document_report WHERE task_id = @task`

// Report reads the report of a task. It fails with [core.CodeNotFound] for a task of another kind.
func (s Store) Report(ctx context.Context, taskID string) (r document.Report, err error) {
	err = s.Read(ctx, records.Statement{SQL: selectReport, Args: pgx.NamedArgs{"task": taskID}, Read: records.One(&r, scanReport)})
	if errors.Is(err, pgx.ErrNoRows) {
		return r, core.Errorf(core.CodeNotFound, "there is no document %s", taskID)
	}
	return r, records.Wrap(err, "read the report of a document")
}

func scanReport(row pgx.CollectableRow) (r document.Report, err error) {
	p, c := &r.Paragraphs, &r.Cells
	return r, row.Scan(&r.StartedAt, &r.EndedAt, &r.TranslationSeconds, &r.Service, &r.Model, &r.Threads, &r.TableThreads,
		&r.Calls, &r.InputTokens, &r.OutputTokens, &r.TotalTokens, &r.TokensFrom,
		&r.EstimatedInputTokens, &r.EstimatedOutputTokens, &r.EstimatedSeconds, &r.TokenDeviation, &r.TimeDeviation,
		&p.Total, &p.Translated, &p.SkippedEmpty, &p.SkippedFormula, &p.SkippedNoText, &p.SkippedFailed,
		&c.Total, &c.Translated, &c.SkippedEmpty, &c.SkippedFormula, &c.SkippedNoText, &c.SkippedFailed, &r.SuccessRate)
}
