package comic

import (
	"context"
	"errors"
	"time"

	"plait/internal/comic"
	"plait/internal/core"
	comicrecords "plait/internal/records/comic"
)

const (
	// orderPatience is how long a page waits for earlier ones to begin. Those that were asked for together with it come at once.
	orderPatience = time.Second
	// roomPatience is how long it does so in the last room of a host, and roomAgain how long it leaves the room to others then.
	roomPatience, roomAgain = 100 * time.Millisecond, 300 * time.Millisecond
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
	if a.Leases.Full() {
		patience = roomPatience
	}
	over := a.Await(ctx, in.Page, patience, func() bool { return !a.overtakes(ctx, in.Page) })
	if over == nil || !a.Leases.Full() {
		return nil
	}
	early := core.NewError(core.CodeOutOfTurn, "an earlier page of the chapter needs the room").WithRetryAfter(roomAgain)
	return a.Failure(ctx, early)
}

// overtakes says that an earlier page of the chapter has not begun. What the records do not tell now, the step itself finds
// out.
func (a *Activities) overtakes(ctx context.Context, p core.Item) bool {
	overtakes, err := a.pages.Overtakes(ctx, p)
	return err == nil && overtakes
}

// prefetchPatience is how long a translation that was asked for ahead waits for those before it: what is asked for ahead takes less
// (workflows). One whose worker was killed is given to another by then.
const prefetchPatience = 20 * time.Second

// afterEarlier lets a translation that was asked for ahead wait until the pages before have theirs. It has begun by then, and goes on at
// once: a model is not idle for as long as it takes to ask for a step. It waits only for what is under way: a page before that is
// to be tried again may need this place.
func (a *Activities) afterEarlier(ctx context.Context, in comic.TranslateInput) error {
	if !in.Prefetch {
		return nil
	}
	began := time.Now()
	var order comicrecords.Order
	var err error
	over := a.Await(ctx, in.Page, prefetchPatience, func() bool {
		order, err = a.pages.TranslateOrder(ctx, in.Page)
		switch order {
		case comicrecords.EarlierRunning:
			return err != nil
		case comicrecords.EarlierPending: // it may have been asked for together with this one
			return err != nil || time.Since(began) > orderPatience
		default:
			return true
		}
	})
	switch {
	case err != nil:
		return err
	case over != nil && !errors.Is(over, context.DeadlineExceeded):
		return over
	case order == comicrecords.TaskPaused:
		return errPaused
	case order != comicrecords.TranslateReady:
		return core.NewError(core.CodeOutOfTurn, "an earlier page of the chapter has no translations yet")
	default:
		return nil
	}
}
