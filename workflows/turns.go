package workflows

import "go.temporal.io/sdk/workflow"

// turn makes the pages of a chapter take a step in page order: a page waits for the turn that the page before it
// passes on.
type turn struct {
	// before is nil for the first page, and once the turn has come.
	before workflow.Future
	mine   workflow.Settable
}

// nextTurn comes when before is settled, or at once when before is nil; after is what the following page waits for.
func nextTurn(ctx workflow.Context, before workflow.Future) (t turn, after workflow.Future) {
	after, mine := workflow.NewFuture(ctx)
	return turn{before: before, mine: mine}, after
}

// wait returns when the turn has come, or with the cancellation of ctx. A page passes its turn on however it ends, so a
// canceled chapter does not wait here for long.
func (t *turn) wait(ctx workflow.Context) error {
	if t.before != nil {
		if err := t.before.Get(ctx, nil); err != nil {
			return err
		}
		t.before = nil
	}
	return ctx.Err()
}

// pass lets the following page go on; a second pass does nothing. A page that ends before its turn has come, because it
// has no text or failed, leaves the following one to wait for those before.
func (t *turn) pass() {
	switch {
	case t.mine == nil:
		return
	case t.before != nil:
		t.mine.Chain(t.before)
	default:
		t.mine.Set(nil, nil)
	}
	t.mine = nil
}
