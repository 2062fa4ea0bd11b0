package comic_test

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"go.temporal.io/sdk/temporal"
	"go.temporal.io/sdk/workflow"

	"plait/internal/comic"
	"plait/internal/core"
	"plait/workflows"
	comicflow "plait/workflows/comic"
)

// slowly has every translation take a minute.
func (s *stage) slowly() {
	s.env.OnActivity(comic.StepTranslate, anything, anything).After(time.Minute).Return(
		func(_ context.Context, in comic.TranslateInput) (comic.TranslateOutput, error) {
			return translated(in), nil
		})
}

// signal sends a pause or a resume at a time of the test's clock.
func (s *stage) signal(at time.Duration, name string, revision int) {
	s.env.RegisterDelayedCallback(func() { s.env.SignalWorkflow(name, revision) }, at)
}

// seen is the progress at a time of the test's clock.
func (s *stage) seen(at time.Duration, p *workflows.Progress) {
	s.env.RegisterDelayedCallback(func() {
		value, err := s.env.QueryWorkflow("progress")
		require.NoError(s.t, err)
		require.NoError(s.t, value.Get(p))
	}, at)
}

func TestAPausedChapterBeginsNothing(t *testing.T) {
	t.Parallel()
	s := newStage(t, 9)
	s.slowly()
	var paused workflows.Progress
	s.signal(90*time.Second, "pause", 1)
	s.seen(9*time.Hour, &paused)
	s.signal(10*time.Hour, "resume", 2)
	before := s.env.Now()
	require.Equal(t, 9, s.chapter(chapterOf(9)).SuccessCount)
	require.Greater(t, s.env.Now().Sub(before), 10*time.Hour)
	require.True(t, paused.Paused)
	require.Equal(t, 2, paused.Done, "the model call that was under way ended, and none began")
	for _, p := range paused.InFlight {
		require.True(t, p.Waiting, "%v", p)
	}
	require.Equal(t, []string{"running", "paused", "running", "success"}, s.statuses())
}

func TestOfPauseAndResumeTheLaterHolds(t *testing.T) {
	t.Parallel()
	s := newStage(t, 4)
	s.slowly()
	s.signal(30*time.Second, "resume", 2)
	s.signal(40*time.Second, "pause", 1) // it was overtaken
	require.Equal(t, 4, s.chapter(chapterOf(4)).SuccessCount)
	require.Equal(t, []string{"running", "success"}, s.statuses())
}

func TestAChapterThatIsPausedBeforeItBegins(t *testing.T) {
	t.Parallel()
	run := func(s *stage, p workflows.Pause) error {
		in := chapterOf(1)
		in.Pause = &p
		return s.run(comicflow.Task, in)
	}
	s := newStage(t, 1)
	var p workflows.Progress
	s.seen(time.Hour, &p)
	s.signal(2*time.Hour, "resume", 2)
	require.NoError(t, run(s, workflows.Pause{Paused: true, Revision: 1}))
	require.Equal(t, workflows.Progress{Total: 1, Paused: true, InFlight: []workflows.ItemProgress{}}, p)
	require.Equal(t, []string{"paused", "running", "success"}, s.statuses())
	require.Equal(t, 1, s.counts()["Render"])

	canceled := newStage(t, 1)
	canceled.env.RegisterDelayedCallback(canceled.env.CancelWorkflow, time.Hour)
	err := run(canceled, workflows.Pause{Paused: true, Revision: 1})
	require.True(t, temporal.IsCanceledError(err), "%v", err)
	require.Zero(t, canceled.counts()["Detect"])
	require.Equal(t, []any{core.FinishTaskInput{TaskID: taskID, Canceled: true}}, canceled.inputs(core.StepFinishTask))
}

// The records may know of a pause before its signal comes.
func TestAStepThatFindsItsTaskPausedIsRunAgain(t *testing.T) {
	t.Parallel()
	s := newStage(t, 2)
	asked := 0
	s.translate = func(in comic.TranslateInput) (comic.TranslateOutput, error) {
		if asked++; asked == 1 {
			return comic.TranslateOutput{}, coded(core.CodePaused)
		}
		return translated(in), nil
	}
	s.signal(time.Hour, "pause", 1)
	s.signal(2*time.Hour, "resume", 2)
	require.Equal(t, 2, s.chapter(chapterOf(2)).SuccessCount)
	require.Equal(t, 3, asked)
	require.Equal(t, []string{"running", "paused", "running", "success"}, s.statuses())
}

// The resume overtakes the word of a step that found the pause.
func TestAPauseThatIsOverBeforeItsStepSaysSo(t *testing.T) {
	t.Parallel()
	s := newStage(t, 1)
	asked := 0
	s.env.OnActivity(comic.StepTranslate, anything, anything).After(time.Minute).Return(
		func(_ context.Context, in comic.TranslateInput) (comic.TranslateOutput, error) {
			if asked++; asked == 1 {
				return comic.TranslateOutput{}, coded(core.CodePaused)
			}
			return translated(in), nil
		})
	s.signal(30*time.Second, "resume", 2)
	require.Equal(t, 1, s.chapter(chapterOf(1)).SuccessCount)
	require.Equal(t, []string{"running", "success"}, s.statuses())
}

func TestAPauseGoesOnInANewRun(t *testing.T) {
	t.Parallel()
	s := newStage(t, 9)
	s.slowly()
	s.env.RegisterDelayedCallback(func() { s.env.SetContinueAsNewSuggested(true) }, 30*time.Second)
	// The pause comes while the last pages of this run are in flight.
	s.env.OnActivity(comic.StepRender, anything, anything).Return(
		func(_ context.Context, in comic.RenderInput) (comic.PageOutput, error) {
			s.env.SignalWorkflow("pause", 1)
			s.env.SignalWorkflow("resume", 2)
			s.env.SignalWorkflow("pause", 3)
			s.env.SignalWorkflow("resume", 4)
			return rendered(in.Page, comic.ModeSplit), nil
		})
	err := s.run(comicflow.Task, chapterOf(9))
	var next *workflow.ContinueAsNewError
	require.ErrorAs(t, err, &next)
	var rest workflows.TaskInput
	require.NoError(t, converterOf().FromPayloads(next.Input, &rest))
	require.Equal(t, &workflows.Pause{Revision: 4}, rest.Pause)
}

func TestARetryBeginsTheTaskAnew(t *testing.T) {
	t.Parallel()
	s := newStage(t, 3)
	s.succeeded = 2
	in := chapterOf(3)
	in.Items, in.Retry, in.Carried = in.Items[1:2], 2, &workflows.Counts{Success: 2}
	require.Equal(t, core.TaskResult{Status: core.StatusSuccess, TotalCount: 3, SuccessCount: 3}, s.chapter(in))
	require.Equal(t, []any{core.StartTaskInput{TaskID: taskID, Retry: 2}}, s.inputs(core.StepStartTask))
	require.Equal(t, []any{core.FinishTaskInput{TaskID: taskID, Retry: 2}}, s.inputs(core.StepFinishTask))
	require.Equal(t, []int{1}, s.order(comic.StepDetect))
}

func TestAPageThatEndsBeforeItsRenderLeavesNoContext(t *testing.T) {
	t.Parallel()
	refused := func(s *stage) {
		s.translate = func(in comic.TranslateInput) (comic.TranslateOutput, error) {
			return translated(in), only(1, in.Page, coded(core.CodeTranslatorRefused))
		}
	}
	broken := func(s *stage) {
		s.render = func(in comic.RenderInput) (comic.PageOutput, error) {
			return rendered(in.Page, comic.ModeSplit), only(1, in.Page, coded(core.CodeInternal))
		}
	}
	for name, spoil := range map[string]func(*stage){"translate": refused, "render": broken} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := newStage(t, 3)
			spoil(s)
			require.Equal(t, 1, s.chapter(chapterOf(3)).FailedCount)
			require.Equal(t, []any{core.ReleaseLeaseInput{LeaseID: "context-1"}}, s.inputs(core.StepReleaseLease))
			require.Equal(t, hostQueue, s.queues()[core.StepReleaseLease])
		})
	}
	t.Run("canceled", func(t *testing.T) {
		t.Parallel()
		s := newStage(t, 3)
		s.slowly()
		s.env.RegisterDelayedCallback(s.env.CancelWorkflow, 30*time.Second)
		require.True(t, temporal.IsCanceledError(s.run(comicflow.Task, chapterOf(3))))
		require.Len(t, s.inputs(core.StepReleaseLease), s.counts()["Detect"])
	})
	t.Run("a host that does not answer", func(t *testing.T) {
		t.Parallel()
		s := newStage(t, 3)
		refused(s)
		s.releaseLease = func(core.ReleaseLeaseInput) error { return coded(core.CodeUnavailable) }
		require.Equal(t, 1, s.chapter(chapterOf(3)).FailedCount)
	})
}
