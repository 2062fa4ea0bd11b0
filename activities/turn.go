package activities

import (
	"context"
	"errors"
	"time"

	"plait/internal/comic"
	"plait/internal/core"
	"plait/internal/records"
)

// aheadPatience is how long a translation that was asked for ahead waits for those before it: what is asked for ahead takes less
// (workflows). One whose worker was killed is given to another by then.
const aheadPatience = 20 * time.Second

// inTurn lets a translation that was asked for ahead wait until the pages before have theirs. It has begun by then, and goes on at
// once: a model is not idle for as long as it takes to ask for a step. It waits only for what is under way: a page before that is
// to be tried again may need this place.
func (a *Activities) inTurn(ctx context.Context, in comic.TranslateInput) error {
	if !in.Ahead {
		return nil
	}
	began := time.Now()
	var turn records.Turn
	var err error
	over := a.await(ctx, in.Page, aheadPatience, func() bool {
		turn, err = a.records.TranslateTurn(ctx, in.Page)
		switch turn {
		case records.TurnNear:
			return err != nil
		case records.TurnFar: // it may have been asked for together with this one
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
	case turn == records.TurnPaused:
		return errPaused
	case turn != records.TurnCome:
		return core.NewError(core.CodeOutOfTurn, "an earlier page of the chapter has no translations yet")
	default:
		return nil
	}
}
