package chaos_test

import (
	"context"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"plait/internal/core"
)

// calmAtOnce is how many chapters are under way at a time before the storm.
const calmAtOnce = 6

// TestStorm is the whole story: calm, storm, and what is found after it.
func TestStorm(t *testing.T) {
	in := newInstallation(t, *seed)
	in.journal.tell("seed", "%d", *seed)
	strikes := max(len(faults()), int(*duration/((minPause+maxPause)/2)))
	chapters := newChapters(*seed, strikes)

	receivers := map[string]*receiver{"calm": newReceiver(t, in.records, "calm"), "storm": newReceiver(t, in.records, "storm")}
	calm := in.customer("calm")
	expected := calm.through(chapters)
	in.journal.tell("calm", "%d chapters are through", len(chapters))

	s := newStorm(in, in.customer("storm"))
	s.rage(chapters)
	ended := s.weather()

	found := &findings{}
	s.checkStruck(found)
	var err error
	s.fallbacks, err = s.fallbacksByCause()
	require.NoError(t, err)
	s.checkEnds(found, chapters, ended, expected)
	s.checkCalls(found)
	s.checkWebhooks(found, receivers)
	s.checkLeftovers(found)
	s.summarize(chapters, ended, found)
	found.require(t, *seed)
}

// through posts chapters a few at a time, and returns how their pages ended.
func (c *customer) through(chapters []chapter) map[int][]outcome {
	c.t.Helper()
	ctx, cancel := context.WithTimeout(c.t.Context(), patienceFor(len(chapters)))
	defer cancel()
	places := make(chan struct{}, calmAtOnce)
	var posting sync.WaitGroup
	for _, ch := range chapters {
		places <- struct{}{}
		posting.Go(func() {
			defer func() { <-places }()
			c.serve(ctx, ch.inCalm())
		})
	}
	posting.Wait()
	require.Empty(c.t, c.complaints)
	ended, err := c.untilEnded(ctx)
	require.NoError(c.t, err)
	outcomes := map[int][]outcome{}
	for number, task := range ended {
		outcomes[number] = c.outcomes(ctx, task)
		for i, o := range outcomes[number] {
			require.NoError(c.t, o.unread)
			require.True(c.t, o.status == core.StatusSuccess || o.code == core.CodeInvalidImage, "task %s, page %d: %s", task.ID, i, o)
		}
	}
	return outcomes
}
