package chaos_test

import (
	"context"
	"fmt"
	"time"

	comicschema "plait/api/comic/schema"
	"plait/api/schema"
	"plait/internal/core"
)

// serve sends a chapter, and sees it through to its end with what its customer wishes.
func (c *customer) serve(ctx context.Context, ch chapter) {
	task, err := c.post(ctx, ch)
	if err == nil {
		err = c.fulfil(ctx, ch, task)
	}
	if err != nil {
		c.complain("chapter %d (%s): %v", ch.number, ch.wish.what, err)
	}
}

func (c *customer) fulfil(ctx context.Context, ch chapter, task string) error {
	switch ch.wish.what {
	case wishCancel:
		return c.cancel(ctx, ch, task)
	case wishPause:
		if err := c.pause(ctx, ch, task); err != nil {
			return err
		}
	}
	ended, err := c.untilGood(ctx, task)
	if err != nil {
		return err
	}
	switch ch.wish.what {
	case wishRetry:
		if ended.Status != core.StatusSuccess {
			_, err = c.retry(ctx, task)
		}
	case wishEdit:
		err = c.edit(ctx, ch, task)
	case wishRepeat:
		_, err = c.post(ctx, ch)
	}
	return err
}

// cancel asks once for each answer that it does not get, and not once it knows: whoever cancels an ended task deletes it.
func (c *customer) cancel(ctx context.Context, ch chapter, task string) error {
	if err := wait(ctx, ch.wish.after); err != nil {
		return err
	}
	c.mu.Lock()
	c.canceled[ch.number] = time.Now()
	c.mu.Unlock()
	c.journal.tell("user cancels", "chapter %d", ch.number)
	return c.insist(ctx, func() error {
		t, err := c.client.Task(ctx, task)
		if err != nil || t.Status.Ended() || t.CancelRequestedAt != nil {
			return err
		}
		_, err = c.client.Cancel(ctx, task)
		return err
	})
}

func (c *customer) pause(ctx context.Context, ch chapter, task string) error {
	if err := wait(ctx, ch.wish.after); err != nil {
		return err
	}
	change := func(what string, do func(context.Context, string) (schema.Task, error)) error {
		err := c.insist(ctx, func() error {
			_, err := do(ctx, task)
			return err
		})
		if core.CodeOf(err) == core.CodeConflict {
			c.journal.tell("user "+what, "chapter %d, which has ended", ch.number)
			return nil
		}
		c.journal.tell("user "+what, "chapter %d", ch.number)
		return err
	}
	if err := change("pauses", c.client.Pause); err != nil {
		return err
	}
	if err := wait(ctx, ch.wish.hold); err != nil {
		return err
	}
	return change("resumes", c.client.Resume)
}

// maxRetries is how often a customer hopes.
const maxRetries = 5

// untilGood waits for the end, and asks for pages again that a translator refused.
func (c *customer) untilGood(ctx context.Context, task string) (schema.Task, error) {
	ended, err := c.untilEnd(ctx, task)
	for range maxRetries {
		if err != nil || !hopeful(ended) {
			break
		}
		ended, err = c.retry(ctx, task)
	}
	return ended, err
}

func hopeful(t schema.Task) bool {
	for _, p := range t.Items {
		if p.Failure != nil && p.Failure.Code == core.CodeTranslatorRefused {
			return true
		}
	}
	return false
}

// retry asks for the failed pages once more, and waits for the end. It is a conflict only after an answer that was lost.
func (c *customer) retry(ctx context.Context, task string) (schema.Task, error) {
	before, err := c.untilEnd(ctx, task)
	if err != nil {
		return before, err
	}
	c.journal.tell("user retries", "%d pages of task %s", before.FailedCount, task)
	tries := 0
	err = c.insist(ctx, func() error {
		if tries++; tries > 1 { // the answer was lost, and perhaps the request was not
			now, err := c.client.Task(ctx, task)
			if err != nil || now.RetryCount > before.RetryCount {
				return err
			}
		}
		_, err := c.client.Retry(ctx, task)
		return err
	})
	if err != nil {
		return before, fmt.Errorf("retry: %w", err)
	}
	return c.untilEnd(ctx, task)
}

// edit changes the first text of a page, and waits until its image shows it.
func (c *customer) edit(ctx context.Context, ch chapter, task string) error {
	if len(ch.lettered) == 0 {
		return nil
	}
	index, changed := ch.lettered[0], []comicschema.EditedRegion{{RegionChange: comicschema.RegionChange{
		Translation: new(fmt.Sprintf("chapter %d, edited", ch.number)),
	}}}
	var page comicschema.Page
	err := c.insist(ctx, func() (err error) {
		page, err = c.client.Edit(ctx, task, index, changed)
		return err
	})
	if core.CodeOf(err) == core.CodeConflict { // it has no result; whether it may have none is looked at later
		return nil
	}
	for err == nil && (page.Edit == nil || !page.Edit.Status.Ended()) {
		if err = wait(ctx, pollEvery); err == nil {
			err = c.insist(ctx, func() (err error) {
				page, err = c.client.Page(ctx, task, index)
				return err
			})
		}
	}
	if err == nil && page.Edit.Status != core.StatusSuccess {
		err = fmt.Errorf("page %d was not rendered with its edit: %+v", index, page.Edit.Failure)
	}
	c.journal.tell("user has edited", "chapter %d, page %d", ch.number, index)
	return err
}

func wait(ctx context.Context, d time.Duration) error {
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-time.After(d):
		return nil
	}
}
