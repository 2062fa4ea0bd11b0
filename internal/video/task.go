// Package video is the vocabulary of generated videos: what a client asks for ([Options]), the sizes of resolutions, the table of models
// ([Catalog]), and the names and inputs of the steps. The folders below it make and read videos; they know nothing of tasks.
package video

import (
	"encoding/json"
	"math"

	"plait/internal/core"
)

// Kind is the task kind that makes a video.
const Kind core.Kind = "video"

// Type says what a video is made from.
type Type string

// The types.
const (
	TextToVideo  Type = "text_to_video"
	ImageToVideo Type = "image_to_video"
	// VideoUpscale enlarges a video that exists.
	VideoUpscale Type = "video_upscale"
)

// Resolution is a size of a video as its number of pixels.
type Resolution string

// The resolutions.
const (
	Resolution480  Resolution = "480P"
	Resolution720  Resolution = "720P"
	Resolution1080 Resolution = "1080P"
)

// Resolutions are all of them, the smallest first.
func Resolutions() []Resolution { return []Resolution{Resolution480, Resolution720, Resolution1080} }

// wide are the sizes of a video that is made from a prompt alone, which are those that models were trained for.
var wide = map[Resolution][2]int{Resolution480: {832, 480}, Resolution720: {1280, 720}, Resolution1080: {1920, 1080}}

// Wide returns the aspect ratio of a video that is made from a prompt alone.
func (r Resolution) Wide() (width, height int) { return wide[r][0], wide[r][1] }

// Size returns the size of a video with about the number of pixels of the resolution and the aspect ratio width:height. Both sides are
// multiples of a number, which is at least 2 and even.
func (r Resolution) Size(width, height, multiple int) (w, h int) {
	aspect := float64(width) / float64(height)
	pixels := float64(wide[r][0] * wide[r][1])
	step := float64(max(multiple, 2))
	round := func(side float64) int { return int(max(math.Round(side/step), 1) * step) }
	return round(math.Sqrt(pixels * aspect)), round(math.Sqrt(pixels / aspect))
}

// Options are what a client chooses for a video, with what was drawn or derived for it.
type Options struct {
	// Model is the name of a model in the catalog, and Engine that of the engine that runs it.
	Model  string `json:"model"`
	Engine string `json:"engine"`
	Type   Type   `json:"type"`
	// Prompt and NegativePrompt are already cut to their lengths.
	Prompt         string `json:"prompt"`
	NegativePrompt string `json:"negative_prompt,omitempty"`
	// Resolution, Width, Height in pixels and Duration in seconds are those of the video. They are zero for an enlarged one, which has
	// the duration of its source.
	Resolution Resolution `json:"resolution,omitempty"`
	Width      int        `json:"width,omitempty"`
	Height     int        `json:"height,omitempty"`
	Duration   int        `json:"duration,omitempty"`
	// Scale is how many times wider and higher a video becomes; 0 for one that an engine makes as it was asked for.
	Scale int `json:"scale,omitempty"`
	// Generated is the size in which an engine makes a video that is then enlarged Scale times and brought to Width and Height; nil for any
	// other.
	Generated *Size `json:"generated,omitempty"`
	// Seed is from 0 to MaxSeed.
	Seed         int64 `json:"seed"`
	PromptExtend bool  `json:"prompt_extend"`
	Watermark    bool  `json:"watermark"`
	// PriceMicros is the price of the video in millionths of the currency; 0 for a model without a price. The row of the video has it, and not
	// the options.
	PriceMicros int64 `json:"-"`
}

// Size is a size of a video in pixels.
type Size struct {
	Width  int `json:"width"`
	Height int `json:"height"`
}

// AtEngine returns what the engine is asked for: the options, in the size in which it makes the video.
func (o Options) AtEngine() Options {
	if o.Generated != nil {
		o.Width, o.Height = o.Generated.Width, o.Generated.Height
	}
	return o
}

// MaxSeed is the largest seed.
const MaxSeed = math.MaxInt32

// ParseOptions reads the options of a task from JSON. It fails with [core.CodeInternal], because the options were already checked when the
// task was accepted.
func ParseOptions(options json.RawMessage) (o Options, err error) {
	if err := json.Unmarshal(options, &o); err != nil {
		return o, core.Wrap(core.CodeInternal, err, "the options of the task cannot be read")
	}
	return o, nil
}

// JSON is the canonical JSON of the options.
func (o Options) JSON() json.RawMessage {
	b, _ := json.Marshal(o) // strings, numbers and booleans always marshal
	return b
}

// Status is the state of a video as its clients see it.
type Status string

// The states. A video is queued until an engine takes it up.
const (
	StatusQueued    Status = "QUEUED"
	StatusRunning   Status = "RUNNING"
	StatusSucceeded Status = "SUCCEEDED"
	StatusFailed    Status = "FAILED"
	StatusCanceled  Status = "CANCELED"
	// StatusUnknown is that of an id that never was, is another tenant's, or whose video has ended too long ago.
	StatusUnknown Status = "UNKNOWN"
)
