package workflows

import "go.temporal.io/sdk/workflow"

// Ordering makes the items of a task take a step in order: each item waits until the item before it passes its turn on. Its zero
// value is ready to use.
type Ordering struct {
	// last is what the next item waits for; nil for the first item.
	last workflow.Future
	open int
}

// Open is the number of turns that have not been passed on.
func (s *Ordering) Open() int { return s.open }

// Turn is the turn of one item.
type Turn struct {
	of *Ordering
	// before is nil for the first item, and after the turn has come.
	before workflow.Future
	mine   workflow.Settable
}

// Next creates the turn of the next item.
func (s *Ordering) Next(ctx workflow.Context) Turn {
	after, mine := workflow.NewFuture(ctx)
	t := Turn{of: s, before: s.last, mine: mine}
	s.last = after
	s.open++
	return t
}

// Wait returns when the turn has come, or with the cancellation of ctx. Every item passes its turn on, however it ends, so a canceled
// task does not wait here for long.
func (t *Turn) Wait(ctx workflow.Context) error {
	if t.before != nil {
		if err := t.before.Get(ctx, nil); err != nil {
			return err
		}
		t.before = nil
	}
	return ctx.Err()
}

// Come reports whether Wait would return immediately.
func (t *Turn) Come() bool { return t.before == nil || t.before.IsReady() }

// PassAfter passes the turn on once the item's other turn has come. It requires that this turn has come.
func (t *Turn) PassAfter(other *Turn) {
	if !other.Come() {
		t.before = other.before
	}
	t.Pass()
}

// Pass passes the turn to the next item; a second call does nothing. When an item ends before its turn has come, because it has no text or
// failed, the next item waits for the items before it.
func (t *Turn) Pass() {
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
