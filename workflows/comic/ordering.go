package comic

import "go.temporal.io/sdk/workflow"

// ordering makes the pages of a chapter take a step in page order: each page waits until the page before it passes the turn on. Its zero
// value is ready to use.
type ordering struct {
	// last is what the next page waits for; nil for the first page.
	last workflow.Future
	// open is the number of turns that have not been passed on.
	open int
}

// turn is the turn of one page.
type turn struct {
	of *ordering
	// before is nil for the first page, and after the turn has come.
	before workflow.Future
	mine   workflow.Settable
}

// next creates the turn of the next page.
func (s *ordering) next(ctx workflow.Context) turn {
	after, mine := workflow.NewFuture(ctx)
	t := turn{of: s, before: s.last, mine: mine}
	s.last = after
	s.open++
	return t
}

// wait returns when the turn has come, or with the cancellation of ctx. Every page passes its turn on, however it ends, so a canceled
// chapter does not wait here for long.
func (t *turn) wait(ctx workflow.Context) error {
	if t.before != nil {
		if err := t.before.Get(ctx, nil); err != nil {
			return err
		}
		t.before = nil
	}
	return ctx.Err()
}

// come reports whether wait would return immediately.
func (t *turn) come() bool { return t.before == nil || t.before.IsReady() }

// passAfter passes the turn on once the page's other turn has come. It requires that this turn has come.
func (t *turn) passAfter(other *turn) {
	if !other.come() {
		t.before = other.before
	}
	t.pass()
}

// pass passes the turn to the next page; a second call does nothing. When a page ends before its turn has come, because it has no text or
// failed, the next page waits for the pages before it.
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
