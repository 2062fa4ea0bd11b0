package video

import (
	"slices"

	"plait/internal/core"
)

// The stages of a video.
const (
	// StageExtend lets a language model rewrite the prompt.
	StageExtend core.Stage = "extend"
	// StageGenerate makes the video.
	StageGenerate core.Stage = "generate"
	// StageUpscale enlarges a video that an engine made smaller than it was asked for.
	StageUpscale core.Stage = "upscale"
	// StageFallback enlarges a video on one device, after several have failed.
	StageFallback core.Stage = "fallback"
)

var stages = []core.Stage{StageExtend, StageGenerate, StageUpscale, StageFallback}

// Rank is the position of a stage in the order in which a video goes through them, from 0.
func Rank(stage core.Stage) int { return slices.Index(stages, stage) }

// The modes.
const (
	// ModeGenerate is that of a video that was made as it was asked for.
	ModeGenerate core.Mode = "generate"
	// ModeFallback is that of a video that was enlarged on one device, one stage at a time, because its devices failed together.
	ModeFallback core.Mode = "fallback_to_sequential"
)

// The names under which the steps are registered as Temporal activities.
const (
	StepExtend   = "video.Extend"
	StepGenerate = "video.Generate"
	StepUpscale  = "video.Upscale"
)

// ExtendInput asks for a rewritten prompt. The step writes it into the records.
type ExtendInput struct {
	Item    core.Item `json:"item"`
	Options Options   `json:"options"`
}

// GenerateInput asks for the video, which is the result of the item, unless it is then enlarged. The step returns its blob.
type GenerateInput struct {
	Item    core.Item `json:"item"`
	Options Options   `json:"options"`
}

// UpscaleInput asks for an enlarged video, which is the result of the item.
type UpscaleInput struct {
	Item    core.Item `json:"item"`
	Options Options   `json:"options"`
	// Source is the video that an engine made; empty for the one that the client sent.
	Source core.BlobRef `json:"source,omitempty"`
	// Fallback is set to use one device after the other, one stage at a time.
	Fallback bool `json:"fallback,omitempty"`
}
