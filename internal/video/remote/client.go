package remote

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"mime/multipart"
	"net/http"
	"net/textproto"
	"os"
	"strconv"
	"strings"
	"time"

	"github.com/sony/gobreaker/v2"

	"plait/internal/core"
)

// The bounds of a server.
const (
	// callTimeout bounds a request that carries no video.
	callTimeout = time.Minute
	// downloadTimeout bounds the fetch of a video, and maxVideo its size in bytes.
	downloadTimeout = 10 * time.Minute
	maxVideo        = 1 << 30
	// maxAnswer bounds a JSON answer, and maxMessage what is told of an error.
	maxAnswer  = 1 << 20
	maxMessage = 200
	// breakAfter failures in a row mean that a server is down; it is asked again after breakFor.
	breakAfter = 5
	breakFor   = 30 * time.Second
	// leastWait is the delay after a request that was one too many, where the server names none.
	leastWait = 2 * time.Second
)

// Client speaks HTTP with one server, behind a circuit breaker.
type Client struct {
	base    string
	key     string
	http    *http.Client
	breaker *gobreaker.CircuitBreaker[struct{}]
}

// NewClient makes the client of a server. The key is sent along; empty means none.
func NewClient(base, key string) *Client {
	return &Client{
		base: strings.TrimRight(base, "/"), key: key,
		http: &http.Client{CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }},
		breaker: gobreaker.NewCircuitBreaker[struct{}](gobreaker.Settings{
			Name: base, Timeout: breakFor,
			ReadyToTrip:  func(c gobreaker.Counts) bool { return c.ConsecutiveFailures >= breakAfter },
			IsSuccessful: func(err error) bool { return !errors.Is(err, errDown) },
			IsExcluded:   func(err error) bool { return core.CodeOf(err) == core.CodeCanceled },
		}),
	}
}

// Healthy reports whether the server may be asked.
func (c *Client) Healthy() bool { return c.breaker.State() != gobreaker.StateOpen }

var (
	// errDown is the cause of a failure that counts against the health of a server.
	errDown = errors.New("the server does not answer")
	// ErrNoJob is the cause of a failure to find a job.
	ErrNoJob = errors.New("the server knows no such job")
)

// Header is what every request to the server carries.
func (c *Client) Header() http.Header {
	if c.key == "" {
		return http.Header{}
	}
	return http.Header{"Authorization": {"Bearer " + c.key}}
}

// URL is the address of a path of the server.
func (c *Client) URL(path string) string { return c.base + path }

// Save writes a video to a file.
func (c *Client) Save(ctx context.Context, from, path string) error {
	return c.exchange(ctx, downloadTimeout, http.MethodGet, from, nil, nil, func(resp *http.Response) (err error) {
		f, err := os.Create(path)
		if err != nil {
			return core.Wrap(core.CodeUnavailable, err, "the file of the video cannot be written")
		}
		defer func() { err = errors.Join(err, f.Close()) }()
		n, err := io.Copy(f, io.LimitReader(resp.Body, maxVideo+1))
		switch {
		case err != nil:
			return c.down(ctx, err)
		case n > maxVideo:
			return core.Errorf(core.CodeDevice, "a video server sent more than %d bytes", maxVideo)
		}
		return nil
	})
}

// Call sends a request and decodes the JSON that answers it; into may be nil.
func (c *Client) Call(ctx context.Context, method, path string, header http.Header, body io.Reader, into any) error {
	return c.exchange(ctx, callTimeout, method, path, header, body, func(resp *http.Response) error {
		b, err := io.ReadAll(io.LimitReader(resp.Body, maxAnswer))
		if err == nil && into != nil {
			err = json.Unmarshal(b, into)
		}
		if err != nil {
			return c.down(ctx, err)
		}
		return nil
	})
}

// exchange sends a request through the circuit breaker, and calls take with an answer that is a success.
func (c *Client) exchange(
	ctx context.Context, timeout time.Duration, method, path string, header http.Header, body io.Reader, take func(*http.Response) error,
) error {
	_, err := c.breaker.Execute(func() (struct{}, error) {
		within, cancel := context.WithTimeout(ctx, timeout)
		defer cancel()
		req, err := http.NewRequestWithContext(within, method, c.base+path, body)
		if err != nil {
			return struct{}{}, err
		}
		req.Header = c.Header()
		maps.Copy(req.Header, header)
		resp, err := c.http.Do(req)
		if err != nil {
			return struct{}{}, c.down(ctx, err)
		}
		defer func() { _ = resp.Body.Close() }()
		if resp.StatusCode >= http.StatusMultipleChoices {
			return struct{}{}, refusal(resp)
		}
		return struct{}{}, take(resp)
	})
	if errors.Is(err, gobreaker.ErrOpenState) || errors.Is(err, gobreaker.ErrTooManyRequests) {
		return core.Wrap(core.CodeEngineUnavailable, err, "a video server does not answer")
	}
	return err
}

// down is the error of an exchange that broke, unless ctx has ended.
func (c *Client) down(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return ctx.Err()
	}
	return core.Wrap(core.CodeEngineUnavailable, errors.Join(errDown, err), "a video server does not answer")
}

// refusal is the error of an answer that is none of the success.
func refusal(resp *http.Response) error {
	b, _ := io.ReadAll(io.LimitReader(resp.Body, maxAnswer)) // the status says enough
	said := message(b)
	switch code := resp.StatusCode; {
	case code == http.StatusNotFound:
		return core.Wrap(core.CodeEngineUnavailable, ErrNoJob, "a video server has lost a job")
	case code == http.StatusTooManyRequests:
		wait := leastWait
		if seconds, err := strconv.Atoi(resp.Header.Get("Retry-After")); err == nil && seconds > 0 && seconds < int(time.Hour/time.Second) {
			wait = time.Duration(seconds) * time.Second
		}
		return core.NewError(core.CodeEngineUnavailable, "a video server has too much to do").WithRetryAfter(wait)
	case code >= http.StatusInternalServerError, code == http.StatusRequestTimeout:
		return core.Wrap(core.CodeEngineUnavailable, fmt.Errorf("%w: status %d: %s", errDown, code, said), "a video server failed")
	case code == http.StatusUnauthorized, code == http.StatusForbidden:
		return core.Errorf(core.CodeEngineRefused, "a video server refuses the key of this installation")
	default:
		return core.Errorf(core.CodeEngineRefused, "the video server refuses the request: %s", said)
	}
}

// message returns what an error of the protocol says, clipped to a line.
func message(body []byte) string {
	var e struct {
		Error  struct{ Message string }
		Detail string
	}
	said := ""
	if json.Unmarshal(body, &e) == nil {
		said = e.Error.Message
		if said == "" {
			said = e.Detail
		}
	}
	return clip(said)
}

func clip(text string) string {
	runes := []rune(core.Printable(strings.Join(strings.Fields(strings.ToValidUTF8(text, "")), " ")))
	if len(runes) == 0 {
		return "no reason is given"
	}
	return string(runes[:min(len(runes), maxMessage)])
}

// WriteImage adds a file to a form.
func WriteImage(form *multipart.Writer, field, name string, content []byte) error {
	part, err := form.CreatePart(textproto.MIMEHeader{
		"Content-Disposition": {multipart.FileContentDisposition(field, name)}, "Content-Type": {http.DetectContentType(content)},
	})
	if err == nil {
		_, err = part.Write(content)
	}
	return err
}
