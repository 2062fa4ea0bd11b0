package translate

import (
	"context"
	"fmt"
	"time"

	"plait/internal/core"
	"plait/internal/translate/ledger"
)

const (
	// recordTimeout bounds one try at recording a call. It also happens when the caller is gone: the call is paid for.
	recordTimeout = 10 * time.Second
	// recordGrace is how long an answer is kept at least for its record, whatever becomes of the caller. A database
	// restarts within it; its outage is what often ends the caller too, whose slot is a session.
	recordGrace = time.Minute
	// The waits between tries double from the first to the last.
	recordFirstWait = 100 * time.Millisecond
	recordLastWait  = 15 * time.Second
)

// record keeps an answer that was paid for, through an outage of the ledger: until ctx ends, and for recordGrace at
// least. A ledger that refuses the call is not asked again. Whoever waits for the ledger holds no slot: others may have calls to
// look up.
func (m *model) record(ctx context.Context, slot Slot, c ledger.Call) error {
	recording, stop := outlive(ctx, recordGrace)
	defer stop()
	for wait := recordFirstWait; ; wait = min(2*wait, recordLastWait) {
		err := m.tryRecord(recording, c)
		if err == nil {
			return nil
		}
		failed := fmt.Errorf("record a model call: %w", err)
		if !outage(err) {
			return failed
		}
		m.log.WarnContext(ctx, "a model call cannot be recorded yet", "error", err)
		if slot != nil {
			slot.Yield()
		}
		select {
		case <-recording.Done():
			return failed
		case <-time.After(wait):
		}
	}
}

func (m *model) tryRecord(ctx context.Context, c ledger.Call) error {
	ctx, cancel := context.WithTimeout(ctx, recordTimeout)
	defer cancel()
	return m.ledger.RecordCall(ctx, c)
}

// outage reports whether err tells that the ledger is away, or did not answer in time.
func outage(err error) bool {
	code := core.CodeOf(err)
	return code == core.CodeUnavailable || code == core.CodeCanceled
}

// outlive is a context that ends when ctx has ended, but not before the grace has passed.
func outlive(ctx context.Context, grace time.Duration) (context.Context, context.CancelFunc) {
	longer, cancel := context.WithCancel(context.WithoutCancel(ctx))
	passed := time.AfterFunc(grace, func() { context.AfterFunc(ctx, cancel) })
	return longer, func() {
		passed.Stop()
		cancel()
	}
}
