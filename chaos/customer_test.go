package chaos_test

import (
	"bytes"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"maps"
	"sync"
	"time"

	"github.com/stretchr/testify/require"

	"plait/api/client"
	comicclient "plait/api/comic/client"
	"plait/api/schema"
	"plait/internal/core"
	"plait/internal/records"
)

// retryEvery is how soon a client asks again.
const retryEvery = 300 * time.Millisecond

// customer is a tenant with its client.
type customer struct {
	*installation
	tenant string
	client comicclient.Client

	mu sync.Mutex
	// accepted are the tasks by the number of their chapter, and canceled when it was first asked to cancel one.
	accepted   map[int]string
	canceled   map[int]time.Time
	complaints []string
}

func (in *installation) customer(tenant string) *customer {
	in.t.Helper()
	key, _, err := in.records.CreateKey(in.t.Context(), records.NewKey{Tenant: tenant, Name: "chaos"})
	require.NoError(in.t, err)
	c, err := client.New("http://"+in.toAPI.address(), key)
	require.NoError(in.t, err)
	in.t.Cleanup(c.CloseIdleConnections)
	return &customer{installation: in, tenant: tenant, client: comicclient.Client{Client: c}, accepted: map[int]string{}, canceled: map[int]time.Time{}}
}

// repeatsAtOnce is how often a customer sends one request who does not wait for the answer.
const repeatsAtOnce = 3

// post sends a chapter until it is accepted, under one idempotency key. A customer who repeats himself must be told of one task.
func (c *customer) post(ctx context.Context, ch chapter) (id string, err error) {
	times := 1
	if ch.wish.what == wishRepeat {
		times = repeatsAtOnce
	}
	tasks, failures := make([]schema.Task, times), make([]error, times)
	var sending sync.WaitGroup
	for i := range times {
		sending.Go(func() {
			failures[i] = c.insist(ctx, func() (err error) {
				tasks[i], err = c.client.Translate(ctx, ch.request(fmt.Sprintf("chapter-%d", ch.number)))
				return err
			})
		})
	}
	sending.Wait()
	if err := errors.Join(failures...); err != nil {
		return "", fmt.Errorf("refused: %w", err)
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	id, known := c.accepted[ch.number]
	if !known {
		id = tasks[0].ID
		c.accepted[ch.number] = id
	}
	for _, t := range tasks {
		if t.ID != id {
			return "", fmt.Errorf("one request became task %s and task %s", id, t.ID)
		}
	}
	c.journal.tell("accepted", "chapter %d of %d pages as task %s, %s", ch.number, len(ch.pages), id, ch.wish)
	return id, nil
}

func (c *customer) complain(format string, args ...any) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.complaints = append(c.complaints, fmt.Sprintf(format, args...))
}

// insist asks again for as long as asking again may help.
func (c *customer) insist(ctx context.Context, ask func() error) error {
	for {
		err := ask()
		var known *core.Error
		if err == nil || errors.As(err, &known) && known.Code.RetryRule() != core.RetryBackoff {
			return err
		}
		select {
		case <-ctx.Done():
			return fmt.Errorf("%w: %w", ctx.Err(), err)
		case <-time.After(retryEvery):
		}
	}
}

func (c *customer) tasks() map[int]string {
	c.mu.Lock()
	defer c.mu.Unlock()
	return maps.Clone(c.accepted)
}

// canceledAt is when it was first asked to cancel a chapter; zero when it was not.
func (c *customer) canceledAt(chapter int) time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.canceled[chapter]
}

// untilEnded waits until every accepted task has ended, and returns them, but for those that were canceled so late that they
// were deleted: see cancel.
func (c *customer) untilEnded(ctx context.Context) (map[int]schema.Task, error) {
	ended := map[int]schema.Task{}
	for number, id := range c.tasks() {
		task, err := c.untilEnd(ctx, id)
		switch {
		case err == nil:
			ended[number] = task
		case core.CodeOf(err) == core.CodeNotFound && !c.canceledAt(number).IsZero():
			c.journal.tell("deleted", "chapter %d", number)
		default:
			return ended, fmt.Errorf("chapter %d: %w", number, err)
		}
	}
	return ended, nil
}

// untilEnd waits until a task has ended.
func (c *customer) untilEnd(ctx context.Context, id string) (task schema.Task, err error) {
	for {
		err = c.insist(ctx, func() (err error) {
			task, err = c.client.Task(ctx, id)
			return err
		})
		if err != nil {
			return task, fmt.Errorf("task %s: %w", id, err)
		}
		if task.Status.Ended() {
			return task, nil
		}
		if wait(ctx, pollEvery) != nil {
			return task, fmt.Errorf("task %s has not ended: it is %s, %+v", id, task.Status, task.Progress)
		}
	}
}

// outcome is how a page ended, as its owner sees it.
type outcome struct {
	status core.Status
	code   core.Code
	// image is the hash of the finished image; unread is why it cannot be had.
	image  [sha256.Size]byte
	unread error
}

func (o outcome) String() string {
	switch {
	case o.status != core.StatusSuccess:
		return fmt.Sprintf("%s (%s)", o.status, o.code)
	case o.unread != nil:
		return fmt.Sprintf("success, but its image cannot be read: %v", o.unread)
	default:
		return fmt.Sprintf("success, image %x", o.image[:6])
	}
}

// outcomes are those of the pages of a task that has ended.
func (c *customer) outcomes(ctx context.Context, task schema.Task) []outcome {
	list := make([]outcome, len(task.Items))
	for i, page := range task.Items {
		o := outcome{status: page.Status}
		if page.Failure != nil {
			o.code = page.Failure.Code
		}
		if o.status == core.StatusSuccess {
			o.image, o.unread = c.image(ctx, task.ID, i)
		}
		list[i] = o
	}
	return list
}

// imageTries is how often an image is asked for that does not come whole.
const imageTries = 3

func (c *customer) image(ctx context.Context, task string, page int) (hash [sha256.Size]byte, err error) {
	for range imageTries {
		var image bytes.Buffer
		if err = c.client.ItemResult(ctx, task, page, &image); err == nil {
			return sha256.Sum256(image.Bytes()), nil
		}
	}
	return hash, err
}
