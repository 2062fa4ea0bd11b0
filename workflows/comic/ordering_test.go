package comic_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	enumspb "go.temporal.io/api/enums/v1"
	"go.temporal.io/sdk/temporal"

	"plait/internal/comic"
	"plait/internal/core"
	"plait/internal/latency"
	comicflow "plait/workflows/comic"
)

// aheads are, in the order of asking, the pages whose translations were asked for, and those of them that were ahead of their turn.
func (s *stage) aheads() (pages, ahead []int) {
	for _, in := range s.inputs(comic.StepTranslate) {
		in := in.(comic.TranslateInput)
		if pages = append(pages, in.Page.Index); in.Prefetch {
			ahead = append(ahead, in.Page.Index)
		}
	}
	return pages, ahead
}

// While a page is translated, the next one is asked for and no further one: what is asked for takes the place of others.
func TestTheNextTranslationIsAskedForAhead(t *testing.T) {
	t.Parallel()
	const pages = 12
	for _, c := range []struct {
		model time.Duration
		ahead bool
	}{{time.Second, true}, {9 * time.Second, true}, {30 * time.Second, false}} {
		t.Run(fmt.Sprint(c.model), func(t *testing.T) {
			t.Parallel()
			s := newStage(t, pages)
			most := 0
			steps := s.takes(latencies{detect: 100 * time.Millisecond, translate: always(c.model)})
			steps.asked = func(waiting time.Duration) { most = max(most, int(waiting.Round(c.model)/c.model)) }
			began := s.env.Now()
			in := chapterOf(pages)
			in.State = stateOf(comicflow.Latencies{Translate: latency.Estimate{Mean: c.model}})
			require.Equal(t, pages, s.chapter(in).SuccessCount)
			require.InDelta(t, pages*c.model.Seconds(), s.env.Now().Sub(began).Seconds(), 0.2)
			want := 1
			if c.ahead {
				want = 2
			}
			require.Equal(t, want, most, "translations that were asked for at once")
		})
	}
}

// What a translation waits for its turn is not taken for the time of the model: the chapter would detect less far ahead.
func TestWaitingForATurnIsNotMeasured(t *testing.T) {
	t.Parallel()
	const pages, model = 40, 2 * time.Second
	s := newStage(t, pages)
	s.takes(latencies{detect: 100 * time.Millisecond, translate: always(model)})
	s.render = func(in comic.RenderInput) (comic.PageOutput, error) {
		s.env.SetContinueAsNewSuggested(in.Page.Index == 20)
		return rendered(in.Page, comic.ModeSplit), nil
	}
	next := s.continued(chapterOf(pages))
	require.InDelta(t, model.Seconds(), latenciesOf(t, next).Translate.Mean.Seconds(), 0.01)
}

// What is asked for ahead is on a queue of its own, once. Where no worker takes it, or one fails, it is asked for in its turn.
func TestATranslationAheadIsTriedOnce(t *testing.T) {
	t.Parallel()
	for name, fault := range map[string]error{
		"no worker":  temporal.NewTimeoutError(enumspb.TIMEOUT_TYPE_SCHEDULE_TO_START, nil),
		"one killed": temporal.NewTimeoutError(enumspb.TIMEOUT_TYPE_HEARTBEAT, nil),
		"an outage":  coded(core.CodeTranslatorUnavailable),
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := newStage(t, 4)
			failed := 0
			s.translate = func(in comic.TranslateInput) (comic.TranslateOutput, error) {
				if in.Prefetch {
					failed++
					return comic.TranslateOutput{}, fault
				}
				return translated(in), nil
			}
			in := chapterOf(4)
			in.State = stateOf(comicflow.Latencies{Translate: latency.Estimate{Mean: time.Millisecond}})
			require.Equal(t, 4, s.chapter(in).SuccessCount)
			_, ahead := s.aheads()
			require.Len(t, ahead, failed, "none is tried twice")
			for _, c := range s.calls {
				if in, ok := c.input.(comic.TranslateInput); ok {
					require.Equal(t, in.Prefetch, c.queue == comicflow.QueueTranslatePrefetch)
				}
			}
		})
	}
}

// A page that was asked for ahead, and whose predecessor is not translated after all, is asked for again in its turn.
func TestATranslationOutOfTurnIsAskedForAgain(t *testing.T) {
	t.Parallel()
	const pages = 4
	s := newStage(t, pages)
	s.translate = func(in comic.TranslateInput) (comic.TranslateOutput, error) {
		if in.Prefetch {
			return comic.TranslateOutput{}, coded(core.CodeOutOfTurn)
		}
		return translated(in), nil
	}
	in := chapterOf(pages)
	in.State = stateOf(comicflow.Latencies{Translate: latency.Estimate{Mean: time.Millisecond}})
	require.Equal(t, pages, s.chapter(in).SuccessCount)
	require.Empty(t, s.inputs(core.StepRecordFailure))
	asked, ahead := s.aheads()
	require.Len(t, asked, pages+len(ahead))
	var inTurn []int
	for _, in := range s.inputs(comic.StepTranslate) {
		if in := in.(comic.TranslateInput); !in.Prefetch {
			inTurn = append(inTurn, in.Page.Index)
		}
	}
	require.Equal(t, []int{0, 1, 2, 3}, inTurn)
}
