package video

import (
	"context"
	"image"
	"time"
)

// Generator is an engine: the one in this program, and one for each protocol of a server.
//
// Generate makes the video of a job as the file at its path. A repeated call for the same task goes on with the work of the first where
// that still exists, and makes the same video or one like it. It ends the work when ctx ends.
//
// Forget deletes what the engine keeps of the job, once its file is stored, is not wanted any more, or is not what was asked for.
type Generator interface {
	Generate(ctx context.Context, j Job) error
	Forget(ctx context.Context, j Job) error
}

// Job is a video to be made.
type Job struct {
	TaskID  string
	Options Options
	// Prompt is the one to use: that of the client, or the one that a language model wrote in its place.
	Prompt string
	// Image returns the file of the image, and Picture its pixels. Both are nil for a video that is made from the prompt alone.
	Image   func(ctx context.Context) ([]byte, error)
	Picture func(ctx context.Context) (image.Image, error)
	// Mark draws a sign onto a frame of width x height pixels of R, G, B; nil means none.
	Mark func(frame []byte, width, height int) error
	// Path is where the file goes.
	Path string
	// Begin records that the engine takes the video up: from now on the client cannot withdraw it. It fails with CANCELED for a video
	// that was withdrawn.
	Begin func(ctx context.Context) error
	// At returns the work of a server on the video, as it was last recorded, and Record records it.
	At     func() ServerJob
	Record func(ctx context.Context, at ServerJob) error
	// Taken lists which of these jobs of a server belong to videos.
	Taken func(ctx context.Context, server string, ids []string) ([]string, error)
	// Free tells that the engine has the file and needs its device no longer; what is left to do takes the time of this host alone. An engine
	// that does nothing then need not call it.
	Free func()
	// Progress records how far the work is, from 0 to 100.
	Progress func(ctx context.Context, percent int) error
}

// ServerJob is the work of a server on a video.
type ServerJob struct {
	// Server is the address of the server; empty until one is chosen.
	Server string
	// AskedAt is when the server was first asked; nil before.
	AskedAt *time.Time
	// ID is the name of the job at the server; empty until it has answered.
	ID string
}
