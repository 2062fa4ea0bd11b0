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
	// orderPatience is how long a page waits for earlier ones to begin. Pages that were requested together with it begin at once.
	orderPatience = time.Second
	// roomPatience is that wait when the host has room for one more lease only; the step is then tried again after roomAgain.
	roomPatience, roomAgain = 100 * time.Millisecond, 300 * time.Millisecond
)

// inOrder waits, for a while, until the earlier pages of the chapter have begun. Steps that were requested together arrive in any
// order, but a model can only start with the first page. Meanwhile the worker takes other steps.
//
// When the host has room for one more context only, the page returns to the queue and leaves the room to the earlier page. Otherwise
// later pages would fill the host and wait for that page until their contexts expire.
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

// overtakes reports whether an earlier page of the chapter has not begun. It ignores an error of the records, which the step itself
// meets again.
func (a *Activities) overtakes(ctx context.Context, p core.Item) bool {
	overtakes, err := a.pages.Overtakes(ctx, p)
	return err == nil && overtakes
}

// prefetchPatience is how long a translation that was requested ahead waits for the earlier ones. Translations are requested ahead
// only while one takes less than half of this (workflows). It is enough for Temporal to replace a killed worker.
const prefetchPatience = 20 * time.Second

// afterEarlier lets a translation that was requested ahead wait until the earlier pages have theirs. It then starts at once, without
// the round trip of a new step, during which the model would be idle. It waits only for translations in progress: an earlier page
// that is to be tried again may need this slot.
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
		case comicrecords.EarlierPending: // it may have been requested together with this one and start soon
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
