// Package openai asks servers that speak OpenAI's /v1/videos for videos, such as SGLang diffusion and vLLM-Omni.
package openai

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"mime/multipart"
	"net/http"
	"net/url"
	"strconv"
	"time"

	"plait/internal/core"
	"plait/internal/video/remote"
)

// job is a video object of the protocol.
type job struct {
	ID        string        `json:"id"`
	Status    remote.Status `json:"status"`
	Progress  float64       `json:"progress"`
	CreatedAt float64       `json:"created_at"`
	Model     string        `json:"model"`
	Prompt    string        `json:"prompt"`
	Size      string        `json:"size"`
	Error     *struct {
		Code    any    `json:"code"`
		Message string `json:"message"`
	} `json:"error"`
}

// Server is a server of the protocol.
type Server struct{ *remote.Client }

// Open makes the client of a server. The key is sent along; empty means none.
func Open(base, key string) *Server { return &Server{remote.NewClient(base, key)} }

// Create implements [remote.Server]. The key makes a repeated request one, at servers that know such keys.
func (s *Server) Create(ctx context.Context, r remote.Request) (string, error) {
	var body bytes.Buffer
	form := multipart.NewWriter(&body)
	fields := [][2]string{
		{"model", r.Model}, {"prompt", r.Prompt}, {"seconds", strconv.Itoa(r.Seconds)}, {"size", size(r)}, {"seed", strconv.FormatInt(r.Seed, 10)},
	}
	if r.Negative != "" {
		fields = append(fields, [2]string{"negative_prompt", r.Negative})
	}
	var err error
	for _, f := range fields {
		err = errors.Join(err, form.WriteField(f[0], f[1]))
	}
	if r.Image != nil {
		err = errors.Join(err, remote.WriteImage(form, "input_reference", "image", r.Image))
	}
	if err = errors.Join(err, form.Close()); err != nil {
		return "", err
	}
	var made job
	header := http.Header{"Content-Type": {form.FormDataContentType()}, "Idempotency-Key": {r.Key}}
	if err = s.Call(ctx, http.MethodPost, "/v1/videos", header, &body, &made); err == nil && made.ID == "" {
		err = core.NewError(core.CodeEngineUnavailable, "a video server answered without a job")
	}
	return made.ID, err
}

func size(r remote.Request) string { return fmt.Sprintf("%dx%d", r.Width, r.Height) }

// Find implements [remote.Server]. It finds nothing at a server that keeps no list of jobs.
func (s *Server) Find(ctx context.Context, r remote.Request, since time.Time) (ids []string, err error) {
	var page struct{ Data []job }
	err = s.Call(ctx, http.MethodGet, "/v1/videos?limit=100&order=desc", nil, nil, &page)
	if core.CodeOf(err) == core.CodeEngineRefused || errors.Is(err, remote.ErrNoJob) {
		return nil, nil
	}
	for _, found := range page.Data {
		if found.Prompt == r.Prompt && found.CreatedAt >= float64(since.Unix()) && found.Status != remote.Failed && (found.Size == "" || found.Size == size(r)) {
			ids = append(ids, found.ID)
		}
	}
	return ids, err
}

// Get implements [remote.Server].
func (s *Server) Get(ctx context.Context, id string) (remote.Job, error) {
	var found job
	err := s.Call(ctx, http.MethodGet, jobPath(id), nil, nil, &found)
	answer := remote.Job{Status: found.Status, Progress: found.Progress}
	if found.Error != nil {
		answer.Reason = found.Error.Message
	}
	return answer, err
}

func jobPath(id string) string { return "/v1/videos/" + url.PathEscape(id) }

// Watch implements [remote.Server]: Get says it all.
func (s *Server) Watch(context.Context, remote.Request, string) {}

// Download implements [remote.Server].
func (s *Server) Download(ctx context.Context, id, path string) error {
	return s.Save(ctx, jobPath(id)+"/content", path)
}

// Delete implements [remote.Server].
func (s *Server) Delete(ctx context.Context, id string) error {
	err := s.Call(ctx, http.MethodDelete, jobPath(id), nil, nil, nil)
	if errors.Is(err, remote.ErrNoJob) {
		return nil
	}
	return err
}
