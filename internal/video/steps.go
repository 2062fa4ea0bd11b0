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
)

var stages = []core.Stage{StageExtend, StageGenerate}

// Rank is the position of a stage in the order in which a video goes through them, from 0.
func Rank(stage core.Stage) int { return slices.Index(stages, stage) }

// ModeGenerate is the mode of every video.
const ModeGenerate core.Mode = "generate"

// The names under which the steps are registered as Temporal activities.
const (
	StepExtend   = "video.Extend"
	StepGenerate = "video.Generate"
)

// ExtendInput asks for a rewritten prompt. The step writes it into the records.
type ExtendInput struct {
	Item    core.Item `json:"item"`
	Options Options   `json:"options"`
}

// GenerateInput asks for the video, which is the result of the item.
type GenerateInput struct {
	Item    core.Item `json:"item"`
	Options Options   `json:"options"`
}
