package records_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"plait/internal/pipeline"
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
	requireCode(t, pipeline.CodeNotFound, f.SetGlossary(ctx, "another", task.ID, "en", special))
	require.NoError(t, f.SetGlossary(ctx, tenant, task.ID, "en", nil))
	require.Equal(t, general, read(tenant, task.ID, "en"))
}
