// Package remote makes videos by servers. What differs from protocol to protocol is a [Server].
//
// An engine has any number of servers, each with slots. A video takes a slot of whichever healthy server has one, and keeps it to the end.
// The job at the server is recorded as soon as the server has named it. After a restart the engine goes on with that job. When it was lost
// between the request and the record, the engine looks for a job of the same request that belongs to no other video, and asks again only
// if there is none. A server that does not answer several times in a row is left alone for a while.
package remote

import (
	"context"
	"errors"
	"math"
	"slices"
	"sync"
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
	// Open makes the client of a server.
	Open func(base string) Server
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
	servers []Server
}

// New makes an engine.
func New(c Config) *Engine {
	if c.PollEvery <= 0 {
		c.PollEvery = 2 * time.Second
	}
	e := &Engine{Config: c}
	for _, base := range c.Servers {
		e.servers = append(e.servers, c.Open(base))
	}
	return e
}

const (
	// firstSlotWait and lastSlotWait are the waits between two looks for a free slot. A worker takes a video when a slot is free: it may be on
	// its way to the records, or its server has just gone.
	firstSlotWait, lastSlotWait = 20 * time.Millisecond, 500 * time.Millisecond
	// pollPatience is how long a server may not answer before the attempt ends, and its slot with it.
	pollPatience = 2 * time.Minute
	// clockSkew is how far the clock of a server may be behind.
	clockSkew = 2 * time.Minute
)

// Generate makes the video of a job. Errors: ENGINE_REFUSED, ENGINE_UNAVAILABLE, DEVICE_FAILED.
func (e *Engine) Generate(ctx context.Context, j video.Job) error {
	if err := e.fetch(ctx, j); err != nil {
		return err
	}
	j.Free()
	return e.convert(ctx, j)
}

// fetch lets a server make the file of a job. It holds a slot of the server until the file is here.
func (e *Engine) fetch(ctx context.Context, j video.Job) error {
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
		err = s.Download(ctx, id, j.Path)
	}
	if errors.Is(err, ErrNoJob) { // the next attempt asks again
		err = errors.Join(err, j.Record(ctx, video.ServerJob{}))
	}
	if err != nil && ctx.Err() != nil {
		return context.Cause(ctx)
	}
	return err
}

// Forget deletes the job at its server.
func (e *Engine) Forget(ctx context.Context, j video.Job) error {
	at := j.At()
	s := e.server(at.Server)
	if s == nil || at.ID == "" {
		return nil
	}
	return errors.Join(s.Delete(ctx, at.ID), ignoreEnded(j.Record(ctx, video.ServerJob{})))
}

// ignoreEnded drops the error of a record about a video that has ended.
func ignoreEnded(err error) error {
	if core.CodeOf(err) == core.CodeConflict {
		return nil
	}
	return err
}

func (e *Engine) server(base string) Server {
	for i, s := range e.servers {
		if e.Servers[i] == base {
			return s
		}
	}
	return nil
}

// take waits for a slot: at the server that has the job, or at any healthy one. The context ends when the slot is lost.
func (e *Engine) take(ctx context.Context, j video.Job) (Server, context.Context, func(), error) {
	own := j.At()
	bound := own.ID != "" && e.server(own.Server) != nil
	for next, wait := 0, firstSlotWait; ; next, wait = next+1, min(2*wait, lastSlotWait) {
		healthy := false
		for k := range e.servers {
			i := (next + k) % len(e.servers)
			s := e.servers[i]
			if bound && own.Server != e.Servers[i] || !s.Healthy() {
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
		if err := sleep(ctx, wait); err != nil {
			return nil, ctx, nil, err
		}
	}
}

// ask returns the id of the job of the video: a recorded one, one that was lost, or a new one.
func (e *Engine) ask(ctx context.Context, s Server, j video.Job) (string, error) {
	at := j.At()
	base := e.Servers[slices.Index(e.servers, s)]
	if at.Server != base {
		at = video.ServerJob{Server: base}
	}
	if at.ID != "" {
		return at.ID, nil
	}
	r := e.request(j)
	if at.AskedAt != nil {
		id, err := e.lost(ctx, s, j, at, r)
		if err != nil || id != "" {
			return id, err
		}
	}
	var err error
	if j.Image != nil {
		if r.Image, err = j.Image(ctx); err != nil {
			return "", err
		}
	}
	now := time.Now().UTC()
	at.AskedAt = &now
	if err := j.Record(ctx, at); err != nil {
		return "", err
	}
	if at.ID, err = s.Create(ctx, r); err != nil {
		return "", err
	}
	return at.ID, j.Record(ctx, at)
}

// request is what a server is asked for, but for the image.
func (e *Engine) request(j video.Job) Request {
	o := j.Options
	return Request{
		Key: j.TaskID, Model: e.Remote(o.Model), Prompt: j.Prompt, Negative: o.NegativePrompt, Width: o.Width, Height: o.Height,
		Seconds: o.Duration, Seed: o.Seed,
	}
}

// lost looks for a job that an earlier attempt asked for, and whose name it did not live to record.
func (e *Engine) lost(ctx context.Context, s Server, j video.Job, at video.ServerJob, r Request) (string, error) {
	ids, err := s.Find(ctx, r, at.AskedAt.Add(-clockSkew))
	if err != nil || len(ids) == 0 {
		return "", err
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
func (e *Engine) wait(ctx context.Context, s Server, j video.Job, id string) error {
	watched, stop := context.WithCancel(ctx)
	var watch sync.WaitGroup
	watch.Go(func() { s.Watch(watched, e.request(j), id) })
	defer watch.Wait()
	defer stop()
	answered := time.Now()
	for {
		found, err := s.Get(ctx, id)
		switch {
		case errors.Is(err, ErrNoJob), err != nil && time.Since(answered) > pollPatience, ctx.Err() != nil:
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
func (e *Engine) observe(ctx context.Context, j video.Job, found Job) (done bool, err error) {
	switch found.Status {
	case Completed:
		return true, nil
	case Failed:
		return false, errors.Join(core.Errorf(core.CodeDevice, "the video server failed: %s", clip(found.Reason)), e.Forget(ctx, j))
	case Queued, Running:
		return false, j.Progress(ctx, int(math.Round(min(max(found.Progress, 0), 100))))
	default:
		return false, core.Errorf(core.CodeDevice, "a video server answered with the unknown status %s", clip(string(found.Status)))
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
