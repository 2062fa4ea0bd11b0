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
	set := putOrRemoveGlossary(tenant, taskID, to, entries)
	_, err := s.pool.Exec(ctx, set.SQL, set.Args)
	return Wrap(err, "set a glossary")
}

// putOrRemoveGlossary is the statement that sets a glossary, and removes it where there are no entries.
func putOrRemoveGlossary(tenant, taskID, to string, entries []glossary.Entry) Statement {
	if len(entries) > 0 {
		return PutGlossary(tenant, taskID, to, entries)
	}
	return Statement{
		SQL:  `DELETE FROM glossary WHERE tenant = @tenant AND task_id IS NOT DISTINCT FROM nullif(@task, '') AND to_lang = @to`,
		Args: pgx.NamedArgs{"tenant": tenant, "task": taskID, "to": to},
	}
}

// PutGlossary is the statement that sets a glossary, which is not empty, as [Store.SetGlossary] does.
func PutGlossary(tenant, taskID, to string, entries []glossary.Entry) Statement {
	return Statement{
		SQL: `INSERT INTO glossary (tenant, task_id, to_lang, entries) VALUES (@tenant, nullif(@task, ''), @to, @entries)
			ON CONFLICT (tenant, task_id, to_lang) DO UPDATE SET entries = excluded.entries, updated_at = now()`,
		Args: pgx.NamedArgs{"tenant": tenant, "task": taskID, "to": to, "entries": entries},
	}
}

// EditGlossary makes changes to a glossary, as [glossary.Apply] does; it is that of one task of the tenant, or of all where taskID is empty. It
// fails as Apply does, and with [core.CodeNotFound] for a task that the tenant does not have.
func (s *Store) EditGlossary(ctx context.Context, tenant, taskID, to string, changes []glossary.Change) error {
	if taskID != "" {
		if _, err := s.Task(ctx, tenant, taskID); err != nil {
			return err
		}
	}
	err := s.Transact(ctx, func(tx pgx.Tx) error {
		args := pgx.NamedArgs{"tenant": tenant, "task": taskID, "to": to}
		var entries []glossary.Entry
		// The row is locked until the end of the transaction, also one that was not there.
		err := tx.QueryRow(ctx, `INSERT INTO glossary (tenant, task_id, to_lang, entries) VALUES (@tenant, nullif(@task, ''), @to, '[]')
			ON CONFLICT (tenant, task_id, to_lang) DO UPDATE SET updated_at = now() RETURNING entries`, args).Scan(&entries)
		if err != nil {
			return err
		}
		if entries, err = glossary.Apply(entries, changes); err != nil {
			return err
		}
		set := putOrRemoveGlossary(tenant, taskID, to, entries)
		_, err = tx.Exec(ctx, set.SQL, set.Args)
		return err
	})
	return Wrap(err, "edit a glossary")
}

// Glossaries are the entries for a task into a language: its own, and those of its tenant, which count for sources that its own do not name.
type Glossaries struct{ Own, Tenant []glossary.Entry }

// Glossaries reads the entries for a task, apart. Without a task there are those of the tenant alone.
func (s *Store) Glossaries(ctx context.Context, tenant, taskID, to string) (g Glossaries, err error) {
	err = s.Read(ctx, readGlossaries(tenant, taskID, to, &g))
	return g, Wrap(err, "read a glossary")
}

func readGlossaries(tenant, taskID, to string, g *Glossaries) Statement {
	return Statement{
		SQL: `SELECT task_id IS NOT NULL, entries FROM glossary
			WHERE tenant = @tenant AND to_lang = @to AND (task_id IS NULL OR task_id = @task)`,
		Args: pgx.NamedArgs{"tenant": tenant, "task": taskID, "to": to},
		Read: func(rows pgx.Rows) error {
			var own bool
			var entries []glossary.Entry
			_, err := pgx.ForEachRow(rows, []any{&own, &entries}, func() error {
				list := &g.Tenant
				if own {
					list = &g.Own
				}
				*list, entries = glossary.Merge(entries), nil
				return nil
			})
			return err
		},
	}
}

// ReadGlossary is the statement that reads what [Store.Glossary] returns into entries.
func ReadGlossary(tenant, taskID, to string, entries *[]glossary.Entry) Statement {
	var g Glossaries
	read := readGlossaries(tenant, taskID, to, &g)
	return Statement{SQL: read.SQL, Args: read.Args, Read: func(rows pgx.Rows) error {
		err := read.Read(rows)
		*entries = glossary.Merge(g.Own, g.Tenant)
		return err
	}}
}

// Glossary reads the entries for a task: its own, and those of its tenant for sources that its own do not name.
func (s *Store) Glossary(ctx context.Context, tenant, taskID, to string) (entries []glossary.Entry, err error) {
	err = s.Read(ctx, ReadGlossary(tenant, taskID, to, &entries))
	return entries, Wrap(err, "read a glossary")
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
