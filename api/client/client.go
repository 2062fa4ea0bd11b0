// Package client speaks to a Plait API: the command line uses it, against its own embedded server or a distant one.
//
// Its errors are those of the API, as [core.Error]. CodeUnavailable says that the server did not answer, or not to the
// end: asking again may help, and a repeated Create needs an idempotency key to be safe.
package client

import (
	"context"
	"io"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"plait/api/schema"
	"plait/internal/core"
)

const (
	root = "/v1/tasks"
	// quickTimeout is for requests that neither upload nor download.
	quickTimeout = 2 * time.Minute
	// uploadAnswerTimeout is from the end of an upload to its answer, while pages are checked and stored.
	uploadAnswerTimeout = 15 * time.Minute
	// continueTimeout is how long an upload waits for leave to send its body; a refusal comes before it.
	continueTimeout = 5 * time.Second
)

// Client is safe for concurrent use.
type Client struct {
	base *url.URL
	key  string
	http *http.Client
}

// New makes a client of the API at base, such as http://127.0.0.1:8080, with an API key. It fails with
// [core.CodeInvalidInput].
func New(base, key string) (*Client, error) {
	u, err := url.Parse(strings.TrimRight(base, "/"))
	if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "" || u.RawQuery != "" || u.Fragment != "" {
		return nil, core.Errorf(core.CodeInvalidInput, "%q is not the address of a server, such as http://127.0.0.1:8080", base)
	}
	transport := http.DefaultTransport.(*http.Transport).Clone()
	transport.ResponseHeaderTimeout = uploadAnswerTimeout
	transport.ExpectContinueTimeout = continueTimeout
	return &Client{base: u, key: key, http: &http.Client{
		Transport: transport,
		// A redirect would turn a POST into a GET, or take the key elsewhere.
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}}, nil
}

// Find is the task that was made with the idempotency key. It fails with [core.CodeNotFound].
func (c *Client) Find(ctx context.Context, idempotencyKey string) (schema.Task, error) {
	var list schema.TaskList
	if err := c.Get(ctx, root+"?"+url.Values{"idempotency_key": {idempotencyKey}}.Encode(), &list); err != nil {
		return schema.Task{}, err
	}
	if len(list.Tasks) == 0 {
		return schema.Task{}, core.NewError(core.CodeNotFound, "no task has this idempotency key")
	}
	return list.Tasks[0], nil
}

// maxList is how many tasks the API lists at a time.
const maxList = 200

// Filter selects tasks; an empty field selects all.
type Filter struct {
	Status core.Status
	Kind   core.Kind
}

// Check fails with [core.CodeInvalidInput] for a status that there is not.
func (f Filter) Check() error {
	if f.Status == "" || slices.Contains(core.TaskStatuses(), f.Status) {
		return nil
	}
	return core.Errorf(core.CodeInvalidInput, "status %q is none of %s", f.Status, core.JoinStatuses(core.TaskStatuses()))
}

// Tasks calls each with the tasks that the filter selects, the newest first and without their items: limit of them, or all when it is
// 0. An error of each ends it.
func (c *Client) Tasks(ctx context.Context, f Filter, limit int, each func(schema.Task) error) error {
	query := url.Values{"limit": {strconv.Itoa(maxList)}}
	if f.Status != "" {
		query.Set("status", string(f.Status))
	}
	if f.Kind != "" {
		query.Set("kind", string(f.Kind))
	}
	for left := limit; ; {
		if limit > 0 {
			query.Set("limit", strconv.Itoa(min(left, maxList)))
		}
		var list schema.TaskList
		if err := c.Get(ctx, root+"?"+query.Encode(), &list); err != nil {
			return err
		}
		for _, t := range list.Tasks {
			if err := each(t); err != nil {
				return err
			}
		}
		if left -= len(list.Tasks); list.Next == "" || limit > 0 && left <= 0 {
			return nil
		}
		query.Set("after", list.Next)
	}
}

// Task is the task with its items.
func (c *Client) Task(ctx context.Context, id string) (schema.Task, error) {
	var task schema.Task
	return task, c.Get(ctx, taskPath(id), &task)
}

// Item is an item of a task with all its details; index counts from 0.
func (c *Client) Item(ctx context.Context, id string, index int) (schema.Item, error) {
	var item schema.Item
	return item, c.Get(ctx, itemPath(id, index), &item)
}

// Retry asks for the failed items of a partial or failed task once more. It fails with [core.CodeConflict] when there is
// nothing to retry. Asking again is safe until the task has ended again.
func (c *Client) Retry(ctx context.Context, id string) (schema.Task, error) {
	return c.change(ctx, id, "retry")
}

// Pause keeps a task from starting items and model calls. It fails with [core.CodeConflict] when the task has ended.
// Asking again is safe.
func (c *Client) Pause(ctx context.Context, id string) (schema.Task, error) {
	return c.change(ctx, id, "pause")
}

// Resume ends a pause, by the rules of [Client.Pause].
func (c *Client) Resume(ctx context.Context, id string) (schema.Task, error) {
	return c.change(ctx, id, "resume")
}

func (c *Client) change(ctx context.Context, id, what string) (schema.Task, error) {
	var task schema.Task
	return task, c.Do(ctx, http.MethodPost, taskPath(id)+"/"+what, nil, &task)
}

// Cancel ends a task that has not ended. It fails with [core.CodeConflict] when it has. Asking again is safe.
func (c *Client) Cancel(ctx context.Context, id string) (schema.Task, error) {
	return c.change(ctx, id, "cancel")
}

// Delete deletes a task that has ended, with its files. It fails with [core.CodeConflict] when the task has not ended.
func (c *Client) Delete(ctx context.Context, id string) error {
	task, err := c.Task(ctx, id)
	if err != nil {
		return err
	}
	if !task.Status.Ended() { // DELETE would cancel it
		return core.Errorf(core.CodeConflict, "the task is %s: cancel it first", task.Status)
	}
	return c.Do(ctx, http.MethodDelete, taskPath(id), nil, nil)
}

// Ready asks whether the server and all that it needs are ready.
func (c *Client) Ready(ctx context.Context) error {
	return c.Do(ctx, http.MethodGet, "/readyz", nil, nil)
}

// Result streams what a task has made to w. After an error w holds a part of it.
func (c *Client) Result(ctx context.Context, id string, w io.Writer) error {
	return c.Download(ctx, taskPath(id)+"/result", w)
}

// ItemResult streams the result of an item to w. It fails with [core.CodeConflict] when the item has none.
func (c *Client) ItemResult(ctx context.Context, id string, index int, w io.Writer) error {
	return c.Download(ctx, itemPath(id, index)+"/result", w)
}

func taskPath(id string) string { return root + "/" + url.PathEscape(id) }

func itemPath(id string, index int) string { return taskPath(id) + "/items/" + strconv.Itoa(index) }

// CloseIdleConnections closes the connections that are kept for the next request.
func (c *Client) CloseIdleConnections() { c.http.CloseIdleConnections() }
