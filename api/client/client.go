// Package client speaks to a Plait API: the command line uses it, against its own embedded server or a distant one.
//
// Its errors are those of the API, as [core.Error]. CodeUnavailable says that the server did not answer, or not to the
// end: asking again may help, and a repeated Create needs an idempotency key to be safe.
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
	root = "/v1/comic/translations"
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
	if err := c.get(ctx, root+"?"+url.Values{"idempotency_key": {idempotencyKey}}.Encode(), &list); err != nil {
		return schema.Task{}, err
	}
	if len(list.Tasks) == 0 {
		return schema.Task{}, core.NewError(core.CodeNotFound, "no task has this idempotency key")
	}
	return list.Tasks[0], nil
}

// maxList is how many tasks the API lists at a time.
const maxList = 200

// Tasks calls each with the tasks of a status, or of every one when it is empty, the newest first and without their pages: limit of
// them, or all when it is 0. An error of each ends it.
func (c *Client) Tasks(ctx context.Context, status core.Status, limit int, each func(schema.Task) error) error {
	query := url.Values{"limit": {strconv.Itoa(maxList)}}
	if status != "" {
		query.Set("status", string(status))
	}
	for left := limit; ; {
		if limit > 0 {
			query.Set("limit", strconv.Itoa(min(left, maxList)))
		}
		var list schema.TaskList
		if err := c.get(ctx, root+"?"+query.Encode(), &list); err != nil {
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

// Task is the task with its pages.
func (c *Client) Task(ctx context.Context, id string) (schema.Task, error) {
	var task schema.Task
	return task, c.get(ctx, taskPath(id), &task)
}

// Page is a page of a task with its texts; index counts from 0.
func (c *Client) Page(ctx context.Context, id string, index int) (schema.Page, error) {
	var page schema.Page
	return page, c.get(ctx, pagePath(id, index), &page)
}

// Edit changes translations of a page, and returns it as it then stands: until its edit has ended, its image does not show
// them. It fails with [core.CodeConflict] while the page has no result. Asking again is safe.
func (c *Client) Edit(ctx context.Context, id string, index int, regions []schema.EditedRegion) (schema.Page, error) {
	var page schema.Page
	body, err := json.Marshal(schema.EditRegions{Regions: regions})
	if err != nil {
		return page, err
	}
	return page, c.quick(ctx, http.MethodPatch, pagePath(id, index)+"/regions", body, &page)
}

// Retry asks for the failed pages of a partial or failed task once more. It fails with [core.CodeConflict] when there is
// nothing to retry. Asking again is safe until the task has ended again.
func (c *Client) Retry(ctx context.Context, id string) (schema.Task, error) {
	return c.change(ctx, id, "retry")
}

// Pause keeps a task from beginning pages and model calls. It fails with [core.CodeConflict] when the task has ended.
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
	return task, c.quick(ctx, http.MethodPost, taskPath(id)+"/"+what, nil, &task)
}

// Cancel ends a task that has not ended. It fails with [core.CodeConflict] when it has. Asking again is safe.
func (c *Client) Cancel(ctx context.Context, id string) (schema.Task, error) {
	return c.change(ctx, id, "cancel")
}

// Ready asks whether the server and all that it needs are ready.
func (c *Client) Ready(ctx context.Context) error {
	return c.quick(ctx, http.MethodGet, "/readyz", nil, nil)
}

// Result streams the finished chapter, a CBZ, to w. After an error w holds a part of it.
func (c *Client) Result(ctx context.Context, id string, w io.Writer) error {
	return c.download(ctx, taskPath(id)+"/result", w)
}

// Image streams the finished image of a page to w. It fails with [core.CodeConflict] when the page has none.
func (c *Client) Image(ctx context.Context, id string, index int, w io.Writer) error {
	return c.download(ctx, pagePath(id, index)+"/image", w)
}

// Script streams the texts of a task, with the translations so far, to w. Format is "json" or "csv".
func (c *Client) Script(ctx context.Context, id, format string, w io.Writer) error {
	return c.download(ctx, taskPath(id)+"/script?"+url.Values{"format": {format}}.Encode(), w)
}

func taskPath(id string) string { return root + "/" + url.PathEscape(id) }

func pagePath(id string, index int) string { return taskPath(id) + "/pages/" + strconv.Itoa(index) }

// CloseIdleConnections closes the connections that are kept for the next request.
func (c *Client) CloseIdleConnections() { c.http.CloseIdleConnections() }
