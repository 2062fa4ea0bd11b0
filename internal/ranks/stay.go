package ranks

import (
	"context"
	"time"

	"plait/internal/core"
	"plait/internal/ranks/link"
)

const (
	// alone is how long a rank tries to reach a leader.
	alone = 30 * time.Second
	// again is how long it waits before it tries again.
	again = 200 * time.Millisecond
)

// Stay joins the group of the leader at an address, as [link.Dial] reads it, and joins again when the connection is lost.
//
// Errors: CodeUnauthorized for a wrong token; CodeHostLost when there was no leader for half a minute; the context's.
func (m Member) Stay(ctx context.Context, leader, token string) error {
	reached := time.Now()
	for {
		conn, shared, err := link.Dial(ctx, leader, token)
		if err == nil {
			var joined bool
			if joined, err = m.join(ctx, conn, shared); joined {
				reached = time.Now()
			}
		}
		switch {
		case ctx.Err() != nil:
			return ctx.Err()
		case core.CodeOf(err) == core.CodeUnauthorized || core.CodeOf(err) == core.CodeInvalidInput:
			return err
		case time.Since(reached) > alone:
			return core.Wrap(core.CodeHostLost, err, "there is no leader at "+leader)
		}
		timer := time.NewTimer(again)
		select {
		case <-timer.C:
		case <-ctx.Done():
			timer.Stop()
		}
	}
}
