package comic_test

import (
	"fmt"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"plait/internal/comic"
	"plait/internal/core"
	"plait/workflows"
)

// A model becomes 140 times slower from one page to the next. What was detected ahead of it may expire, and nothing that is
// detected once the first slow answer has come; no page is translated twice.
func TestAModelThatSlowsDownCostsAWindowAtMost(t *testing.T) {
	t.Parallel()
	const pages, quickPages, ttl = 40, 10, 300 * time.Second
	for _, detect := range []time.Duration{500 * time.Millisecond, 2 * time.Second, 8 * time.Second} {
		for _, quick := range []time.Duration{200 * time.Millisecond, time.Second, 2 * time.Second} {
			t.Run(fmt.Sprintf("detect %v, translate %v", detect, quick), func(t *testing.T) {
				t.Parallel()
				var mu sync.Mutex
				var told time.Time
				s := newStage(t, pages)
				steps := s.takes(latencies{detect: detect, translate: func(n int) time.Duration {
					if n == quickPages {
						told = s.env.Now().Add(140 * quick)
					}
					if n >= quickPages {
						return 140 * quick
					}
					return quick
				}})
				var expired []int
				s.render = func(in comic.RenderInput) (comic.PageOutput, error) {
					mu.Lock()
					defer mu.Unlock()
					if steps.age(s, in.Page.Index) < ttl {
						return rendered(in.Page, comic.ModeSplit), nil
					}
					expired = append(expired, in.Page.Index)
					return comic.PageOutput{}, coded(core.CodeTaskExpired)
				}
				result := s.chapter(chapterOf(pages))
				require.Equal(t, core.StatusSuccess, result.Status)
				require.Equal(t, len(expired), result.Modes[comic.ModeFallback])
				require.Less(t, len(expired), workflows.DefaultWindow)
				for _, page := range expired {
					require.Less(t, steps.born[page].Add(-detect), told, "page %d was detected after the model was known to be slow", page)
				}
				require.Equal(t, []int{pages, pages}, []int{steps.detects, steps.translations}, "none is asked for twice")
				require.Len(t, s.order(comic.StepPage), len(expired))
			})
		}
	}
}
