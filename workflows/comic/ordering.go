package comic

import "go.temporal.io/sdk/workflow"

// ordering makes the pages of a chapter take a step in page order: a page waits for the turn that the page before it passes
// on. Its zero value is ready.
type ordering struct {
	// last is what the page to come waits for; nil for the first.
	last workflow.Future
	// open is the number of turns that are not passed on yet.
	open int
}

// turn is that of one page.
type turn struct {
	of *ordering
	// before is nil for the first page, and once the turn has come.
	before workflow.Future
	mine   workflow.Settable
}

// next is the turn of the page to come.
func (s *ordering) next(ctx workflow.Context) turn {
	after, mine := workflow.NewFuture(ctx)
	t := turn{of: s, before: s.last, mine: mine}
	s.last = after
	s.open++
	return t
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

// come says that wait would not wait.
func (t *turn) come() bool { return t.before == nil || t.before.IsReady() }

// passAfter passes the turn on when another one of the page has come. Its own has come.
func (t *turn) passAfter(other *turn) {
	if !other.come() {
		t.before = other.before
	}
	t.pass()
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
	t.of.open--
}
