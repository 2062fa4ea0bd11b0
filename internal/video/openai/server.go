package openai

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"mime/multipart"
	"net/http"
	"net/textproto"
	"net/url"
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

// status is the state of a job at a server.
type status string

const (
	queued     status = "queued"
	inProgress status = "in_progress"
	completed  status = "completed"
	failed     status = "failed"
)

// job is a video object of the protocol.
type job struct {
	ID        string  `json:"id"`
	Status    status  `json:"status"`
	Progress  float64 `json:"progress"`
	CreatedAt float64 `json:"created_at"`
	Model     string  `json:"model"`
	Prompt    string  `json:"prompt"`
	Size      string  `json:"size"`
	Error     *struct {
		Code    any    `json:"code"`
		Message string `json:"message"`
	} `json:"error"`
}

// server is one server of the protocol, behind a circuit breaker.
type server struct {
	base    string
	key     string
	http    *http.Client
	breaker *gobreaker.CircuitBreaker[struct{}]
}

func newServer(base, key string) *server {
	return &server{
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

// healthy reports whether the server may be asked.
func (s *server) healthy() bool { return s.breaker.State() != gobreaker.StateOpen }

var (
	// errDown is the cause of a failure that counts against the health of a server.
	errDown = errors.New("the server does not answer")
	// errNoJob is the cause of a failure to find a job.
	errNoJob = errors.New("the server knows no such job")
)

// request is a request for a video.
type request struct {
	model, prompt, negative string
	width, height, seconds  int
	seed                    int64
	image                   []byte
}

// create asks for a video. The key makes a repeated request one, at servers that know such keys.
func (s *server) create(ctx context.Context, r request, key string) (j job, err error) {
	var body bytes.Buffer
	form := multipart.NewWriter(&body)
	fields := [][2]string{
		{"model", r.model}, {"prompt", r.prompt}, {"seconds", strconv.Itoa(r.seconds)}, {"size", fmt.Sprintf("%dx%d", r.width, r.height)},
		{"seed", strconv.FormatInt(r.seed, 10)},
	}
	if r.negative != "" {
		fields = append(fields, [2]string{"negative_prompt", r.negative})
	}
	for _, f := range fields {
		err = errors.Join(err, form.WriteField(f[0], f[1]))
	}
	if r.image != nil {
		head := textproto.MIMEHeader{
			"Content-Disposition": {`form-data; name="input_reference"; filename="image"`}, "Content-Type": {http.DetectContentType(r.image)},
		}
		part, partErr := form.CreatePart(head)
		if partErr == nil {
			_, partErr = part.Write(r.image)
		}
		err = errors.Join(err, partErr)
	}
	if err = errors.Join(err, form.Close()); err != nil {
		return j, err
	}
	header := http.Header{"Content-Type": {form.FormDataContentType()}, "Idempotency-Key": {key}}
	if err = s.call(ctx, http.MethodPost, "/v1/videos", header, &body, &j); err == nil && j.ID == "" {
		err = core.Wrap(core.CodeEngineUnavailable, errDown, "a video server answered without a job")
	}
	return j, err
}

func (s *server) get(ctx context.Context, id string) (j job, err error) {
	return j, s.call(ctx, http.MethodGet, "/v1/videos/"+url.PathEscape(id), nil, nil, &j)
}

// list returns the newest jobs.
func (s *server) list(ctx context.Context) ([]job, error) {
	var page struct{ Data []job }
	err := s.call(ctx, http.MethodGet, "/v1/videos?limit=100&order=desc", nil, nil, &page)
	return page.Data, err
}

func (s *server) delete(ctx context.Context, id string) error {
	err := s.call(ctx, http.MethodDelete, "/v1/videos/"+url.PathEscape(id), nil, nil, nil)
	if errors.Is(err, errNoJob) {
		return nil
	}
	return err
}

// download writes the video of a completed job to a file.
func (s *server) download(ctx context.Context, id, path string) error {
	return s.exchange(ctx, downloadTimeout, http.MethodGet, "/v1/videos/"+url.PathEscape(id)+"/content", nil, nil, func(resp *http.Response) (err error) {
		f, err := os.Create(path)
		if err != nil {
			return core.Wrap(core.CodeUnavailable, err, "the file of the video cannot be written")
		}
		defer func() { err = errors.Join(err, f.Close()) }()
		n, err := io.Copy(f, io.LimitReader(resp.Body, maxVideo+1))
		switch {
		case err != nil:
			return s.down(ctx, err)
		case n > maxVideo:
			return core.Errorf(core.CodeDevice, "a video server sent more than %d bytes", maxVideo)
		}
		return nil
	})
}

// call exchanges JSON.
func (s *server) call(ctx context.Context, method, path string, header http.Header, body io.Reader, into any) error {
	return s.exchange(ctx, callTimeout, method, path, header, body, func(resp *http.Response) error {
		b, err := io.ReadAll(io.LimitReader(resp.Body, maxAnswer))
		if err == nil && into != nil {
			err = json.Unmarshal(b, into)
		}
		if err != nil {
			return s.down(ctx, err)
		}
		return nil
	})
}

// exchange sends a request through the circuit breaker, and calls take with an answer that is a success.
func (s *server) exchange(
	ctx context.Context, timeout time.Duration, method, path string, header http.Header, body io.Reader, take func(*http.Response) error,
) error {
	_, err := s.breaker.Execute(func() (struct{}, error) {
		within, cancel := context.WithTimeout(ctx, timeout)
		defer cancel()
		req, err := http.NewRequestWithContext(within, method, s.base+path, body)
		if err != nil {
			return struct{}{}, err
		}
		for name, values := range header {
			req.Header[name] = values
		}
		if s.key != "" {
			req.Header.Set("Authorization", "Bearer "+s.key)
		}
		resp, err := s.http.Do(req)
		if err != nil {
			return struct{}{}, s.down(ctx, err)
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
func (s *server) down(ctx context.Context, err error) error {
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
		return core.Wrap(core.CodeEngineUnavailable, errNoJob, "a video server has lost a job")
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
