package comic_test

import (
	"context"
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	enumspb "go.temporal.io/api/enums/v1"
	"go.temporal.io/sdk/temporal"

	"plait/internal/comic"
	"plait/internal/core"
	"plait/internal/latency"
	"plait/workflows"
	comicflow "plait/workflows/comic"
)

func TestSplitTakesEveryPageThroughThreeSteps(t *testing.T) {
	t.Parallel()
	s := newStage(t, 5)
	result := s.chapter(chapterOf(5))
	require.Equal(t, core.TaskResult{Status: core.StatusSuccess, TotalCount: 5, SuccessCount: 5}, result)
	require.Equal(t, map[string]int{"Detect": 5, "Translate": 5, "Render": 5, "StartTask": 1, "FinishTask": 1}, s.counts())
	require.Equal(t, []int{0, 1, 2, 3, 4}, s.order(comic.StepTranslate))
	require.Equal(t, []string{"running", "success"}, s.statuses())
}

func TestEachStepIsSentToItsQueue(t *testing.T) {
	t.Parallel()
	s := newStage(t, 1)
	s.render = func(comic.RenderInput) (comic.PageOutput, error) {
		return comic.PageOutput{}, coded(core.CodeCacheMiss)
	}
	s.chapter(chapterOf(1))
	require.Equal(t, map[string]string{
		"StartTask": workflows.QueueControl, "Detect": comicflow.QueueDetect, "Translate": comicflow.QueueTranslate,
		"Render": hostQueue, "Page": comicflow.QueuePage, "FinishTask": workflows.QueueControl,
	}, s.queues())
}

func TestRenderIsGivenWhatDetectAndTranslateMade(t *testing.T) {
	t.Parallel()
	s := newStage(t, 1)
	s.chapter(chapterOf(1))
	in := s.inputs(comic.StepRender)[0].(comic.RenderInput)
	require.Equal(t, "context-0", in.LeaseID)
	require.Equal(t, pageRef(0).Blob, in.ImageHash)
	require.Equal(t, translationsOf(0), in.Translations)
	// The history holds no outlines twice: translate is given texts alone.
	given := s.inputs(comic.StepTranslate)[0].(comic.TranslateInput)
	require.Equal(t, []comic.Region{{Index: 0, Text: "テキスト0", SourceLang: "ja", TargetLang: "en"}}, given.Regions)
	require.Equal(t, "ja", given.FromLang)
}

func TestAPageWithoutTextEndsAfterDetect(t *testing.T) {
	t.Parallel()
	s := newStage(t, 3)
	s.detect = func(in comic.DetectInput) (comic.DetectOutput, error) {
		found := detected(in)
		if in.Page.Index == 1 {
			found.Regions = nil
		}
		return found, nil
	}
	result := s.chapter(chapterOf(3))
	require.Equal(t, 3, result.SuccessCount)
	require.Equal(t, []int{0, 2}, s.order(comic.StepTranslate))
	require.Equal(t, []int{0, 2}, sorted(s.order(comic.StepRender)))
}

func TestAPageThatEndsEarlyDoesNotJumpTheQueue(t *testing.T) {
	t.Parallel()
	s := newStage(t, 5)
	s.detect = func(in comic.DetectInput) (comic.DetectOutput, error) {
		found := detected(in)
		if in.Page.Index == 1 {
			found.Regions = nil
		}
		return found, only(2, in.Page, coded(core.CodeInvalidImage))
	}
	var began []time.Duration
	before := s.env.Now()
	s.env.OnActivity(comic.StepTranslate, anything, anything).After(time.Minute).Return(
		func(_ context.Context, in comic.TranslateInput) (comic.TranslateOutput, error) {
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
	in.Options = optionsWith(func(o *comic.Options) { o.Mode = comic.ModeUnified })
	in.Window = 4
	result := s.chapter(in)
	require.Equal(t, core.TaskResult{Status: core.StatusSuccess, TotalCount: 4, SuccessCount: 4}, result)
	require.Equal(t, map[string]int{"Page": 4, "StartTask": 1, "FinishTask": 1}, s.counts())
	require.Equal(t, []int{0, 1, 2, 3}, s.order(comic.StepPage))
	require.Equal(t, 1, s.widest(), "a translation is given the pages before it")
	page := s.inputs(comic.StepPage)[0].(comic.PageInput)
	require.Equal(t, comic.ModeUnified, page.Mode)
	require.Nil(t, page.Translations)
}

func TestALostContextLeadsToTheWholePage(t *testing.T) {
	t.Parallel()
	lost := map[string]struct {
		err   error
		cause core.Code
	}{
		"miss":            {coded(core.CodeCacheMiss), core.CodeCacheMiss},
		"expired":         {coded(core.CodeTaskExpired), core.CodeTaskExpired},
		"hash":            {coded(core.CodeImageHashMismatch), core.CodeImageHashMismatch},
		"host stops":      {coded(core.CodeHostLost), core.CodeHostLost},
		"nobody polls":    {temporal.NewTimeoutError(enumspb.TIMEOUT_TYPE_SCHEDULE_TO_START, nil), core.CodeHostLost},
		"heart is silent": {temporal.NewHeartbeatTimeoutError(), core.CodeHostLost},
		"both": {temporal.NewTimeoutError(enumspb.TIMEOUT_TYPE_SCHEDULE_TO_START, temporal.NewHeartbeatTimeoutError()),
			core.CodeHostLost},
	}
	for name, c := range lost {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := newStage(t, 2)
			s.render = func(in comic.RenderInput) (comic.PageOutput, error) {
				if in.Page.Index == 0 {
					return comic.PageOutput{}, c.err
				}
				return rendered(in.Page, comic.ModeSplit), nil
			}
			result := s.chapter(chapterOf(2))
			require.Equal(t, core.TaskResult{
				Status: core.StatusSuccess, TotalCount: 2, SuccessCount: 2, Modes: map[core.Mode]int{comic.ModeFallback: 1},
			}, result)
			require.Equal(t, 2, s.counts()["Translate"], "no second model call")
			page := s.inputs(comic.StepPage)[0].(comic.PageInput)
			require.Equal(t, comic.ModeFallback, page.Mode)
			require.Equal(t, translationsOf(0), page.Translations)
			require.Equal(t, c.cause, page.Cause)
		})
	}
}

func TestAFailedPageFailsAloneWithItsStage(t *testing.T) {
	t.Parallel()
	refused := coded(core.CodeInvalidImage)
	cases := map[string]struct {
		spoil func(*stage)
		mode  core.Mode
		want  core.RecordFailureInput
	}{
		"detect": {
			spoil: func(s *stage) {
				s.detect = func(in comic.DetectInput) (comic.DetectOutput, error) {
					return detected(in), only(1, in.Page, refused)
				}
			},
			want: recordedFailure(comic.ModeSplit, comic.StageDetect, core.CodeInvalidImage),
		},
		"translate": {
			spoil: func(s *stage) {
				s.translate = func(in comic.TranslateInput) (comic.TranslateOutput, error) {
					return translated(in), only(1, in.Page, coded(core.CodeTranslatorRefused))
				}
			},
			want: recordedFailure(comic.ModeSplit, comic.StageTranslate, core.CodeTranslatorRefused),
		},
		"render": {
			spoil: func(s *stage) {
				s.render = func(in comic.RenderInput) (comic.PageOutput, error) {
					return rendered(in.Page, comic.ModeSplit), only(1, in.Page, coded(core.CodeRenderInputInvalid))
				}
			},
			want: recordedFailure(comic.ModeSplit, comic.StageRender, core.CodeRenderInputInvalid),
		},
		"fallback": {
			spoil: func(s *stage) {
				s.render = func(in comic.RenderInput) (comic.PageOutput, error) {
					return rendered(in.Page, comic.ModeSplit), only(1, in.Page, coded(core.CodeCacheMiss))
				}
				s.page = func(comic.PageInput) (comic.PageOutput, error) {
					return comic.PageOutput{}, coded(core.CodeBlobMissing)
				}
			},
			want: recordedFailure(comic.ModeFallback, comic.StageFallback, core.CodeBlobMissing),
		},
		"page": {
			mode: comic.ModeUnified,
			spoil: func(s *stage) {
				s.page = func(in comic.PageInput) (comic.PageOutput, error) {
					return rendered(in.Page, in.Mode), only(1, in.Page, refused)
				}
			},
			want: recordedFailure(comic.ModeUnified, comic.StagePage, core.CodeInvalidImage),
		},
		"nobody finishes": {
			spoil: func(s *stage) {
				s.detect = func(in comic.DetectInput) (comic.DetectOutput, error) {
					return detected(in), only(1, in.Page, temporal.NewTimeoutError(enumspb.TIMEOUT_TYPE_SCHEDULE_TO_CLOSE, nil))
				}
			},
			want: recordedFailure(comic.ModeSplit, comic.StageDetect, core.CodeUnavailable),
		},
		"an error of no code": {
			spoil: func(s *stage) {
				s.detect = func(in comic.DetectInput) (comic.DetectOutput, error) {
					return detected(in), only(1, in.Page, temporal.NewNonRetryableApplicationError("odd", "errorString", nil))
				}
			},
			want: recordedFailure(comic.ModeSplit, comic.StageDetect, core.CodeInternal),
		},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := newStage(t, 3)
			c.spoil(s)
			in := chapterOf(3)
			if c.mode != "" {
				in.Options = optionsWith(func(o *comic.Options) { o.Mode = c.mode })
			}
			result := s.chapter(in)
			require.Equal(t, core.TaskResult{Status: core.StatusPartial, TotalCount: 3, SuccessCount: 2, FailedCount: 1}, result)
			got := s.inputs(core.StepRecordFailure)
			require.Len(t, got, 1)
			failed := got[0].(core.RecordFailureInput)
			require.NotEmpty(t, failed.Failure.Message)
			failed.Failure.Message = ""
			require.Equal(t, c.want, failed)
		})
	}
}

func TestAllPagesFailed(t *testing.T) {
	t.Parallel()
	s := newStage(t, 3)
	s.detect = func(comic.DetectInput) (comic.DetectOutput, error) {
		return comic.DetectOutput{}, coded(core.CodeModelMissing)
	}
	require.Equal(t, core.TaskResult{Status: core.StatusError, TotalCount: 3, FailedCount: 3}, s.chapter(chapterOf(3)))
	require.Equal(t, []string{"running", "error"}, s.statuses())
}

func TestAStepIsRetriedByTheRuleOfItsCode(t *testing.T) {
	t.Parallel()
	s := newStage(t, 1)
	attempts := 0
	s.translate = func(in comic.TranslateInput) (comic.TranslateOutput, error) {
		if attempts++; attempts < 3 {
			return comic.TranslateOutput{}, temporal.NewApplicationErrorWithOptions("busy", string(core.CodeTranslatorRateLimited),
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
			s.env.OnActivity(comic.StepTranslate, anything, anything).After(time.Minute).Return(
				func(_ context.Context, in comic.TranslateInput) (comic.TranslateOutput, error) {
					return translated(in), nil
				})
			in := chapterOf(120)
			in.Window = given
			in.State = stateOf(slowDevices())
			require.Equal(t, 120, s.chapter(in).SuccessCount)
			require.Equal(t, want, s.widest())
		})
	}
}

// slowDevices are what a chapter waits for: it detects as far ahead as it may.
func slowDevices() comicflow.Latencies {
	return comicflow.Latencies{Detect: latency.Estimate{Mean: 24 * time.Hour}, Translate: latency.Estimate{Mean: time.Second}}
}

func TestProgressTellsWhereEachPageIs(t *testing.T) {
	t.Parallel()
	s := newStage(t, 6)
	s.env.OnActivity(comic.StepTranslate, anything, anything).After(time.Minute).Return(
		func(_ context.Context, in comic.TranslateInput) (comic.TranslateOutput, error) {
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
	slow := slowDevices()
	slow.Translate.Mean = time.Minute
	in.Window, in.State = 3, stateOf(slow)
	s.chapter(in)
	require.Equal(t, workflows.Progress{
		Total: 6, Done: 1, Success: 1, Modes: map[core.Mode]int{comic.ModeSplit: 1},
		InFlight: []workflows.ItemProgress{
			{Index: 1, Name: "001.png", Stage: comic.StageTranslate},
			{Index: 2, Name: "002.png", Stage: comic.StageTranslate, Waiting: true},
			{Index: 3, Name: "003.png", Stage: comic.StageTranslate, Waiting: true},
		},
	}, p)
	require.Equal(t, `**1 of 6 done** · 1 succeeded (1 split) · 0 failed

| item | file | stage |
|---|---|---|
| 2 | 001.png | translate |
| 3 | 002.png | waiting for translate |
| 4 | 003.png | waiting for translate |
`, details)
}

func recordedFailure(mode core.Mode, stage core.Stage, code core.Code) core.RecordFailureInput {
	return core.RecordFailureInput{Item: pageRef(1), Mode: mode, Failure: core.Failure{Stage: stage, Code: code}}
}

// only is err for the page at index, and nil for others.
func only(index int, p core.Item, err error) error {
	if p.Index == index {
		return err
	}
	return nil
}

func sorted(indices []int) []int {
	return slices.Sorted(slices.Values(indices))
}
