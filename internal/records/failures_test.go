package records_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"plait/internal/core"
)

func TestFailuresOfAStageAreCountedByCode(t *testing.T) {
	f := open(t)
	ctx := t.Context()
	page := f.running(1).Items[0]
	run := runOf(page, first, 1)
	for i, code := range []core.Code{core.CodeUnavailable, core.CodeDevice, core.CodeUnavailable, ""} {
		run.Attempt = i + 1
		f.Begin(run)
		if code != "" {
			require.NoError(t, f.EndStage(ctx, run, code, "", nil))
		}
	}
	run.Attempt++
	begun, err := f.BeginStage(ctx, run) // the fourth attempt never told its end
	require.NoError(t, err)
	require.Equal(t, map[core.Code]int{core.CodeUnavailable: 2, core.CodeDevice: 1, core.CodeHostLost: 1}, begun.Failures)
	begun, err = f.BeginStage(ctx, runOf(page, third, 1))
	require.NoError(t, err)
	require.Empty(t, begun.Failures, "another stage")
}
