package client

import (
	"context"
	"crypto/sha256"
	"fmt"
	"time"

	"plait/api/schema"
	"plait/internal/core"
)

// maxAttempts is the largest number of earlier tasks of one input that ended without success.
const maxAttempts = 1000

// Submitted is the task of a request, and its relation to an earlier request for it.
type Submitted struct {
	schema.Task
	// Continued means that an earlier request created the task and it has not ended; Retried means that its Failed failed items are
	// retried. Done is when the task was created if it has already succeeded, and nil otherwise.
	Continued, Retried bool
	Failed             int
	Done               *time.Time
}

// Submit returns the task of a request for files with the given sum ([Request.KeyOf]). It reuses the task of an earlier request, and
// retries its failed items if it ended without success; otherwise it creates a task. With again, it ignores tasks that have ended.
func (c *Client) Submit(ctx context.Context, r Request, sum [sha256.Size]byte, again bool) (s Submitted, err error) {
	for attempt := range maxAttempts {
		r.IdempotencyKey = r.KeyOf(sum, attempt)
		s.Task, err = c.Find(ctx, r.IdempotencyKey)
		if core.CodeOf(err) == core.CodeNotFound {
			s.Task, err = c.Create(ctx, r)
			return s, err
		}
		if err != nil {
			return s, err
		}
		switch {
		case !s.Status.Ended():
			s.Continued = true
			return s, nil
		case again:
		case s.Status == core.StatusSuccess:
			s.Done = &s.CreatedAt
			return s, nil
		case (s.Status == core.StatusPartial || s.Status == core.StatusError) && s.FilesRemovedAt == nil:
			s.Retried, s.Failed = true, s.FailedCount
			s.Task, err = c.Retry(ctx, s.ID)
			return s, err
		}
	}
	return s, fmt.Errorf("this input has failed %d times with these choices", maxAttempts)
}
