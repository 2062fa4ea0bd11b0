package records

import (
	"context"

	"github.com/jackc/pgx/v5"

	"plait/internal/translate/glossary"
)

// SetGlossary replaces the glossary for translations into a language: of one task of the tenant, or of all where taskID is empty.
// No entries remove it. It fails with [core.CodeNotFound] for a task that the tenant does not have.
func (s *Store) SetGlossary(ctx context.Context, tenant, taskID, to string, entries []glossary.Entry) error {
	if taskID != "" {
		if _, err := s.Task(ctx, tenant, taskID); err != nil {
			return err
		}
	}
	args := pgx.NamedArgs{"tenant": tenant, "task": taskID, "to": to, "entries": entries}
	if len(entries) == 0 {
		_, err := s.pool.Exec(ctx, `DELETE FROM glossary
			WHERE tenant = @tenant AND task_id IS NOT DISTINCT FROM nullif(@task, '') AND to_lang = @to`, args)
		return wrap(err, "remove a glossary")
	}
	_, err := s.pool.Exec(ctx, `INSERT INTO glossary (tenant, task_id, to_lang, entries) VALUES (@tenant, nullif(@task, ''), @to, @entries)
		ON CONFLICT (tenant, task_id, to_lang) DO UPDATE SET entries = excluded.entries, updated_at = now()`, args)
	return wrap(err, "set a glossary")
}

// selectGlossary puts the list of the task before that of the tenant.
const selectGlossary = `SELECT entries FROM glossary
	WHERE tenant = @tenant AND to_lang = @to AND (task_id IS NULL OR task_id = @task) ORDER BY task_id NULLS LAST`

// Glossary reads the entries for a task: its own, and those of its tenant for sources that these do not name.
func (s *Store) Glossary(ctx context.Context, tenant, taskID, to string) ([]glossary.Entry, error) {
	rows, err := s.pool.Query(ctx, selectGlossary, pgx.NamedArgs{"tenant": tenant, "task": taskID, "to": to})
	if err != nil {
		return nil, wrap(err, "read a glossary")
	}
	entries, err := collectGlossary(rows)
	return entries, wrap(err, "read a glossary")
}

func collectGlossary(rows pgx.Rows) ([]glossary.Entry, error) {
	lists, err := pgx.CollectRows(rows, pgx.RowTo[[]glossary.Entry])
	if err != nil || len(lists) == 0 {
		return nil, err
	}
	var entries []glossary.Entry
	named := map[string]bool{}
	for _, list := range lists {
		for _, e := range list {
			if !named[e.Source] {
				entries = append(entries, e)
			}
			named[e.Source] = true
		}
	}
	return entries, nil
}
