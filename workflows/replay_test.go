package workflows_test

import (
	"log/slog"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
	"go.temporal.io/sdk/log"
	"go.temporal.io/sdk/worker"
	"go.temporal.io/sdk/workflow"

	"plait/workflows"
)

// Each history under testdata/replay was recorded from a real server by the tests of plait/workers: what running
// tasks have done so far must still be what the code would do. A folder is a generation: what was recorded by one version of
// the workflows.
func TestRecordedHistoriesReplay(t *testing.T) {
	t.Parallel()
	files, err := filepath.Glob(filepath.Join("..", "testdata", "replay", "*", "*.json"))
	require.NoError(t, err)
	require.NotEmpty(t, files)
	for _, file := range files {
		t.Run(filepath.Base(filepath.Dir(file))+"/"+filepath.Base(file), func(t *testing.T) {
			t.Parallel()
			replayer := worker.NewWorkflowReplayer()
			replayer.RegisterWorkflowWithOptions(workflows.ChapterWorkflow, workflow.RegisterOptions{Name: workflows.ChapterWorkflowName})
			replayer.RegisterWorkflowWithOptions(workflows.PageWorkflow, workflow.RegisterOptions{Name: workflows.PageWorkflowName})
			replayer.RegisterWorkflowWithOptions(workflows.EditWorkflow, workflow.RegisterOptions{Name: workflows.EditWorkflowName})
			logger := log.NewStructuredLogger(slog.New(slog.DiscardHandler))
			require.NoError(t, replayer.ReplayWorkflowHistoryFromJSONFile(logger, file))
		})
	}
}
