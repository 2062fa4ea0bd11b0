// Package videotasks plans the tasks of videos, and writes their results.
//
// A task has one item, whose input is the image or the video of the request, or else its prompt as a text file. The whole request is checked before
// anything is stored: the image is decoded, and a seed is drawn where none is given, so that a repeated step makes the same video.
package videotasks

import (
	"context"
	"io"
	"math/rand/v2"
	"strings"
	"time"

	"plait/internal/blob"
	"plait/internal/core"
	"plait/internal/memory"
	"plait/internal/records"
	videorecords "plait/internal/records/video"
	"plait/internal/video"
	"plait/tasks"
)

// Lifetime is how long a video, its link and its id live after its end.
const Lifetime = 24 * time.Hour

// Deps are the dependencies of a service of videos.
type Deps struct {
	Records *records.Store
	Blobs   blob.Store
	Catalog video.Catalog
}

// Service is what the service of tasks and the API need for videos. It is safe for concurrent use.
type Service struct {
	deps   Deps
	memory *memory.Budget
}

// memoryBytes is enough for the largest image: a progressive JPEG of 2000 x 2000 pixels.
const memoryBytes = 80 << 20

// New makes a service.
func New(d Deps) *Service { return &Service{deps: d, memory: memory.NewBudget(memoryBytes)} }

// Memory bounds what large requests and the images in them take at the same time.
func (s *Service) Memory() *memory.Budget { return s.memory }

// Catalog returns the models of the installation.
func (s *Service) Catalog() video.Catalog { return s.deps.Catalog }

// Kind returns the kind of videos, for the service of tasks.
func (s *Service) Kind() tasks.Kind {
	return tasks.Kind{Name: video.Kind, WriteResult: s.writeResult, Lifetime: Lifetime}
}

// Plan checks a request and plans its task. Its errors name the field.
func (s *Service) Plan(ctx context.Context, r Request) (tasks.Plan, error) {
	o, model, err := r.options(s.deps.Catalog)
	if err != nil {
		return tasks.Plan{}, err
	}
	if o.Type == video.VideoUpscale {
		return s.planUpscale(ctx, r, model)
	}
	width, height := o.Resolution.Wide()
	file := tasks.Upload{Name: "prompt.txt", File: strings.NewReader(o.Prompt), Size: int64(len(o.Prompt))}
	if o.Type == video.ImageToVideo {
		info, err := s.examine(ctx, *r.Image)
		if err != nil {
			return tasks.Plan{}, err
		}
		width, height = info.Width, info.Height
		file = *r.Image
		file.Name = "image." + string(info.Format)
	}
	s.size(&o, model, width, height)
	input := file.Content()
	if err := input.Identify(ctx); err != nil {
		return tasks.Plan{}, err
	}
	covers := o // the seed is drawn only for the first of equal requests
	if r.Seed == nil {
		o.Seed = rand.Int64N(video.MaxSeed + 1) //nolint:gosec // G404: nobody gains from a seed that is hard to guess
	}
	p := r.NewPlan(video.Kind)
	p.Items, p.Options, p.Covers = []tasks.Content{input}, o.JSON(), covers
	p.Details = func(taskID string) []records.Statement { return videorecords.Create(taskID, o) }
	return p, nil
}

// size sets the size of a video of an aspect ratio. One that its model makes no larger is enlarged.
func (s *Service) size(o *video.Options, m video.Model, width, height int) {
	made := m.Makes(o.Resolution)
	if made == o.Resolution {
		o.Width, o.Height = o.Resolution.Size(width, height, m.Multiple)
		return
	}
	o.Width, o.Height = o.Resolution.Size(width, height, 0)
	w, h := made.Size(width, height, m.Multiple)
	o.Generated = &video.Size{Width: w, Height: h}
	o.Scale = s.deps.Catalog.Enlarging(*o.Generated, video.Size{Width: o.Width, Height: o.Height})
}

// writeResult writes the file of the video.
func (s *Service) writeResult(ctx context.Context, w io.Writer, t records.Task) error {
	item, err := s.deps.Records.Item(ctx, t.ID, 0)
	if err != nil {
		return err
	}
	if item.Result == "" {
		return core.Errorf(core.CodeBlobMissing, "task %s has no video", t.ID)
	}
	return blob.Copy(ctx, w, s.deps.Blobs, item.Result)
}
