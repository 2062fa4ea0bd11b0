package workflows_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"go.temporal.io/sdk/temporal"
	"go.temporal.io/sdk/workflow"

	"plait/internal/comic"
	"plait/internal/core"
	"plait/workflows"
)

func TestCancellationEndsWhatIsInFlightAndIsRecorded(t *testing.T) {
	t.Parallel()
	s := newStage(t, 8)
	s.env.OnActivity(comic.StepTranslate, anything, anything).After(time.Hour).Return(
		func(_ context.Context, in comic.TranslateInput) (comic.TranslateOutput, error) {
			return translated(in), nil
		})
	s.env.RegisterDelayedCallback(s.env.CancelWorkflow, 90*time.Minute)
	err := s.run(workflows.ChapterWorkflow, chapterOf(8))
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
	err := s.run(workflows.ChapterWorkflow, chapterOf(2))
	require.True(t, temporal.IsCanceledError(err), "%v", err)
	require.Equal(t, []any{core.FinishTaskInput{TaskID: taskID, Canceled: true}}, s.inputs(core.StepFinishTask))
	require.Zero(t, s.counts()["Render"])
}

func TestALongHistoryGoesOnInANewRun(t *testing.T) {
	t.Parallel()
	s := newStage(t, 9)
	s.detect = func(in comic.DetectInput) (comic.DetectOutput, error) {
		if in.Page.Index == 2 {
			s.env.SetContinueAsNewSuggested(true)
		}
		return detected(in), only(1, in.Page, coded(core.CodeInvalidImage))
	}
	in := chapterOf(9)
	in.Window = 3
	rest := s.continued(in)
	require.Zero(t, s.counts()["FinishTask"])
	ended := s.counts()["Render"] + s.counts()["RecordFailure"]
	require.Equal(t, in.Pages[ended:], rest.Pages, "nothing lost, nothing twice")
	require.Equal(t, &workflows.Counts{Success: ended - 1, Failed: 1}, rest.Carried)

	second := newStage(t, 9)
	second.failed = 1
	second.succeeded = ended - 1
	require.Equal(t, core.TaskResult{Status: core.StatusPartial, TotalCount: 9, SuccessCount: 8, FailedCount: 1},
		second.chapter(rest))
	require.Zero(t, second.counts()["StartTask"])
}

// continued is what a chapter goes on with in a new run.
func (s *stage) continued(in workflows.ChapterInput) (rest workflows.ChapterInput) {
	s.t.Helper()
	var next *workflow.ContinueAsNewError
	require.ErrorAs(s.t, s.run(workflows.ChapterWorkflow, in), &next)
	require.NoError(s.t, converterOf().FromPayloads(next.Input, &rest))
	return rest
}

func TestARowThatIsGoneEndsTheWorkflow(t *testing.T) {
	t.Parallel()
	s := newStage(t, 1)
	s.start = func() error { return coded(core.CodeNotFound) }
	err := s.run(workflows.ChapterWorkflow, chapterOf(1))
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
	require.NoError(t, s.run(workflows.ChapterWorkflow, chapterOf(2)))
	require.Equal(t, 1, s.counts()["Render"])
}

func TestAnInputThatNoClientSendsIsRefused(t *testing.T) {
	t.Parallel()
	cases := map[string]func(*workflows.ChapterInput){
		"no pages": func(in *workflows.ChapterInput) { in.Pages = nil },
		"no id":    func(in *workflows.ChapterInput) { in.TaskID = "" },
		"no mode":  func(in *workflows.ChapterInput) { in.Options.Mode = comic.ModeFallback },
	}
	for name, spoil := range cases {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := newStage(t, 1)
			in := chapterOf(1)
			spoil(&in)
			err := s.run(workflows.ChapterWorkflow, in)
			var application *temporal.ApplicationError
			require.ErrorAs(t, err, &application)
			require.Equal(t, string(core.CodeInvalidInput), application.Type())
			require.True(t, application.NonRetryable())
		})
	}
}

func TestPageWorkflowGoesTheSameWay(t *testing.T) {
	t.Parallel()
	in := workflows.PageTaskInput{Options: options(), Page: pageRef(0)}
	t.Run("success", func(t *testing.T) {
		t.Parallel()
		s := newStage(t, 1)
		result, err := s.pageTask(in)
		require.NoError(t, err)
		require.Equal(t, rendered(in.Page, comic.ModeSplit), *result.Output)
		require.Equal(t, map[string]int{"StartTask": 1, "Detect": 1, "Translate": 1, "Render": 1, "FinishTask": 1}, s.counts())
	})
	t.Run("failure", func(t *testing.T) {
		t.Parallel()
		s := newStage(t, 1)
		s.detect = func(comic.DetectInput) (comic.DetectOutput, error) {
			return comic.DetectOutput{}, coded(core.CodeInvalidImage)
		}
		result, err := s.pageTask(in)
		require.NoError(t, err)
		require.Equal(t, core.CodeInvalidImage, result.Failure.Code)
		require.Equal(t, comic.StageDetect, result.Failure.Stage)
	})
	t.Run("canceled", func(t *testing.T) {
		t.Parallel()
		s := newStage(t, 1)
		s.env.OnActivity(comic.StepTranslate, anything, anything).After(time.Hour).Return(comic.TranslateOutput{}, errors.New("late"))
		s.env.RegisterDelayedCallback(s.env.CancelWorkflow, time.Minute)
		_, err := s.pageTask(in)
		require.True(t, temporal.IsCanceledError(err), "%v", err)
		require.Equal(t, []any{core.FinishTaskInput{TaskID: taskID, Canceled: true}}, s.inputs(core.StepFinishTask))
	})
}
