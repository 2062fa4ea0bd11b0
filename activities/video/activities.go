// Package video is the steps of a video: a language model rewrites the prompt, and an engine makes the file.
//
// A repeated generation finds the job of the first at its server; the embedded engine makes the same file again. What an engine made is
// probed before it becomes the result: a file that does not play, or is of another size or duration, is never served. An upload that fails
// is repeated without making the video again. The enlargement of a video goes on from the last point that any host has stored.
package video

import (
	"context"

	"plait/activities"
	"plait/internal/core"
	videorecords "plait/internal/records/video"
	"plait/internal/tempdir"
	"plait/internal/video"
	"plait/internal/video/ffmpeg"
	"plait/internal/video/window"
)

// Deps are the dependencies of the steps of videos. A process needs only those of its roles.
type Deps struct {
	*activities.Host
	// Engines are those of the catalog that this process can ask, by name.
	Engines map[string]Engine
	// Upscaler enlarges videos in this process; nil means that it enlarges none.
	Upscaler *Upscaler
	// Program returns ffmpeg. It may fetch it first.
	Program func(ctx context.Context) (*ffmpeg.Program, error)
	// Mark draws the sign of machine-made videos onto a frame.
	Mark func(frame []byte, width, height int) error
	// Extend rewrites a prompt. It returns an empty one where there is no language model.
	Extend func(ctx context.Context, item core.Item, o video.Options) (string, error)
	// TempDir is the folder of files that are being made; empty is that of the system.
	TempDir string
}

// Engine is an engine with the number of videos that it makes at the same time in this process.
type Engine struct {
	video.Generator
	Slots int
	// Acquire acquires one of the slots, where all processes share them; it is nil where each process has slots of its own.
	Acquire func(ctx context.Context) (release func(), err error)
}

// Upscaler is how a process enlarges videos.
type Upscaler struct {
	// Model returns the model that makes videos so many times wider and higher. It may fetch it first.
	Model func(ctx context.Context, scale int) (window.Manifest, error)
	// Config says on which devices the model runs, and by which schedule.
	Config window.Config
	// Share lets another process run the last blocks of the model of a scale; nil means that this one runs all.
	Share func(scale int, m window.Manifest, c *window.Config) error
	// Slots is the number of videos that the process enlarges at the same time.
	Slots int
}

// Activities are the steps. Their Temporal names are the Step constants of plait/internal/video.
type Activities struct {
	Deps
	videos videorecords.Store
}

// New makes the steps.
func New(d Deps) *Activities { return &Activities{Deps: d, videos: videorecords.New(d.Records)} }

// tempPrefix begins the names of the folders of videos in work.
const tempPrefix = "plait-video-"

// Sweep removes the videos in work that killed processes have left in TempDir.
func (a *Activities) Sweep() error { return tempdir.Sweep(a.TempDir, tempPrefix) }
