package fetch

import (
	"bytes"
	"context"
	"errors"
	"net/http"
	"strconv"
	"time"
)

// Answer is what a server answered to [Client.Post]. Its body is not read.
type Answer struct {
	Status int
	// RetryAfter is how long the server asks to wait; 0 when it does not.
	RetryAfter time.Duration
}

// Post sends a body to a URL under the rules of this package. It follows no redirect, and leaves the body of the answer unread. Every
// status is an answer. Errors: CodeInvalidInput for a URL that breaks the rules, a host without a public address, and a server that does
// not answer; the error of ctx when it ends.
func (c *Client) Post(ctx context.Context, rawURL string, header http.Header, body []byte) (Answer, error) {
	u, err := parse(rawURL)
	if err != nil {
		return Answer{}, err
	}
	x := newExchange(ctx, u, c.config)
	defer x.cancel(nil)
	req, err := http.NewRequestWithContext(x.ctx, http.MethodPost, u.String(), bytes.NewReader(body))
	if err != nil {
		return Answer{}, invalid(u, err, "the URL cannot be requested")
	}
	for name, values := range header {
		req.Header[name] = values
	}
	req.Header.Set("User-Agent", userAgent)
	req.Header.Set("Accept-Encoding", "identity")
	client := *c.http
	client.CheckRedirect = func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	resp, err := client.Do(req)
	if err != nil {
		if errors.Is(context.Cause(x.ctx), errTimeout) {
			return Answer{}, x.refuse(err, "the server did not answer in time")
		}
		return Answer{}, x.explain(err)
	}
	_ = resp.Body.Close() // ends the connection
	return Answer{Status: resp.StatusCode, RetryAfter: retryAfter(resp.Header.Get("Retry-After"), time.Now())}, nil
}

// maxRetryAfter bounds what a server can ask for.
const maxRetryAfter = 24 * time.Hour

// retryAfter reads a number of seconds or a date (RFC 9110, 10.2.3), and returns at most maxRetryAfter. Whatever else the text is, and a
// time that has passed, is 0.
func retryAfter(text string, now time.Time) time.Duration {
	if seconds, err := strconv.ParseUint(text, 10, 32); err == nil {
		return min(time.Duration(seconds)*time.Second, maxRetryAfter)
	}
	at, err := http.ParseTime(text)
	if err != nil {
		return 0
	}
	return min(max(at.Sub(now), 0), maxRetryAfter)
}
