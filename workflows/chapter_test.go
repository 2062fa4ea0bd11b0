package workflows_test

import (
	"context"
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	enumspb "go.temporal.io/api/enums/v1"
	"go.temporal.io/sdk/temporal"

	"plait/internal/pace"
	"plait/internal/pipeline"
	"plait/workflows"
)

func TestSplitTakesEveryPageThroughThreeSteps(t *testing.T) {
	t.Parallel()
	s := newStage(t, 5)
	result := s.chapter(chapterOf(5))
	require.Equal(t, pipeline.ChapterResult{Status: pipeline.StatusSuccess, TotalCount: 5, SuccessCount: 5}, result)
	require.Equal(t, map[string]int{"Detect": 5, "Translate": 5, "Render": 5, "StartTask": 1, "FinishTask": 1}, s.counts())
	require.Equal(t, []int{0, 1, 2, 3, 4}, s.order(pipeline.StepTranslate))
	require.Equal(t, []string{"running", "success"}, s.statuses())
}

func TestEachStepIsSentToItsQueue(t *testing.T) {
	t.Parallel()
	s := newStage(t, 1)
	s.render = func(pipeline.RenderInput) (pipeline.PageOutput, error) {
		return pipeline.PageOutput{}, coded(pipeline.CodeCacheMiss)
	}
	s.chapter(chapterOf(1))
	require.Equal(t, map[string]string{
		"StartTask": workflows.QueueControl, "Detect": workflows.QueueDetect, "Translate": workflows.QueueTranslate,
		"Render": hostQueue, "Page": workflows.QueueGPU, "FinishTask": workflows.QueueControl,
	}, s.queues())
}

func TestRenderIsGivenWhatDetectAndTranslateMade(t *testing.T) {
	t.Parallel()
	s := newStage(t, 1)
	s.chapter(chapterOf(1))
	in := s.inputs(pipeline.StepRender)[0].(pipeline.RenderInput)
	require.Equal(t, "context-0", in.ContextID)
	require.Equal(t, pageRef(0).Blob, in.ImageHash)
	require.Equal(t, translationsOf(0), in.Translations)
	// The history holds no outlines twice: translate is given texts alone.
	given := s.inputs(pipeline.StepTranslate)[0].(pipeline.TranslateInput)
	require.Equal(t, []pipeline.Region{{Index: 0, Text: "テキスト0", SourceLang: "ja", TargetLang: "en"}}, given.Regions)
	require.Equal(t, "ja", given.FromLang)
}

func TestAPageWithoutTextEndsAfterDetect(t *testing.T) {
	t.Parallel()
	s := newStage(t, 3)
	s.detect = func(in pipeline.DetectInput) (pipeline.DetectOutput, error) {
		found := detected(in)
		if in.Page.Index == 1 {
			found.Regions = nil
		}
		return found, nil
	}
	result := s.chapter(chapterOf(3))
	require.Equal(t, 3, result.SuccessCount)
	require.Equal(t, []int{0, 2}, s.order(pipeline.StepTranslate))
	require.Equal(t, []int{0, 2}, sorted(s.order(pipeline.StepRender)))
}

func TestAPageThatEndsEarlyDoesNotJumpTheQueue(t *testing.T) {
	t.Parallel()
	s := newStage(t, 5)
	s.detect = func(in pipeline.DetectInput) (pipeline.DetectOutput, error) {
		found := detected(in)
		if in.Page.Index == 1 {
			found.Regions = nil
		}
		return found, only(2, in.Page, coded(pipeline.CodeInvalidImage))
	}
	var began []time.Duration
	before := s.env.Now()
	s.env.OnActivity(pipeline.StepTranslate, anything, anything).After(time.Minute).Return(
		func(_ context.Context, in pipeline.TranslateInput) (pipeline.TranslateOutput, error) {
			began = append(began, s.env.Now().Sub(before).Round(time.Minute))
			return translated(in), nil
		})
	require.Equal(t, 4, s.chapter(chapterOf(5)).SuccessCount)
	require.Equal(t, []time.Duration{time.Minute, 2 * time.Minute, 3 * time.Minute}, began, "one after the other")
}

func TestUnifiedRunsPageAlone(t *testing.T) {
	t.Parallel()
	s := newStage(t, 4)
	in := chapterOf(4)
	in.Options.Mode = pipeline.ModeUnified
	in.Window = 4
	result := s.chapter(in)
	require.Equal(t, pipeline.ChapterResult{Status: pipeline.StatusSuccess, TotalCount: 4, SuccessCount: 4}, result)
	require.Equal(t, map[string]int{"Page": 4, "StartTask": 1, "FinishTask": 1}, s.counts())
	require.Equal(t, []int{0, 1, 2, 3}, s.order(pipeline.StepPage))
	require.Equal(t, 1, s.widest(), "a translation is given the pages before it")
	page := s.inputs(pipeline.StepPage)[0].(pipeline.PageInput)
	require.Equal(t, pipeline.ModeUnified, page.Mode)
	require.Nil(t, page.Translations)
}

func TestALostContextLeadsToTheWholePage(t *testing.T) {
	t.Parallel()
	lost := map[string]struct {
		err   error
		cause pipeline.Code
	}{
		"miss":            {coded(pipeline.CodeCacheMiss), pipeline.CodeCacheMiss},
		"expired":         {coded(pipeline.CodeTaskExpired), pipeline.CodeTaskExpired},
		"hash":            {coded(pipeline.CodeImageHashMismatch), pipeline.CodeImageHashMismatch},
		"host stops":      {coded(pipeline.CodeHostLost), pipeline.CodeHostLost},
		"nobody polls":    {temporal.NewTimeoutError(enumspb.TIMEOUT_TYPE_SCHEDULE_TO_START, nil), pipeline.CodeHostLost},
		"heart is silent": {temporal.NewHeartbeatTimeoutError(), pipeline.CodeHostLost},
		"both": {temporal.NewTimeoutError(enumspb.TIMEOUT_TYPE_SCHEDULE_TO_START, temporal.NewHeartbeatTimeoutError()),
			pipeline.CodeHostLost},
	}
	for name, c := range lost {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := newStage(t, 2)
			s.render = func(in pipeline.RenderInput) (pipeline.PageOutput, error) {
				if in.Page.Index == 0 {
					return pipeline.PageOutput{}, c.err
				}
				return rendered(in.Page, pipeline.ModeSplit), nil
			}
			result := s.chapter(chapterOf(2))
			require.Equal(t, pipeline.ChapterResult{
				Status: pipeline.StatusSuccess, TotalCount: 2, SuccessCount: 2, FallbackCount: 1,
			}, result)
			require.Equal(t, 2, s.counts()["Translate"], "no second model call")
			page := s.inputs(pipeline.StepPage)[0].(pipeline.PageInput)
			require.Equal(t, pipeline.ModeFallback, page.Mode)
			require.Equal(t, translationsOf(0), page.Translations)
			require.Equal(t, c.cause, page.Cause)
		})
	}
}

func TestAFailedPageFailsAloneWithItsStage(t *testing.T) {
	t.Parallel()
	refused := coded(pipeline.CodeInvalidImage)
	cases := map[string]struct {
		spoil func(*stage)
		mode  pipeline.Mode
		want  pipeline.RecordFailureInput
	}{
		"detect": {
			spoil: func(s *stage) {
				s.detect = func(in pipeline.DetectInput) (pipeline.DetectOutput, error) {
					return detected(in), only(1, in.Page, refused)
				}
			},
			want: recordedFailure(pipeline.ModeSplit, pipeline.StageDetect, pipeline.CodeInvalidImage),
		},
		"translate": {
			spoil: func(s *stage) {
				s.translate = func(in pipeline.TranslateInput) (pipeline.TranslateOutput, error) {
					return translated(in), only(1, in.Page, coded(pipeline.CodeTranslatorRefused))
				}
			},
			want: recordedFailure(pipeline.ModeSplit, pipeline.StageTranslate, pipeline.CodeTranslatorRefused),
		},
		"render": {
			spoil: func(s *stage) {
				s.render = func(in pipeline.RenderInput) (pipeline.PageOutput, error) {
					return rendered(in.Page, pipeline.ModeSplit), only(1, in.Page, coded(pipeline.CodeRenderInputInvalid))
				}
			},
			want: recordedFailure(pipeline.ModeSplit, pipeline.StageRender, pipeline.CodeRenderInputInvalid),
		},
		"fallback": {
			spoil: func(s *stage) {
				s.render = func(in pipeline.RenderInput) (pipeline.PageOutput, error) {
					return rendered(in.Page, pipeline.ModeSplit), only(1, in.Page, coded(pipeline.CodeCacheMiss))
				}
				s.page = func(pipeline.PageInput) (pipeline.PageOutput, error) {
					return pipeline.PageOutput{}, coded(pipeline.CodeBlobMissing)
				}
			},
			want: recordedFailure(pipeline.ModeFallback, pipeline.StageFallback, pipeline.CodeBlobMissing),
		},
		"page": {
			mode: pipeline.ModeUnified,
			spoil: func(s *stage) {
				s.page = func(in pipeline.PageInput) (pipeline.PageOutput, error) {
					return rendered(in.Page, in.Mode), only(1, in.Page, refused)
				}
			},
			want: recordedFailure(pipeline.ModeUnified, pipeline.StagePage, pipeline.CodeInvalidImage),
		},
		"nobody finishes": {
			spoil: func(s *stage) {
				s.detect = func(in pipeline.DetectInput) (pipeline.DetectOutput, error) {
					return detected(in), only(1, in.Page, temporal.NewTimeoutError(enumspb.TIMEOUT_TYPE_SCHEDULE_TO_CLOSE, nil))
				}
			},
			want: recordedFailure(pipeline.ModeSplit, pipeline.StageDetect, pipeline.CodeUnavailable),
		},
		"an error of no code": {
			spoil: func(s *stage) {
				s.detect = func(in pipeline.DetectInput) (pipeline.DetectOutput, error) {
					return detected(in), only(1, in.Page, temporal.NewNonRetryableApplicationError("odd", "errorString", nil))
				}
			},
			want: recordedFailure(pipeline.ModeSplit, pipeline.StageDetect, pipeline.CodeInternal),
		},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := newStage(t, 3)
			c.spoil(s)
			in := chapterOf(3)
			if c.mode != "" {
				in.Options.Mode = c.mode
			}
			result := s.chapter(in)
			require.Equal(t, pipeline.ChapterResult{Status: pipeline.StatusPartial, TotalCount: 3, SuccessCount: 2, FailedCount: 1}, result)
			got := s.inputs(pipeline.StepRecordFailure)
			require.Len(t, got, 1)
			failed := got[0].(pipeline.RecordFailureInput)
			require.NotEmpty(t, failed.Failure.Message)
			failed.Failure.Message = ""
			require.Equal(t, c.want, failed)
		})
	}
}

func TestAllPagesFailed(t *testing.T) {
	t.Parallel()
	s := newStage(t, 3)
	s.detect = func(pipeline.DetectInput) (pipeline.DetectOutput, error) {
		return pipeline.DetectOutput{}, coded(pipeline.CodeModelMissing)
	}
	require.Equal(t, pipeline.ChapterResult{Status: pipeline.StatusError, TotalCount: 3, FailedCount: 3}, s.chapter(chapterOf(3)))
	require.Equal(t, []string{"running", "error"}, s.statuses())
}

func TestAStepIsRetriedByTheRuleOfItsCode(t *testing.T) {
	t.Parallel()
	s := newStage(t, 1)
	attempts := 0
	s.translate = func(in pipeline.TranslateInput) (pipeline.TranslateOutput, error) {
		if attempts++; attempts < 3 {
			return pipeline.TranslateOutput{}, temporal.NewApplicationErrorWithOptions("busy", string(pipeline.CodeTranslatorRateLimited),
				temporal.ApplicationErrorOptions{NextRetryDelay: time.Hour})
		}
		return translated(in), nil
	}
	before := s.env.Now()
	require.Equal(t, 1, s.chapter(chapterOf(1)).SuccessCount)
	require.Equal(t, 3, attempts)
	require.GreaterOrEqual(t, s.env.Now().Sub(before), 2*time.Hour, "the provider's own delay is kept")
}

func TestTheWindowBoundsThePagesInFlight(t *testing.T) {
	t.Parallel()
	for given, want := range map[int]int{0: workflows.DefaultWindow, 1: 1, 2: 2, 7: 7, 200: workflows.MaxWindow} {
		t.Run(fmt.Sprint(given), func(t *testing.T) {
			t.Parallel()
			s := newStage(t, 120)
			// Translations answer late: meanwhile the window fills, and no further page is detected.
			s.env.OnActivity(pipeline.StepTranslate, anything, anything).After(time.Minute).Return(
				func(_ context.Context, in pipeline.TranslateInput) (pipeline.TranslateOutput, error) {
					return translated(in), nil
				})
			in := chapterOf(120)
			in.Window = given
			in.Pace = slowDevices()
			require.Equal(t, 120, s.chapter(in).SuccessCount)
			require.Equal(t, want, s.widest())
		})
	}
}

// slowDevices are what a chapter waits for: it detects as far ahead as it may.
func slowDevices() *workflows.Pace {
	return &workflows.Pace{Detect: pace.Estimate{Mean: 24 * time.Hour}, Translate: pace.Estimate{Mean: time.Second}}
}

func TestProgressTellsWhereEachPageIs(t *testing.T) {
	t.Parallel()
	s := newStage(t, 6)
	s.env.OnActivity(pipeline.StepTranslate, anything, anything).After(time.Minute).Return(
		func(_ context.Context, in pipeline.TranslateInput) (pipeline.TranslateOutput, error) {
			return translated(in), nil
		})
	var p workflows.Progress
	var details string
	s.env.RegisterDelayedCallback(func() {
		value, err := s.env.QueryWorkflow("progress")
		require.NoError(t, err)
		require.NoError(t, value.Get(&p))
		value, err = s.env.QueryWorkflow("__temporal_workflow_metadata")
		require.NoError(t, err)
		details = metadataDetails(t, value)
	}, 90*time.Second)
	in := chapterOf(6)
	in.Window, in.Pace = 3, slowDevices()
	in.Pace.Translate.Mean = time.Minute
	s.chapter(in)
	require.Equal(t, workflows.Progress{
		Total: 6, Done: 1, Success: 1,
		InFlight: []workflows.PageProgress{
			{Index: 1, Name: "001.png", Stage: pipeline.StageTranslate},
			{Index: 2, Name: "002.png", Stage: pipeline.StageTranslate, Waiting: true},
			{Index: 3, Name: "003.png", Stage: pipeline.StageTranslate, Waiting: true},
		},
	}, p)
	require.Equal(t, `**1 of 6 pages done** · 1 succeeded (0 by fallback) · 0 failed

| page | file | stage |
|---|---|---|
| 2 | 001.png | translate |
| 3 | 002.png | waiting for translate |
| 4 | 003.png | waiting for translate |
`, details)
}

func recordedFailure(mode pipeline.Mode, stage pipeline.Stage, code pipeline.Code) pipeline.RecordFailureInput {
	return pipeline.RecordFailureInput{Page: pageRef(1), Mode: mode, Failure: pipeline.Failure{Stage: stage, Code: code}}
}

// only is err for the page at index, and nil for others.
func only(index int, p pipeline.PageRef, err error) error {
	if p.Index == index {
		return err
	}
	return nil
}

func sorted(indices []int) []int {
	return slices.Sorted(slices.Values(indices))
}
