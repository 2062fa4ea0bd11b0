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
	"plait/api/schema"
	"plait/internal/pipeline"
)

// retryEvery is how soon a client asks again.
const retryEvery = 300 * time.Millisecond

// customer is a tenant with its client.
type customer struct {
	*installation
	tenant string
	client *client.Client

	mu sync.Mutex
	// accepted are the tasks by the number of their chapter.
	accepted map[int]string
	refused  []string
}

func (in *installation) customer(tenant string) *customer {
	in.t.Helper()
	key, _, err := in.records.CreateKey(in.t.Context(), tenant, "chaos")
	require.NoError(in.t, err)
	c, err := client.New("http://"+in.toAPI.address(), key)
	require.NoError(in.t, err)
	in.t.Cleanup(c.CloseIdleConnections)
	return &customer{installation: in, tenant: tenant, client: c, accepted: map[int]string{}}
}

// post sends a chapter until it is accepted, under one idempotency key.
func (c *customer) post(ctx context.Context, ch chapter) {
	var task schema.Task
	err := c.insist(ctx, func() (err error) {
		task, err = c.client.Create(ctx, ch.request(fmt.Sprintf("chapter-%d", ch.number)))
		return err
	})
	c.mu.Lock()
	defer c.mu.Unlock()
	if err != nil {
		c.refused = append(c.refused, fmt.Sprintf("chapter %d was refused: %v", ch.number, err))
		return
	}
	c.accepted[ch.number] = task.ID
	c.journal.tell("accepted", "chapter %d of %d pages as task %s", ch.number, len(ch.pages), task.ID)
}

// insist asks again for as long as asking again may help.
func (c *customer) insist(ctx context.Context, ask func() error) error {
	for {
		err := ask()
		var known *pipeline.Error
		if err == nil || errors.As(err, &known) && known.Code.RetryRule() != pipeline.RetryBackoff {
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

// untilEnded waits until every accepted task has ended, and returns those that have.
func (c *customer) untilEnded(ctx context.Context) (map[int]schema.Task, error) {
	ended := map[int]schema.Task{}
	for number, id := range c.tasks() {
		for {
			var task schema.Task
			err := c.insist(ctx, func() (err error) {
				task, err = c.client.Task(ctx, id)
				return err
			})
			if err != nil {
				return ended, fmt.Errorf("task %s of chapter %d: %w", id, number, err)
			}
			if task.Status.Ended() {
				ended[number] = task
				break
			}
			select {
			case <-ctx.Done():
				return ended, fmt.Errorf("task %s of chapter %d has not ended: it is %s, %+v", id, number, task.Status, task.Progress)
			case <-time.After(pollEvery):
			}
		}
	}
	return ended, nil
}

// outcome is how a page ended, as its owner sees it.
type outcome struct {
	status pipeline.Status
	code   pipeline.Code
	// image is the hash of the finished image; unread is why it cannot be had.
	image  [sha256.Size]byte
	unread error
}

func (o outcome) String() string {
	switch {
	case o.status != pipeline.StatusSuccess:
		return fmt.Sprintf("%s (%s)", o.status, o.code)
	case o.unread != nil:
		return fmt.Sprintf("success, but its image cannot be read: %v", o.unread)
	default:
		return fmt.Sprintf("success, image %x", o.image[:6])
	}
}

// outcomes are those of the pages of a task that has ended.
func (c *customer) outcomes(ctx context.Context, task schema.Task) []outcome {
	list := make([]outcome, len(task.Pages))
	for i, page := range task.Pages {
		o := outcome{status: page.Status}
		if page.Failure != nil {
			o.code = page.Failure.Code
		}
		if o.status == pipeline.StatusSuccess {
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
		if err = c.client.Image(ctx, task, page, &image); err == nil {
			return sha256.Sum256(image.Bytes()), nil
		}
	}
	return hash, err
}
