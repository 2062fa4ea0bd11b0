// Package openai makes videos by servers that speak OpenAI's /v1/videos, such as SGLang diffusion and vLLM-Omni.
//
// An engine has any number of servers, each with slots. A video takes a slot of whichever healthy server has one, and keeps it to the end.
// The job at the server is recorded as soon as the server has named it. After a restart the engine goes on with that job. When it was lost
// between the request and the record, the engine looks for a job of the same request that belongs to no other video, and asks again only
// if there is none. A server that does not answer several times in a row is left alone for a while.
package openai

import (
	"context"
	"errors"
	"fmt"
	"math"
	"os"
	"slices"
	"time"

	"plait/internal/core"
	"plait/internal/video"
	"plait/internal/video/ffmpeg"
)

// Config describes an engine.
type Config struct {
	// Name is that of the engine.
	Name string
	// Servers are base URLs, and Slots the number of videos that one makes at the same time.
	Servers []string
	Slots   int
	// Key is sent to the servers; empty means none.
	Key string
	// Remote returns the name of a model at the servers.
	Remote func(model string) string
	// TrySlot takes one of n slots of a name across all processes; release is nil when all are held. lost ends when the slot is lost.
	TrySlot func(ctx context.Context, name string, n int) (lost context.Context, release func(), err error)
	// Program returns the program that marks and converts videos.
	Program func(ctx context.Context) (*ffmpeg.Program, error)
	// PollEvery is the time between two questions for the progress of a job; 0 is two seconds.
	PollEvery time.Duration
}

// Engine makes videos. It is safe for concurrent use.
type Engine struct {
	Config
	servers []*server
}

// New makes an engine.
func New(c Config) *Engine {
	if c.PollEvery <= 0 {
		c.PollEvery = 2 * time.Second
	}
	e := &Engine{Config: c}
	for _, base := range c.Servers {
		e.servers = append(e.servers, newServer(base, c.Key))
	}
	return e
}

const (
	// slotEvery is the time between two looks for a free slot.
	slotEvery = 500 * time.Millisecond
	// pollPatience is how long a server may not answer before the attempt ends, and its slot with it.
	pollPatience = 2 * time.Minute
	// clockSkew is how far the clock of a server may be behind.
	clockSkew = 2 * time.Minute
)

// Generate makes the video of a job. Errors: ENGINE_REFUSED, ENGINE_UNAVAILABLE, DEVICE_FAILED.
func (e *Engine) Generate(ctx context.Context, j video.Job) error {
	s, ctx, release, err := e.take(ctx, j)
	if err != nil {
		return err
	}
	defer release()
	if err := j.Begin(ctx); err != nil {
		return err
	}
	id, err := e.ask(ctx, s, j)
	if err == nil {
		err = e.wait(ctx, s, j, id)
	}
	if err == nil {
		err = s.download(ctx, id, j.Path)
	}
	if errors.Is(err, errNoJob) { // the next attempt asks again
		err = errors.Join(err, j.Record(ctx, video.ServerJob{}))
	}
	if err != nil {
		if ctx.Err() != nil && context.Cause(ctx) != nil {
			return context.Cause(ctx)
		}
		return err
	}
	return e.convert(ctx, j)
}

// Forget deletes the job at its server.
func (e *Engine) Forget(ctx context.Context, j video.Job) error {
	at := j.At()
	s := e.server(at.Server)
	if s == nil || at.ID == "" {
		return nil
	}
	return errors.Join(s.delete(ctx, at.ID), ignoreEnded(j.Record(ctx, video.ServerJob{})))
}

// ignoreEnded drops the error of a record about a video that has ended.
func ignoreEnded(err error) error {
	if core.CodeOf(err) == core.CodeConflict {
		return nil
	}
	return err
}

func (e *Engine) server(base string) *server {
	for i, s := range e.servers {
		if e.Servers[i] == base {
			return s
		}
	}
	return nil
}

// take waits for a slot: at the server that has the job, or at any healthy one. The context ends when the slot is lost.
func (e *Engine) take(ctx context.Context, j video.Job) (*server, context.Context, func(), error) {
	own := j.At()
	bound := own.ID != "" && e.server(own.Server) != nil
	for next := 0; ; next++ {
		healthy := false
		for k := range e.servers {
			i := (next + k) % len(e.servers)
			s := e.servers[i]
			if bound && own.Server != e.Servers[i] || !s.healthy() {
				continue
			}
			healthy = true
			lost, release, err := e.TrySlot(ctx, "video "+e.Servers[i], e.Slots)
			if err != nil {
				return nil, ctx, nil, err
			}
			if release == nil {
				continue
			}
			held, cancel := context.WithCancelCause(ctx)
			stop := context.AfterFunc(lost, func() { cancel(context.Cause(lost)) })
			return s, held, func() { stop(); cancel(nil); release() }, nil
		}
		if !healthy {
			return nil, ctx, nil, core.NewError(core.CodeEngineUnavailable, "no video server answers").WithRetryAfter(breakFor)
		}
		if err := sleep(ctx, slotEvery); err != nil {
			return nil, ctx, nil, err
		}
	}
}

// ask returns the id of the job of the video: a recorded one, one that was lost, or a new one.
func (e *Engine) ask(ctx context.Context, s *server, j video.Job) (string, error) {
	at := j.At()
	base := e.Servers[slices.Index(e.servers, s)]
	if at.Server != base {
		at = video.ServerJob{Server: base}
	}
	if at.ID != "" {
		return at.ID, nil
	}
	o := j.Options
	r := request{
		model: e.Remote(o.Model), prompt: j.Prompt, negative: o.NegativePrompt, width: o.Width, height: o.Height, seconds: o.Duration, seed: o.Seed,
	}
	if at.AskedAt != nil {
		id, err := e.lost(ctx, s, j, at, r)
		if err != nil || id != "" {
			return id, err
		}
	}
	if j.Image != nil {
		var err error
		if r.image, err = j.Image(ctx); err != nil {
			return "", err
		}
	}
	now := time.Now().UTC()
	at.AskedAt = &now
	if err := j.Record(ctx, at); err != nil {
		return "", err
	}
	made, err := s.create(ctx, r, j.TaskID)
	if err != nil {
		return "", err
	}
	at.ID = made.ID
	return at.ID, j.Record(ctx, at)
}

// lost looks for a job that an earlier attempt asked for, and whose name it did not live to record.
func (e *Engine) lost(ctx context.Context, s *server, j video.Job, at video.ServerJob, r request) (string, error) {
	jobs, err := s.list(ctx)
	if err != nil {
		if core.CodeOf(err) == core.CodeEngineRefused || errors.Is(err, errNoJob) { // the server keeps no list
			return "", nil
		}
		return "", err
	}
	since := float64(at.AskedAt.Add(-clockSkew).Unix())
	var ids []string
	for _, found := range jobs {
		if found.Prompt == r.prompt && found.CreatedAt >= since && found.Status != failed &&
			(found.Size == "" || found.Size == fmt.Sprintf("%dx%d", r.width, r.height)) {
			ids = append(ids, found.ID)
		}
	}
	taken, err := j.Taken(ctx, at.Server, ids)
	if err != nil {
		return "", err
	}
	for _, id := range ids {
		if !slices.Contains(taken, id) {
			at.ID = id
			return id, j.Record(ctx, at)
		}
	}
	return "", nil
}

// wait polls until the job is completed.
func (e *Engine) wait(ctx context.Context, s *server, j video.Job, id string) error {
	answered := time.Now()
	for {
		found, err := s.get(ctx, id)
		switch {
		case errors.Is(err, errNoJob), err != nil && time.Since(answered) > pollPatience, ctx.Err() != nil:
			return errors.Join(ctx.Err(), err)
		case err != nil:
		default:
			answered = time.Now()
			if done, err := e.observe(ctx, j, found); done || err != nil {
				return err
			}
		}
		if err := sleep(ctx, e.PollEvery); err != nil {
			return err
		}
	}
}

// observe reads the state of a job; done says that it is completed.
func (e *Engine) observe(ctx context.Context, j video.Job, found job) (done bool, err error) {
	switch found.Status {
	case completed:
		return true, nil
	case failed:
		reason := "no reason is given"
		if found.Error != nil {
			reason = clip(found.Error.Message)
		}
		return false, errors.Join(core.Errorf(core.CodeDevice, "the video server failed: %s", reason), e.Forget(ctx, j))
	case queued, inProgress:
		return false, j.Progress(ctx, int(math.Round(min(max(found.Progress, 0), 100))))
	default:
		return false, core.Errorf(core.CodeDevice, "a video server answered with the unknown status %s", clip(string(found.Status)))
	}
}

// convert draws the mark, and makes a video that browsers play of one that they do not.
func (e *Engine) convert(ctx context.Context, j video.Job) error {
	program, err := e.Program(ctx)
	if err != nil {
		return err
	}
	info, err := program.Probe(ctx, j.Path)
	if err != nil || info.Damage != "" {
		return nil // whoever asked for the video examines it
	}
	if j.Mark == nil && info.Codec == "h264" && info.PixelFormat == "yuv420p" {
		return nil
	}
	raw := j.Path + ".raw"
	if err := os.Rename(j.Path, raw); err != nil {
		return core.Wrap(core.CodeUnavailable, err, "the file of the video cannot be written")
	}
	defer func() { _ = os.Remove(raw) }()
	return recode(ctx, program, info, raw, j)
}

// recode writes the frames of a file as another one.
func recode(ctx context.Context, program *ffmpeg.Program, info ffmpeg.Info, raw string, j video.Job) error {
	width, height := info.Upright()
	width, height = width/2*2, height/2*2
	in, err := program.Decode(ctx, raw, ffmpeg.Decoding{Width: width, Height: height})
	if err != nil {
		return err
	}
	defer in.Close()
	const exact = 1000
	rate := ffmpeg.Rational{Num: int64(math.Round(info.Rate() * exact)), Den: exact}
	out, err := program.Encode(ctx, j.Path, ffmpeg.Encoding{Width: width, Height: height, Rate: rate})
	if err != nil {
		return err
	}
	frame := make([]byte, in.Size())
	for {
		err := in.Next(frame)
		if ffmpeg.IsEnd(err) {
			return out.Close()
		}
		if err == nil && j.Mark != nil {
			err = j.Mark(frame, width, height)
		}
		if err == nil {
			err = out.Write(frame)
		}
		if err != nil {
			out.Cancel()
			return err
		}
	}
}

func sleep(ctx context.Context, d time.Duration) error {
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-time.After(d):
		return nil
	}
}
