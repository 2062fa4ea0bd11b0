package videoapi

import (
	"context"
	"net/http"
	"time"

	"plait/api"
	videoschema "plait/api/video/schema"
	"plait/internal/core"
	"plait/internal/records"
	videorecords "plait/internal/records/video"
	"plait/internal/video"
	videotasks "plait/tasks/video"
)

// get answers with the state of a video. An id that is not one of the tenant's videos has the state UNKNOWN, and so has one whose video has
// ended too long ago: a client stops to ask.
func (v videos) get(r *api.Request) error {
	ctx := r.Context.Request().Context()
	data := videoschema.Data{ID: r.Param("id"), TaskID: r.Param("id"), Status: video.StatusUnknown}
	t, found, err := v.find(ctx, r)
	if err == nil && found {
		data, err = v.data(ctx, r, t)
	}
	if err != nil {
		return err
	}
	return r.JSON(http.StatusOK, videoschema.Answer{Success: true, Code: videoschema.CodeOK, RequestID: r.ID(), Data: data})
}

// find reads the task of the path; found is false for an unknown one.
func (v videos) find(ctx context.Context, r *api.Request) (t records.Task, found bool, err error) {
	t, err = r.Task(ctx)
	switch core.CodeOf(err) {
	case "":
		return t, t.EndedAt == nil || time.Since(*t.EndedAt) < videotasks.Lifetime, nil
	case core.CodeNotFound:
		return t, false, nil
	default:
		return t, false, err
	}
}

// gmt is the form of gmtCreate.
const gmt = "2006-01-02 15:04:05"

func (v videos) data(ctx context.Context, r *api.Request, t records.Task) (d videoschema.Data, err error) {
	o, err := video.ParseOptions(t.Options)
	if err != nil {
		return d, err
	}
	of, err := v.records.Video(ctx, t.ID)
	if err != nil {
		return d, err
	}
	percent := percentOf(t, of)
	d = videoschema.Data{
		ID: t.ID, TaskID: t.ID, Status: stateOf(t, of), Model: o.Model, Type: o.Type, MediaType: videoschema.MediaType, Progress: &percent,
		Price:   video.Amount(of.PriceMicros),
		Created: t.CreatedAt.UTC().Format(gmt), CreatedTimestamp: t.CreatedAt.UnixMilli(),
		SubmitTime: utc(&t.CreatedAt), ScheduledTime: utc(of.ClaimedAt), CompletedTime: utc(t.EndedAt),
		Input: &videoschema.TaskInput{
			Prompt: o.Prompt, ActualPrompt: of.ActualPrompt, Resolution: o.Resolution, Duration: o.Duration, Seed: o.Seed, VideoCount: 1,
		},
	}
	if o.Type == video.VideoUpscale {
		d.Input.Scale = o.Scale
	}
	if d.Upscale, err = v.upscale(ctx, t, o); err != nil {
		return d, err
	}
	switch d.Status {
	case video.StatusSucceeded:
		if t.FilesRemovedAt == nil {
			d.Input.VideoURL = r.ItemLink(t.ID, 0, t.EndedAt.Add(videotasks.Lifetime)).URL
		}
	case video.StatusFailed:
		d.Code, d.Message = codeInternal, "the video failed"
		if t.Failure != nil {
			d.Code, d.Message = failureWord(t.Failure.Code), t.Failure.Message
		}
	case video.StatusQueued:
		p, err := v.records.Place(ctx, t.ID)
		if err != nil {
			return d, err
		}
		d.QueuePosition, d.EstimatedStart = p.Position, utc(p.Start)
	case video.StatusRunning, video.StatusCanceled, video.StatusUnknown:
	}
	return d, nil
}

func utc(t *time.Time) *time.Time {
	if t == nil {
		return nil
	}
	u := t.UTC()
	return &u
}

// stateOf returns the state of a video. It is queued until an engine takes it up, whatever its workflow does meanwhile.
func stateOf(t records.Task, v videorecords.Video) video.Status {
	switch {
	case t.Status == core.StatusSuccess:
		return video.StatusSucceeded
	case t.Status == core.StatusCanceled || v.WithdrawnAt != nil:
		return video.StatusCanceled
	case t.Status.Ended():
		return video.StatusFailed
	case v.ClaimedAt != nil:
		return video.StatusRunning
	default:
		return video.StatusQueued
	}
}

func percentOf(t records.Task, v videorecords.Video) int {
	if t.Status == core.StatusSuccess {
		return 100
	}
	return v.Percent
}

// upscale says how a video is enlarged; nil for any other.
func (v videos) upscale(ctx context.Context, t records.Task, o video.Options) (*videoschema.Upscale, error) {
	if o.Scale == 0 {
		return nil, nil //nolint:nilnil // most have none
	}
	found, err := v.records.Upscales(ctx, []string{t.ID})
	if err != nil {
		return nil, err
	}
	u := found[t.ID]
	return upscaleOf(&u), nil
}

func upscaleOf(u *videorecords.Upscale) *videoschema.Upscale {
	out := &videoschema.Upscale{
		Split: u.Split, Fallback: u.Fallback, StartedAt: utc(u.StartedAt), FinishedAt: utc(u.FinishedAt), ResumedFrames: u.Resumed,
		ProcessingSeconds: seconds(u.Processing),
	}
	if u.Mode != nil {
		out.Mode = *u.Mode
	}
	for device, busy := range u.Busy {
		if out.BusySeconds == nil {
			out.BusySeconds = map[string]float64{}
		}
		out.BusySeconds[device] = seconds(busy)
	}
	return out
}

func seconds(milliseconds int64) float64 { return float64(milliseconds) / 1000 }
