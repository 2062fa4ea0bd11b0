package comic_test

import (
	"context"
	"fmt"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"go.temporal.io/sdk/temporal"

	"plait/internal/comic"
	"plait/internal/core"
	"plait/workflows"
	comicflow "plait/workflows/comic"
)

// latencies are what steps take, on the clock of the test.
type latencies struct {
	detect time.Duration
	// translate is that of the n-th translation, counted from 0.
	translate func(n int) time.Duration
}

func always(d time.Duration) func(int) time.Duration { return func(int) time.Duration { return d } }

// timed is what was asked of a stage whose steps take their time.
type timed struct {
	mu sync.Mutex
	// born tells when the detect context of a page came to be.
	born map[int]time.Time
	// free is when the one model has answered all that it was asked.
	free time.Time

	detects, translations int
	// asked, when not nil, is told how long each translation takes with its waiting for the model.
	asked func(time.Duration)
}

// takes gives the steps of a stage these latencies.
func (s *stage) takes(l latencies) *timed {
	r := &timed{born: make(map[int]time.Time)}
	s.env.OnActivity(comic.StepDetect, anything, anything).After(l.detect).Return(
		func(_ context.Context, in comic.DetectInput) (comic.DetectOutput, error) {
			r.mu.Lock()
			defer r.mu.Unlock()
			r.detects++
			r.born[in.Page.Index] = s.env.Now()
			return detected(in), nil
		})
	s.env.OnActivity(comic.StepTranslate, anything, anything).AfterFn(func() time.Duration {
		r.mu.Lock()
		defer r.mu.Unlock()
		r.translations++
		if now := s.env.Now(); r.free.Before(now) {
			r.free = now
		}
		r.free = r.free.Add(l.translate(r.translations - 1))
		takes := r.free.Sub(s.env.Now())
		if r.asked != nil {
			r.asked(takes)
		}
		return takes
	}).Return(func(_ context.Context, in comic.TranslateInput) (comic.TranslateOutput, error) {
		return translated(in), nil
	})
	return r
}

// age is how old the detect context of a page is now.
func (r *timed) age(s *stage, page int) time.Duration {
	r.mu.Lock()
	defer r.mu.Unlock()
	return s.env.Now().Sub(r.born[page])
}

// ages runs a chapter whose steps take so long. It returns how old the oldest detect context was when its render was asked for,
// and how long the chapter took.
func ages(t *testing.T, pages int, l latencies) (oldest, took time.Duration) {
	t.Helper()
	s := newStage(t, pages)
	var mu sync.Mutex
	steps := s.takes(l)
	s.render = func(in comic.RenderInput) (comic.PageOutput, error) {
		mu.Lock()
		defer mu.Unlock()
		oldest = max(oldest, steps.age(s, in.Page.Index))
		return rendered(in.Page, comic.ModeSplit), nil
	}
	began := s.env.Now()
	require.Equal(t, pages, s.chapter(chapterOf(pages)).TotalCount)
	return oldest, s.env.Now().Sub(began)
}

func TestContextsAreFreshWhenTheirTranslationsAreDone(t *testing.T) {
	t.Parallel()
	const pages, ttl = 20, 300 * time.Second
	cases := map[string]func(int) time.Duration{
		"quick": always(time.Second), "usual": always(30 * time.Second), "slow": always(70 * time.Second),
		"slower and slower": func(n int) time.Duration { return time.Duration(5+7*n) * time.Second },
		"now so, now so":    func(n int) time.Duration { return time.Duration(10+80*(n%2)) * time.Second },
		"suddenly slow":     func(n int) time.Duration { return time.Duration(20+120*(n/10)) * time.Second },
	}
	for name, translate := range cases {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			oldest, took := ages(t, pages, latencies{detect: 2 * time.Second, translate: translate})
			require.Less(t, oldest, ttl)
			model := time.Duration(0)
			for n := range pages {
				model += translate(n)
			}
			// The model waits for no detect but the first, and those that are put off to be fresh.
			require.Less(t, took, model+model/20+4*time.Second)
		})
	}
}

// Where the device is slower than the model, pages are detected as far ahead as it takes to keep the model busy.
func TestDetectsRunAheadOfAQuickModel(t *testing.T) {
	t.Parallel()
	const pages, detect = 3 * workflows.DefaultWindow, 8 * time.Second
	for _, model := range []time.Duration{100 * time.Millisecond, time.Second, 4 * time.Second} {
		t.Run(fmt.Sprint(model), func(t *testing.T) {
			t.Parallel()
			_, took := ages(t, pages, latencies{detect: detect, translate: always(model)})
			bound := max(pages*model, pages/workflows.DefaultWindow*detect)
			// The first detect, and one more until it is known how quick the model is.
			require.Less(t, took, bound+bound/20+2*detect)
		})
	}
}

// A page whose first detect fails is detected again when its turn has come, on a queue that hosts keep room for.
func TestADetectThatFailsIsTriedAgainInItsTurn(t *testing.T) {
	t.Parallel()
	s := newStage(t, 4)
	s.detect = func(in comic.DetectInput) (comic.DetectOutput, error) {
		if in.Page.Index == 1 && in.Attempts == 0 {
			return comic.DetectOutput{}, coded(core.CodeUnavailable)
		}
		return detected(in), nil
	}
	require.Equal(t, 4, s.chapter(chapterOf(4)).SuccessCount)
	var again []call
	for _, c := range s.calls {
		if c.queue == comicflow.QueueDetectNow {
			again = append(again, c)
		}
	}
	require.Len(t, again, 1)
	require.Equal(t, comic.DetectInput{Page: pageRef(1), Options: options(), Attempts: 1}, again[0].input)
	require.Equal(t, []int{0, 1, 2, 3}, s.order(comic.StepTranslate))
}

// A page that came to a full host before an earlier one is asked for again after it.
func TestAPageOutOfTurnIsDetectedAfterTheOnesBefore(t *testing.T) {
	t.Parallel()
	s := newStage(t, 4)
	s.detect = func(in comic.DetectInput) (comic.DetectOutput, error) {
		if in.Page.Index == 2 && in.Yield {
			return comic.DetectOutput{}, coded(core.CodeOutOfTurn)
		}
		return detected(in), nil
	}
	require.Equal(t, 4, s.chapter(chapterOf(4)).SuccessCount)
	var asked []bool
	for _, in := range s.inputs(comic.StepDetect) {
		if in := in.(comic.DetectInput); in.Page.Index == 2 {
			asked = append(asked, in.Yield)
		}
	}
	require.Equal(t, []bool{true, false}, asked)
	require.Equal(t, []int{0, 1, 2, 3}, s.order(comic.StepTranslate))
}

// Earlier pages begin soon, so a page that came before them comes again by itself; what else befalls it is mended in its turn.
func TestAPageThatComesEarlyComesAgain(t *testing.T) {
	t.Parallel()
	s := newStage(t, 4)
	tries := 0
	s.detect = func(in comic.DetectInput) (comic.DetectOutput, error) {
		if in.Page.Index != 2 || in.Attempts > 0 {
			return detected(in), nil
		}
		if tries++; tries <= 3 {
			return comic.DetectOutput{}, temporal.NewApplicationErrorWithOptions("early", string(core.CodeOutOfTurn),
				temporal.ApplicationErrorOptions{NextRetryDelay: 300 * time.Millisecond})
		}
		return comic.DetectOutput{}, coded(core.CodeDevice)
	}
	began := s.env.Now()
	require.Equal(t, 4, s.chapter(chapterOf(4)).SuccessCount)
	require.Less(t, s.env.Now().Sub(began), 2*time.Second)
	require.Equal(t, 4, tries)
	var again []any
	for _, c := range s.calls {
		if c.queue == comicflow.QueueDetectNow {
			again = append(again, c.input)
		}
	}
	require.Equal(t, []any{comic.DetectInput{Page: pageRef(2), Options: options(), Attempts: 1}}, again)
}

func TestAPageThatCannotBeDetectedIsNotTriedAgain(t *testing.T) {
	t.Parallel()
	s := newStage(t, 2)
	s.detect = func(in comic.DetectInput) (comic.DetectOutput, error) {
		return detected(in), only(1, in.Page, coded(core.CodeInvalidImage))
	}
	require.Equal(t, 1, s.chapter(chapterOf(2)).FailedCount)
	require.Equal(t, 2, s.counts()["Detect"])
}
