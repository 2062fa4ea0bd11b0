package workflows_test

import (
	"compress/gzip"
	"io"
	"log/slog"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
	historypb "go.temporal.io/api/history/v1"
	"go.temporal.io/sdk/client"
	"go.temporal.io/sdk/log"
	"go.temporal.io/sdk/worker"
	"go.temporal.io/sdk/workflow"

	"plait/internal/comic"
	"plait/internal/document"
	"plait/internal/video"
	"plait/workflows"
	comicflow "plait/workflows/comic"
	documentflow "plait/workflows/document"
	videoflow "plait/workflows/video"
)

// Each history under testdata/replay was recorded from a real server by the tests of plait/workers: what running
// tasks have done so far must still be what the code would do.
func TestRecordedHistoriesReplay(t *testing.T) {
	t.Parallel()
	files, err := filepath.Glob(filepath.Join("..", "testdata", "replay", "*.json*"))
	require.NoError(t, err)
	require.NotEmpty(t, files)
	for _, file := range files {
		t.Run(filepath.Base(file), func(t *testing.T) {
			t.Parallel()
			replayer := worker.NewWorkflowReplayer()
			replayer.RegisterWorkflowWithOptions(comicflow.Task, workflow.RegisterOptions{Name: string(comic.Kind)})
			replayer.RegisterWorkflowWithOptions(comicflow.Edit, workflow.RegisterOptions{Name: comicflow.WorkflowEdit})
			replayer.RegisterWorkflowWithOptions(comicflow.Alternatives, workflow.RegisterOptions{Name: comicflow.WorkflowAlternatives})
			replayer.RegisterWorkflowWithOptions(documentflow.Task, workflow.RegisterOptions{Name: string(document.Kind)})
			replayer.RegisterWorkflowWithOptions(videoflow.Task, workflow.RegisterOptions{Name: string(video.Kind)})
			replayer.RegisterWorkflowWithOptions(workflows.Webhook, workflow.RegisterOptions{Name: workflows.WorkflowWebhook})
			logger := log.NewStructuredLogger(slog.New(slog.DiscardHandler))
			require.NoError(t, replayer.ReplayWorkflowHistory(logger, readHistory(t, file)))
		})
	}
}

// readHistory reads a recorded history; a long one is compressed.
func readHistory(t *testing.T, file string) *historypb.History {
	t.Helper()
	f, err := os.Open(file)
	require.NoError(t, err)
	defer f.Close()
	var plain io.Reader = f
	if filepath.Ext(file) == ".gz" {
		plain, err = gzip.NewReader(f)
		require.NoError(t, err)
	}
	history, err := client.HistoryFromJSON(plain, client.HistoryJSONOptions{})
	require.NoError(t, err)
	return history
}
