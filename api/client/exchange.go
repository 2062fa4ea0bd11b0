package client

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"mime"
	"net/http"
	"net/url"
	"strconv"
	"time"

	"plait/api/schema"
	"plait/internal/core"
)

const (
	// maxAnswer is the largest JSON answer in bytes. The longest is a task of 4,000 pages, at about 600 bytes a page.
	maxAnswer = 8 << 20
	// maxRest is how many bytes after the JSON of an answer are read and discarded, so that the connection can be reused.
	maxRest = 4 << 10
)

// Get decodes the resource at a path into a value.
func (c *Client) Get(ctx context.Context, path string, into any) error {
	return c.Do(ctx, http.MethodGet, path, nil, into)
}

// Do sends a request with a short JSON body (nil: no body), and decodes the answer into a value unless that is nil.
func (c *Client) Do(ctx context.Context, method, path string, body []byte, into any) error {
	return c.send(ctx, method, path, "", body, into)
}

// Post is [Client.Do] of a POST. The same idempotency key gives the same answer; an empty one is none.
func (c *Client) Post(ctx context.Context, path, idempotencyKey string, body []byte, into any) error {
	return c.send(ctx, http.MethodPost, path, idempotencyKey, body, into)
}

func (c *Client) send(ctx context.Context, method, path, idempotencyKey string, body []byte, into any) error {
	within, cancel := context.WithTimeout(ctx, quickTimeout)
	defer cancel()
	header := http.Header{}
	var content io.Reader
	if body != nil {
		header.Set("Content-Type", "application/json")
		content = bytes.NewReader(body)
	}
	if idempotencyKey != "" {
		header.Set(schema.HeaderIdempotencyKey, idempotencyKey)
	}
	resp, err := c.do(within, method, path, header, content)
	switch {
	case ctx.Err() != nil && err != nil:
		return context.Cause(ctx)
	case err != nil:
		return unavailable(err)
	}
	defer drain(resp)
	if into == nil {
		return nil
	}
	return c.decode(resp, into)
}

// Download streams the resource at a path to w. After an error w may contain a part of it.
func (c *Client) Download(ctx context.Context, path string, w io.Writer) error {
	resp, err := c.do(ctx, http.MethodGet, path, nil, nil)
	if err != nil {
		return err
	}
	defer drain(resp)
	body := &bodyReader{r: resp.Body}
	_, err = io.Copy(w, body)
	switch {
	case err == nil:
		return nil
	case ctx.Err() != nil:
		return context.Cause(ctx)
	case body.err != nil:
		return unavailable(body.err)
	default:
		return err // from writing to w
	}
}

// bodyReader keeps the error of a read, to distinguish it from an error of a write.
type bodyReader struct {
	r   io.Reader
	err error
}

func (b *bodyReader) Read(p []byte) (int, error) {
	n, err := b.r.Read(p)
	if err != nil && err != io.EOF {
		b.err = err
	}
	return n, err
}

// do sends a request and converts every answer other than a success into the error that it contains.
func (c *Client) do(ctx context.Context, method, path string, header http.Header, body io.Reader) (*http.Response, error) {
	req, err := http.NewRequestWithContext(ctx, method, c.base.String()+path, body)
	if err != nil {
		return nil, err
	}
	for name, values := range header {
		req.Header[name] = values
	}
	if c.key != "" {
		req.Header.Set("Authorization", "Bearer "+c.key)
	}
	resp, err := c.http.Do(req)
	if err != nil {
		if ctx.Err() != nil {
			return nil, context.Cause(ctx)
		}
		return nil, unavailable(err)
	}
	if resp.StatusCode >= http.StatusMultipleChoices {
		defer drain(resp)
		return nil, c.answered(resp)
	}
	return resp, nil
}

// unavailable wraps err as CodeUnavailable: the server did not answer, or its answer was cut off. Errors that the API returned stay
// unchanged.
func unavailable(err error) error {
	var known *core.Error
	if errors.As(err, &known) {
		return err
	}
	var ofURL *url.Error
	if errors.As(err, &ofURL) {
		err = ofURL.Err // without the URL, which url.Error repeats
	}
	return core.Wrap(core.CodeUnavailable, err, "the server does not answer, or broke off")
}

// answered returns the error of an answer. For an answer that is not from Plait, such as a proxy's page, it contains the status line.
func (c *Client) answered(resp *http.Response) error {
	var e schema.Error
	if isJSON(resp) {
		_ = json.NewDecoder(io.LimitReader(resp.Body, maxAnswer)).Decode(&e) // an answer that is not Plait's leaves the code empty
	}
	if e.Code == "" {
		return c.foreign(resp)
	}
	err := core.NewError(e.Code, e.Message)
	if s, convErr := strconv.Atoi(resp.Header.Get("Retry-After")); convErr == nil && s >= 0 {
		err = err.WithRetryAfter(time.Duration(s) * time.Second)
	}
	return err
}

// foreign returns the error of an answer that is not Plait's. A proxy in front of a stopped server answers one of three statuses.
func (c *Client) foreign(resp *http.Response) error {
	switch resp.StatusCode {
	case http.StatusBadGateway, http.StatusServiceUnavailable, http.StatusGatewayTimeout:
		return core.Errorf(core.CodeUnavailable, "the server answered %s", resp.Status)
	}
	if to := resp.Header.Get("Location"); to != "" && resp.StatusCode < http.StatusBadRequest {
		return core.Errorf(core.CodeInvalidInput, "%s is not the API of Plait: it answered %s, to %s", c.base.Redacted(), resp.Status, to)
	}
	return core.Errorf(core.CodeInvalidInput, "%s is not the API of Plait: it answered %s", c.base.Redacted(), resp.Status)
}

func isJSON(resp *http.Response) bool {
	kind, _, err := mime.ParseMediaType(resp.Header.Get("Content-Type"))
	return err == nil && kind == "application/json"
}

func (c *Client) decode(resp *http.Response, into any) error {
	if !isJSON(resp) {
		return c.foreign(resp)
	}
	if err := json.NewDecoder(io.LimitReader(resp.Body, maxAnswer)).Decode(into); err != nil {
		return unavailable(fmt.Errorf("answer: %w", err))
	}
	return nil
}

func drain(resp *http.Response) {
	_, _ = io.CopyN(io.Discard, resp.Body, maxRest)
	_ = resp.Body.Close()
}
