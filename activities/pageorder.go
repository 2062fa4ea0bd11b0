package activities

import (
	"context"
	"time"

	"plait/internal/comic"
	"plait/internal/core"
)

const (
	// orderPatience is how long a page waits for earlier ones to begin. Those that were asked for together with it come at once.
	orderPatience = time.Second
	// roomPatience is how long it does so in the last room of a host, and roomAgain how long it leaves the room to others then.
	roomPatience, roomAgain = 100 * time.Millisecond, 300 * time.Millisecond
	// lookAgain is how often who waits for earlier pages looks for them although nothing is heard of them.
	lookAgain = 250 * time.Millisecond
)

// inOrder keeps the pages of a chapter in their order where steps that were asked for together come in any: a model waits for the
// first of them. A page that is before its time lets the worker take others in its place, for a while.
//
// The last room of this host it leaves to the earlier page, which is in the queue too: the later ones would wait for it, in
// all the room there is, until they expire.
func (a *Activities) inOrder(ctx context.Context, in comic.DetectInput) error {
	if !in.Yield || !a.overtakes(ctx, in.Page) {
		return nil
	}
	patience := orderPatience
	if a.contexts.Full() {
		patience = roomPatience
	}
	over := a.await(ctx, in.Page, patience, func() bool { return !a.overtakes(ctx, in.Page) })
	if over == nil || !a.contexts.Full() {
		return nil
	}
	early := core.NewError(core.CodeOutOfTurn, "an earlier page of the chapter needs the room").WithRetryAfter(roomAgain)
	return failure(ctx, comic.StageDetect, nil, early)
}

// overtakes says that an earlier page of the chapter has not begun. What the records do not tell now, the step itself finds
// out.
func (a *Activities) overtakes(ctx context.Context, p core.Item) bool {
	overtakes, err := a.records.Overtakes(ctx, p)
	return err == nil && overtakes
}

// await asks whether the waiting of a page is over: at once, whenever its task changes, and now and then. It returns nil when it is,
// or why it ends before: the end of patience, of ctx, or a worker that stops. Others are taken in place of a step that waits.
func (a *Activities) await(ctx context.Context, p core.Item, patience time.Duration, over func() bool) error {
	defer noteWaiting(ctx)()
	waiting, done := untilStop(ctx)
	defer done()
	waiting, cancel := context.WithTimeout(waiting, patience)
	defer cancel()
	changed, leave := a.records.Watch(p.TaskID)
	defer leave()
	again := time.NewTicker(lookAgain)
	defer again.Stop()
	for !over() {
		select {
		case <-waiting.Done():
			return context.Cause(waiting)
		case <-changed:
		case <-again.C:
		}
	}
	return nil
}
