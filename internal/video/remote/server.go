package remote

import (
	"context"
	"time"
)

// Server is the client of one server, for each protocol of its own. It is safe for concurrent use.
type Server interface {
	// Healthy reports whether the server may be asked.
	Healthy() bool
	// Create asks for a video, and returns the name of the job.
	Create(ctx context.Context, r Request) (id string, err error)
	// Find returns the names of the jobs that may have come of the same request since a time.
	Find(ctx context.Context, r Request, since time.Time) (ids []string, err error)
	// Get returns the state of a job. It fails with [ErrNoJob].
	Get(ctx context.Context, id string) (Job, error)
	// Watch listens to the progress of a job until ctx ends, so that Get returns it.
	Watch(ctx context.Context, r Request, id string)
	// Download writes the video of a completed job to a file.
	Download(ctx context.Context, id, path string) error
	// Delete ends a job if it runs, and deletes what the server keeps of it.
	Delete(ctx context.Context, id string) error
}

// Request is a request for a video.
type Request struct {
	// Key is the same for each attempt at one video, and for no other video.
	Key string
	// Model is the name of the model at the server.
	Model, Prompt, Negative string
	// Width and Height are in pixels.
	Width, Height, Seconds int
	Seed                   int64
	// Image is the file of the image; nil for a video from the prompt alone.
	Image []byte
}

// Status is the state of a job at a server.
type Status string

// The states of a job.
const (
	Queued    Status = "queued"
	Running   Status = "in_progress"
	Completed Status = "completed"
	Failed    Status = "failed"
)

// Job is the state of a job.
type Job struct {
	Status Status
	// Progress is in percent.
	Progress float64
	// Reason is why the job failed.
	Reason string
}
