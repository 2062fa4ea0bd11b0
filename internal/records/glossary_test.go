package records_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"plait/internal/core"
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
	requireCode(t, core.CodeNotFound, f.SetGlossary(ctx, "another", task.ID, "en", special))
	require.NoError(t, f.SetGlossary(ctx, tenant, task.ID, "en", nil))
	require.Equal(t, general, read(tenant, task.ID, "en"))
}

// What comes with a task is there as soon as the task is, and goes with it.
func TestATaskBringsItsGlossaryAndSynopsis(t *testing.T) {
	f := open(t)
	ctx := t.Context()
	n := newTask(1)
	n.Glossary, n.Synopsis = []glossary.Entry{{Source: "太郎", Target: "Taroo"}}, "A boy looks for his dog."
	_, created, err := f.CreateTask(ctx, n)
	require.NoError(t, err)
	require.True(t, created)
	require.NoError(t, f.SetGlossary(ctx, tenant, "", "en", []glossary.Entry{{Source: "太郎", Target: "Taro"}, {Source: "犬", Target: "Rex"}}))
	sense, err := f.Sense(ctx, n.Pages[0], "en", 3)
	require.NoError(t, err)
	require.Equal(t, "A boy looks for his dog.", sense.Synopsis)
	require.Equal(t, []glossary.Entry{n.Glossary[0], {Source: "犬", Target: "Rex"}}, sense.Glossary)

	other := f.running(1)
	sense, err = f.Sense(ctx, other.Pages[0], "en", 3)
	require.NoError(t, err)
	require.Empty(t, sense.Synopsis)
	require.Equal(t, "Taro", sense.Glossary[0].Target, "another task has nothing of it")
}
