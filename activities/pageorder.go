package activities

import (
	"context"
	"time"

	"plait/internal/pipeline"
)

const (
	// orderPatience is how long a page waits for earlier ones to begin. Those that were asked for together with it come at once.
	orderPatience = time.Second
	// roomPatience is how long it does so in the last room of a host.
	roomPatience = 100 * time.Millisecond
	// lookAgain is how often it looks for them.
	lookAgain = 20 * time.Millisecond
)

// inOrder keeps the pages of a chapter in their order where steps that were asked for together come in any: a model waits for the
// first of them. A page that is before its time lets the worker take others in its place, for a while.
//
// The last room of this host it leaves to the earlier page, which is in the queue too: the later ones would wait for it, in
// all the room there is, until they expire.
func (a *Activities) inOrder(ctx context.Context, in pipeline.DetectInput) error {
	if !in.Yield || !a.overtakes(ctx, in.Page) {
		return nil
	}
	patience := orderPatience
	if a.contexts.Full() {
		patience = roomPatience
	}
	if !a.staysAhead(ctx, in.Page, patience) || !a.contexts.Full() {
		return nil
	}
	early := pipeline.NewError(pipeline.CodeOutOfTurn, "an earlier page of the chapter needs the room")
	return failure(ctx, pipeline.StageDetect, nil, early)
}

// staysAhead waits until every earlier page of the chapter has begun. It is true where one has not by then.
func (a *Activities) staysAhead(ctx context.Context, p pipeline.PageRef, patience time.Duration) bool {
	defer noteWaiting(ctx)()
	waiting, done := untilStop(ctx)
	defer done()
	waiting, cancel := context.WithTimeout(waiting, patience)
	defer cancel()
	again := time.NewTicker(lookAgain)
	defer again.Stop()
	for {
		select {
		case <-waiting.Done():
			return true
		case <-again.C:
			if !a.overtakes(ctx, p) {
				return false
			}
		}
	}
}

// overtakes says that an earlier page of the chapter has not begun. What the records do not tell now, the step itself finds
// out.
func (a *Activities) overtakes(ctx context.Context, p pipeline.PageRef) bool {
	overtakes, err := a.records.Overtakes(ctx, p)
	return err == nil && overtakes
}
