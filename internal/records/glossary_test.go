package records_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/sync/errgroup"

	"plait/internal/core"
	"plait/internal/records"
	"plait/internal/records/recordstest"
	"plait/internal/translate/glossary"
)

func TestGlossariesOfATenantAndOfATask(t *testing.T) {
	f := open(t)
	ctx := t.Context()
	task, other := f.running(1), f.running(1)
	general := []glossary.Entry{{Source: "太郎", Target: "Taro", Note: "a boy"}, {Source: "NASA", Keep: true}}
	special := []glossary.Entry{{Source: "太郎", Target: "Taroo"}}
	require.NoError(t, f.SetGlossary(ctx, tenant, "", "en", special))
	require.NoError(t, f.SetGlossary(ctx, tenant, "", "en", general))
	require.NoError(t, f.SetGlossary(ctx, tenant, task.ID, "en", special))
	read := func(tenant, taskID, to string) []glossary.Entry {
		t.Helper()
		entries, err := f.Glossary(ctx, tenant, taskID, to)
		require.NoError(t, err)
		return entries
	}
	require.Equal(t, []glossary.Entry{special[0], general[1]}, read(tenant, task.ID, "en"), "the task's own entry goes first")
	require.Equal(t, general, read(tenant, other.ID, "en"))
	require.Empty(t, read(tenant, task.ID, "de"))
	require.Empty(t, read("another", task.ID, "en"), "tenants share nothing")
	recordstest.RequireCode(t, core.CodeNotFound, f.SetGlossary(ctx, "another", task.ID, "en", special))
	require.NoError(t, f.SetGlossary(ctx, tenant, task.ID, "en", nil))
	require.Equal(t, general, read(tenant, task.ID, "en"))
}

func TestGlossariesAreEditedEntryByEntry(t *testing.T) {
	f := open(t)
	ctx := t.Context()
	task := f.running(1)
	taro, rex := glossary.Entry{Source: "太郎", Target: "Taro"}, glossary.Entry{Source: "犬", Target: "Rex"}
	edit := func(taskID string, changes ...glossary.Change) {
		t.Helper()
		require.NoError(t, f.EditGlossary(ctx, tenant, taskID, "en", changes))
	}
	is := func(want records.Glossaries) {
		t.Helper()
		got, err := f.Glossaries(ctx, tenant, task.ID, "en")
		require.NoError(t, err)
		require.Equal(t, want, got)
	}
	is(records.Glossaries{})
	edit("", glossary.Change{After: &taro}, glossary.Change{After: &rex})
	taroo := glossary.Entry{Source: "太郎", Target: "Taroo", Note: "as his sister says it"}
	edit(task.ID, glossary.Change{After: &taroo})
	is(records.Glossaries{Own: []glossary.Entry{taroo}, Tenant: []glossary.Entry{taro, rex}})
	other := glossary.Entry{Source: "太郎", Target: "T."}
	recordstest.RequireCode(t, core.CodeConflict, f.EditGlossary(ctx, tenant, task.ID, "en", []glossary.Change{{Before: &taro, After: &other}}))
	recordstest.RequireCode(t, core.CodeNotFound, f.EditGlossary(ctx, "another", task.ID, "en", []glossary.Change{{After: &taro}}))
	edit("", glossary.Change{Before: &taro})
	edit(task.ID, glossary.Change{Before: &taroo})
	is(records.Glossaries{Tenant: []glossary.Entry{rex}})
	require.Equal(t, []string{"1"}, f.Rows(`SELECT count(*) FROM glossary`), "an empty glossary is none")
}

// People who edit different entries at the same time lose nothing, also in a glossary that was not there before.
func TestAGlossaryHasSeveralEditors(t *testing.T) {
	f := open(t)
	var group errgroup.Group
	const editors = 8
	for n := range editors {
		group.Go(func() error {
			e := glossary.Entry{Source: fmt.Sprint("term ", n), Keep: true}
			return f.EditGlossary(t.Context(), tenant, "", "en", []glossary.Change{{After: &e}})
		})
	}
	require.NoError(t, group.Wait())
	entries, err := f.Glossary(t.Context(), tenant, "", "en")
	require.NoError(t, err)
	require.Len(t, entries, editors)
}

// What comes with a task is there as soon as the task is, and goes with it.
func TestATaskBringsItsGlossaryAndSynopsis(t *testing.T) {
	f := open(t)
	ctx := t.Context()
	n := newTask(1)
	own := []glossary.Entry{{Source: "太郎", Target: "Taroo"}}
	n.Details = []records.Statement{records.PutGlossary(tenant, n.ID, "en", own), records.PutSynopsis(n.ID, "A boy looks for his dog.")}
	f.Create(n)
	require.NoError(t, f.SetGlossary(ctx, tenant, "", "en", []glossary.Entry{{Source: "太郎", Target: "Taro"}, {Source: "犬", Target: "Rex"}}))
	read := func(taskID string) (entries []glossary.Entry, synopsis string) {
		t.Helper()
		require.NoError(t, f.Read(ctx, records.ReadGlossary(tenant, taskID, "en", &entries), records.ReadSynopsis(taskID, &synopsis)))
		return entries, synopsis
	}
	entries, synopsis := read(n.ID)
	require.Equal(t, "A boy looks for his dog.", synopsis)
	require.Equal(t, []glossary.Entry{own[0], {Source: "犬", Target: "Rex"}}, entries)

	other := f.running(1)
	entries, synopsis = read(other.ID)
	require.Empty(t, synopsis)
	require.Equal(t, "Taro", entries[0].Target, "another task has nothing of it")
	_, err := f.FinishTask(ctx, core.FinishTaskInput{TaskID: n.ID})
	require.NoError(t, err)
	_, err = f.DeleteTask(ctx, tenant, n.ID)
	require.NoError(t, err)
	require.Equal(t, []string{"1 0"}, f.Rows(`SELECT (SELECT count(*) FROM glossary), (SELECT count(*) FROM synopsis)`))
}
