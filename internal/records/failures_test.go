package records_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"plait/internal/pipeline"
)

func TestFailuresOfAStageAreCountedByCode(t *testing.T) {
	f := open(t)
	ctx := t.Context()
	page := f.running(1).Pages[0]
	run := runOf(page, pipeline.StageDetect, 1)
	for i, code := range []pipeline.Code{pipeline.CodeUnavailable, pipeline.CodeDevice, pipeline.CodeUnavailable, ""} {
		run.Attempt = i + 1
		f.begin(run)
		if code != "" {
			require.NoError(t, f.EndStage(ctx, run, code, "", nil))
		}
	}
	run.Attempt++
	begun, err := f.BeginStage(ctx, run) // the fourth attempt never told its end
	require.NoError(t, err)
	require.Equal(t, map[pipeline.Code]int{pipeline.CodeUnavailable: 2, pipeline.CodeDevice: 1, pipeline.CodeHostLost: 1}, begun.Failures)
	begun, err = f.BeginStage(ctx, runOf(page, pipeline.StageRender, 1))
	require.NoError(t, err)
	require.Empty(t, begun.Failures, "another stage")
}
