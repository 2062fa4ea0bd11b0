package comic_test

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"go.temporal.io/sdk/activity"
	"go.temporal.io/sdk/converter"
	"go.temporal.io/sdk/temporal"
	"go.temporal.io/sdk/workflow"

	"plait/internal/comic"
	"plait/internal/core"
	"plait/workflows"
	comicflow "plait/workflows/comic"
)

func TestCancellationEndsWhatIsInFlightAndIsRecorded(t *testing.T) {
	t.Parallel()
	s := newStage(t, 8)
	s.env.OnActivity(comic.StepTranslate, anything, anything).After(time.Hour).Return(
		func(_ context.Context, in comic.TranslateInput) (comic.TranslateOutput, error) {
			return translated(in), nil
		})
	s.env.RegisterDelayedCallback(s.env.CancelWorkflow, 90*time.Minute)
	err := s.run(comicflow.Task, chapterOf(8))
	require.True(t, temporal.IsCanceledError(err), "%v", err)
	require.Equal(t, []any{core.FinishTaskInput{TaskID: taskID, Canceled: true}}, s.inputs(core.StepFinishTask))
	require.Empty(t, s.inputs(core.StepRecordFailure), "the end of the task settles the pages that it leaves")
	require.Equal(t, 1, s.counts()["Render"])
	require.Less(t, s.counts()["Detect"], 8)
	require.Equal(t, []string{"running", "canceled"}, s.statuses())
}

func TestCancellationBeforeTheFirstStep(t *testing.T) {
	t.Parallel()
	s := newStage(t, 2)
	s.env.RegisterDelayedCallback(s.env.CancelWorkflow, 0)
	err := s.run(comicflow.Task, chapterOf(2))
	require.True(t, temporal.IsCanceledError(err), "%v", err)
	require.Equal(t, []any{core.FinishTaskInput{TaskID: taskID, Canceled: true}}, s.inputs(core.StepFinishTask))
	require.Zero(t, s.counts()["Render"])
}

func TestALongHistoryGoesOnInANewRun(t *testing.T) {
	t.Parallel()
	s := newStage(t, 9)
	s.detect = func(in comic.DetectInput) (comic.DetectOutput, error) {
		return detected(in), only(1, in.Page, coded(core.CodeInvalidImage))
	}
	// The listener runs where the workflow does, and so not at the same time.
	detects := 0
	s.env.SetOnActivityCompletedListener(func(info *activity.Info, _ converter.EncodedValue, _ error) {
		if info.ActivityType.Name == comic.StepDetect {
			detects++
		}
		if detects == 3 {
			s.env.SetContinueAsNewSuggested(true)
		}
	})
	in := chapterOf(9)
	in.Window = 3
	rest := s.continued(in)
	require.Zero(t, s.counts()["FinishTask"])
	ended := s.counts()["Render"] + s.counts()["RecordFailure"]
	require.Equal(t, in.Items[ended:], rest.Items, "nothing lost, nothing twice")
	require.Equal(t, &workflows.Counts{Success: ended - 1, Failed: 1, Modes: map[core.Mode]int{comic.ModeSplit: ended - 1}}, rest.Carried)

	second := newStage(t, 9)
	second.env.SetContinuedExecutionRunID("first")
	second.failed = 1
	second.succeeded = ended - 1
	require.Equal(t, core.TaskResult{Status: core.StatusPartial, TotalCount: 9, SuccessCount: 8, FailedCount: 1},
		second.chapter(rest))
	require.Zero(t, second.counts()["StartTask"])
}

// continued is what a chapter goes on with in a new run.
func (s *stage) continued(in workflows.TaskInput) (rest workflows.TaskInput) {
	s.t.Helper()
	var next *workflow.ContinueAsNewError
	require.ErrorAs(s.t, s.run(comicflow.Task, in), &next)
	require.NoError(s.t, converterOf().FromPayloads(next.Input, &rest))
	return rest
}

func TestARowThatIsGoneEndsTheWorkflow(t *testing.T) {
	t.Parallel()
	s := newStage(t, 1)
	s.start = func() error { return coded(core.CodeNotFound) }
	err := s.run(comicflow.Task, chapterOf(1))
	var application *temporal.ApplicationError
	require.ErrorAs(t, err, &application)
	require.Equal(t, string(core.CodeNotFound), application.Type())
	require.Zero(t, s.counts()["Detect"])
}

func TestAFailureThatCannotBeRecordedDoesNotStopTheChapter(t *testing.T) {
	t.Parallel()
	s := newStage(t, 2)
	s.detect = func(in comic.DetectInput) (comic.DetectOutput, error) {
		return detected(in), only(0, in.Page, coded(core.CodeInvalidImage))
	}
	s.recordFailure = func(core.RecordFailureInput) error { return coded(core.CodeNotFound) }
	require.NoError(t, s.run(comicflow.Task, chapterOf(2)))
	require.Equal(t, 1, s.counts()["Render"])
}

func TestAnInputThatNoClientSendsIsRefused(t *testing.T) {
	t.Parallel()
	cases := map[string]func(*workflows.TaskInput){
		"no pages": func(in *workflows.TaskInput) { in.Items = nil },
		"no id":    func(in *workflows.TaskInput) { in.TaskID = "" },
		"no mode": func(in *workflows.TaskInput) {
			in.Options = optionsWith(func(o *comic.Options) { o.Mode = comic.ModeFallback })
		},
	}
	for name, spoil := range cases {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := newStage(t, 1)
			in := chapterOf(1)
			spoil(&in)
			err := s.run(comicflow.Task, in)
			var application *temporal.ApplicationError
			require.ErrorAs(t, err, &application)
			require.Equal(t, string(core.CodeInvalidInput), application.Type())
			require.True(t, application.NonRetryable())
		})
	}
}
