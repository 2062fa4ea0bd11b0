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
	if len(entries) == 0 {
		_, err := s.pool.Exec(ctx, `DELETE FROM glossary
			WHERE tenant = @tenant AND task_id IS NOT DISTINCT FROM nullif(@task, '') AND to_lang = @to`,
			pgx.NamedArgs{"tenant": tenant, "task": taskID, "to": to})
		return Wrap(err, "remove a glossary")
	}
	set := PutGlossary(tenant, taskID, to, entries)
	_, err := s.pool.Exec(ctx, set.SQL, set.Args)
	return Wrap(err, "set a glossary")
}

// PutGlossary is the statement that sets a glossary, which is not empty, as [Store.SetGlossary] does.
func PutGlossary(tenant, taskID, to string, entries []glossary.Entry) Statement {
	return Statement{
		SQL: `INSERT INTO glossary (tenant, task_id, to_lang, entries) VALUES (@tenant, nullif(@task, ''), @to, @entries)
			ON CONFLICT (tenant, task_id, to_lang) DO UPDATE SET entries = excluded.entries, updated_at = now()`,
		Args: pgx.NamedArgs{"tenant": tenant, "task": taskID, "to": to, "entries": entries},
	}
}

// ReadGlossary is the statement that reads what [Store.Glossary] returns into entries.
func ReadGlossary(tenant, taskID, to string, entries *[]glossary.Entry) Statement {
	return Statement{
		// The list of the task comes before that of the tenant.
		SQL: `SELECT entries FROM glossary
			WHERE tenant = @tenant AND to_lang = @to AND (task_id IS NULL OR task_id = @task) ORDER BY task_id NULLS LAST`,
		Args: pgx.NamedArgs{"tenant": tenant, "task": taskID, "to": to},
		Read: func(rows pgx.Rows) (err error) {
			*entries, err = collectGlossary(rows)
			return err
		},
	}
}

// Glossary reads the entries for a task: its own, and those of its tenant for sources that its own do not name.
func (s *Store) Glossary(ctx context.Context, tenant, taskID, to string) (entries []glossary.Entry, err error) {
	err = s.Read(ctx, ReadGlossary(tenant, taskID, to, &entries))
	return entries, Wrap(err, "read a glossary")
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

// PutSynopsis is the statement that sets the synopsis of a task, of 1 to 2,000 characters.
func PutSynopsis(taskID, synopsis string) Statement {
	return Statement{
		SQL: `INSERT INTO synopsis (task_id, synopsis) VALUES (@task, @synopsis)
			ON CONFLICT (task_id) DO UPDATE SET synopsis = excluded.synopsis`,
		Args: pgx.NamedArgs{"task": taskID, "synopsis": Clean(synopsis)},
	}
}

// ReadSynopsis is the statement that reads the synopsis of a task; it leaves synopsis as it is when the task has none.
func ReadSynopsis(taskID string, synopsis *string) Statement {
	return Statement{
		SQL: `SELECT synopsis FROM synopsis WHERE task_id = @task`, Args: pgx.NamedArgs{"task": taskID},
		Read: func(rows pgx.Rows) error {
			_, err := pgx.ForEachRow(rows, []any{synopsis}, func() error { return nil })
			return err
		},
	}
}
