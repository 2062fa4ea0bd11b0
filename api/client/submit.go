package client

import (
	"context"
	"crypto/sha256"
	"fmt"
	"time"

	"plait/api/schema"
	"plait/internal/core"
)

// maxAttempts bounds the earlier tasks of one input that ended without success.
const maxAttempts = 1000

// Submitted is the task of a request, and what an earlier request for it has to do with it.
type Submitted struct {
	schema.Task
	// Continued says that an earlier request made the task, which has not ended; Retried, that its failed items are retried, of which
	// there were Failed. Done is when it was made, where it had succeeded; nil otherwise.
	Continued, Retried bool
	Failed             int
	Done               *time.Time
}

// Submit gives the task of a request for files of that sum ([Request.KeyOf]): the one that an earlier request made, whose failed items
// are retried when it has ended without success, or a new one. With again, a task that has ended is left alone.
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
