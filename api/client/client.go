// Package client is the Go client of the Plait API. The command line uses it for its embedded server and for remote servers.
//
// Errors are those of the API, as [core.Error]. CodeUnavailable means that the server did not answer, or that its answer was incomplete: a
// retry may succeed, and a repeated Create is safe only with an idempotency key.
package client

import (
	"context"
	"encoding/json"
	"io"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

	"plait/api/schema"
	"plait/internal/core"
)

const (
	root = "/v1/tasks"
	// quickTimeout applies to requests that neither upload nor download.
	quickTimeout = 2 * time.Minute
	// uploadAnswerTimeout is the time from the end of an upload to its answer, while the server checks and stores the pages.
	uploadAnswerTimeout = 15 * time.Minute
	// continueTimeout is how long an upload waits for 100 Continue before it sends its body; a refusal arrives before that.
	continueTimeout = 5 * time.Second
)

// Client is safe for concurrent use.
type Client struct {
	base *url.URL
	key  string
	http *http.Client
}

// New makes a client of the API at base, such as http://127.0.0.1:8080, with an API key. It fails with [core.CodeInvalidInput].
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
		// Following a redirect would turn a POST into a GET, or send the key to another host.
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}}, nil
}

// Find returns the task that was created with the idempotency key. It fails with [core.CodeNotFound].
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

// maxList is the largest number of tasks that the API returns in one list.
const maxList = 200

// Filter selects tasks; an empty field matches every task.
type Filter struct {
	Status core.Status
	Kind   core.Kind
}

// Tasks calls each with the tasks that match the filter, newest first and without their items. It stops after limit tasks (0 means all),
// or when each returns an error, which it returns.
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

// Task returns a task with its items.
func (c *Client) Task(ctx context.Context, id string) (schema.Task, error) {
	var task schema.Task
	return task, c.Get(ctx, taskPath(id), &task)
}

// Item returns an item of a task with all its details; index counts from 0.
func (c *Client) Item(ctx context.Context, id string, index int) (schema.Item, error) {
	var item schema.Item
	return item, c.Get(ctx, itemPath(id, index), &item)
}

// Retry retries the failed items of a partial or failed task. It fails with [core.CodeConflict] when there is nothing to retry. Repeating
// the request is safe until the task has ended again.
func (c *Client) Retry(ctx context.Context, id string) (schema.Task, error) {
	return c.change(ctx, id, "retry")
}

// Pause stops a task from starting items and model calls. It fails with [core.CodeConflict] when the task has ended. Repeating the request
// is safe.
func (c *Client) Pause(ctx context.Context, id string) (schema.Task, error) {
	return c.change(ctx, id, "pause")
}

// Resume ends a pause; errors and repetition are as for [Client.Pause].
func (c *Client) Resume(ctx context.Context, id string) (schema.Task, error) {
	return c.change(ctx, id, "resume")
}

func (c *Client) change(ctx context.Context, id, what string) (schema.Task, error) {
	var task schema.Task
	return task, c.Do(ctx, http.MethodPost, taskPath(id)+"/"+what, nil, &task)
}

// Cancel cancels a task. It fails with [core.CodeConflict] when the task has ended. Repeating the request is safe.
func (c *Client) Cancel(ctx context.Context, id string) (schema.Task, error) {
	return c.change(ctx, id, "cancel")
}

// Delete deletes an ended task and its files. It fails with [core.CodeConflict] when the task has not ended.
func (c *Client) Delete(ctx context.Context, id string) error {
	task, err := c.Task(ctx, id)
	if err != nil {
		return err
	}
	if !task.Status.Ended() { // DELETE would cancel the task
		return core.Errorf(core.CodeConflict, "the task is %s: cancel it first", task.Status)
	}
	return c.Do(ctx, http.MethodDelete, taskPath(id), nil, nil)
}

// Ready returns nil when the server and its dependencies are ready.
func (c *Client) Ready(ctx context.Context) error {
	return c.Do(ctx, http.MethodGet, "/readyz", nil, nil)
}

// Result streams the result of a task to w. After an error w may contain a part of it.
func (c *Client) Result(ctx context.Context, id string, w io.Writer) error {
	return c.Download(ctx, taskPath(id)+"/result", w)
}

// ResultAs is Result in another format, which depends on the kind: cbz, zip or ora for a comic.
func (c *Client) ResultAs(ctx context.Context, id, format string, w io.Writer) error {
	return c.Download(ctx, taskPath(id)+"/result?"+url.Values{"format": {format}}.Encode(), w)
}

// ItemResult streams the result of an item to w. It fails with [core.CodeConflict] when the item has no result.
func (c *Client) ItemResult(ctx context.Context, id string, index int, w io.Writer) error {
	return c.Download(ctx, itemPath(id, index)+"/result", w)
}

// Link creates a link to a file of a task, by which somebody without a key can fetch it until it expires.
func (c *Client) Link(ctx context.Context, id string, file schema.CreateLink) (link schema.Link, err error) {
	body, err := json.Marshal(file)
	if err != nil {
		return link, err
	}
	return link, c.Do(ctx, http.MethodPost, taskPath(id)+"/links", body, &link)
}

func taskPath(id string) string { return root + "/" + url.PathEscape(id) }

func itemPath(id string, index int) string { return taskPath(id) + "/items/" + strconv.Itoa(index) }

// Overview returns what the installation does now. The key needs the scope admin.
func (c *Client) Overview(ctx context.Context) (schema.Overview, error) {
	var o schema.Overview
	err := c.Get(ctx, "/v1/admin/overview", &o)
	return o, err
}

// CloseIdleConnections closes idle connections of the client.
func (c *Client) CloseIdleConnections() { c.http.CloseIdleConnections() }
