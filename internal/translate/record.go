package translate

import (
	"context"
	"fmt"
	"time"

	"github.com/google/uuid"

	"plait/internal/core"
	"plait/internal/translate/ledger"
)

const (
	// recordTimeout bounds one try to record a call. The call is recorded even if the caller has gone, because it is paid for.
	recordTimeout = 10 * time.Second
	// recordGrace is the least time for which an answer is kept for its record, whatever happens to the caller. It is enough for a
	// database to restart.
	recordGrace = time.Minute
	// The waits between tries double, from recordFirstWait on.
	recordFirstWait = 100 * time.Millisecond
	recordLastWait  = 15 * time.Second
)

// record records a paid answer, and keeps trying through an outage of the ledger: until ctx ends, and for at least recordGrace. It does
// not try again if the ledger refuses the call. While it waits for the ledger it holds no slot, because other requests may have calls to
// look up.
func (m *model) record(ctx context.Context, slot Slot, c ledger.Call) error {
	c.ID = uuid.NewString() // an outage may hide that a try has succeeded
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

// outage reports whether err means that the ledger is unreachable, or did not answer in time.
func outage(err error) bool {
	code := core.CodeOf(err)
	return code == core.CodeUnavailable || code == core.CodeCanceled
}

// outlive returns a context that ends when ctx has ended, but not before the grace period is over.
func outlive(ctx context.Context, grace time.Duration) (context.Context, context.CancelFunc) {
	longer, cancel := context.WithCancel(context.WithoutCancel(ctx))
	passed := time.AfterFunc(grace, func() { context.AfterFunc(ctx, cancel) })
	return longer, func() {
		passed.Stop()
		cancel()
	}
}
