// Package comic defines the types of comic translation that the host API, the workflows and the workers share: pages, regions, stages and
// modes, the options of a task, and the inputs and outputs of the Temporal activities. The work itself is done by the packages below it;
// package engine ties them together.
package comic

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"unicode"

	"plait/internal/core"
)

// Kind is the task kind that translates a chapter of comic pages.
const Kind core.Kind = "comic"

// The formats of a result.
const (
	// FormatCBZ is the chapter as it came, with translated pages.
	FormatCBZ = "cbz"
	// FormatZIP is the same as a folder.
	FormatZIP = "zip"
	// FormatORA is each page in layers, as OpenRaster.
	FormatORA = "ora"
)

// The modes.
const (
	// ModeSplit runs detect, translate and render as separate steps. No device is held while a language model answers.
	ModeSplit core.Mode = "split"
	// ModeUnified runs the whole page as one step on one host.
	ModeUnified core.Mode = "unified"
	// ModeFallback marks a page that began in split mode, lost its detect context, and was done again as one step.
	ModeFallback core.Mode = "fallback_to_unified"
)

// The stages. StageFallback is a failure stage only: the page step of the compensating branch failed.
const (
	StageDetect    core.Stage = "detect"
	StageTranslate core.Stage = "translate"
	StageRender    core.Stage = "render"
	StagePage      core.Stage = "page"
	StageFallback  core.Stage = "fallback"
)

// stages are the stages in the order in which a page goes through them. A page that fell back goes through StagePage last.
var stages = []core.Stage{StageDetect, StageTranslate, StageRender, StagePage}

// Rank is the position of a stage in that order, from 0, or -1 for an unknown stage. A stage supersedes the runs of the stages before it.
func Rank(stage core.Stage) int { return slices.Index(stages, stage) }

// FailureStage is the stage that a failure names: StageFallback for StagePage in ModeFallback, and otherwise the stage itself.
func FailureStage(stage core.Stage, mode core.Mode) core.Stage {
	if stage == StagePage && mode == ModeFallback {
		return StageFallback
	}
	return stage
}

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
	b, _ := json.Marshal(o) // strings and booleans always marshal
	return b
}

// Options are what a client chooses for a task.
type Options struct {
	// From is the source language as a BCP 47 tag, or "auto".
	From string `json:"from"`
	// To is the target language as a BCP 47 tag.
	To string `json:"to"`
	// Mode is ModeSplit or ModeUnified.
	Mode core.Mode `json:"mode"`
	// Translator is the name of a configured translator, TranslatorScript, or empty for the configured default.
	Translator string `json:"translator,omitempty"`
	// Script is the blob of the script when Translator is TranslatorScript.
	Script core.BlobRef `json:"script,omitempty"`
	// Strict fails a page if the script lacks one of its regions. Otherwise such a region keeps its original lettering.
	Strict bool `json:"strict,omitempty"`
	// Sounds is what becomes of drawn sound effects.
	Sounds SoundMode `json:"sounds,omitempty"`
	// Order overrides the usual reading order of the source language.
	Order ReadingOrder `json:"reading_order,omitempty"`
	// Fast reads the page with smaller models, which miss more.
	Fast bool `json:"fast,omitempty"`
}

// RenderReport says how long the rendering of a page took and how its lettering came out.
type RenderReport struct {
	Elapsed core.ElapsedMS
	// Overflow are the indices of the regions in which the translation does not fit at a legible size; a shorter text would look better.
	Overflow []int
	// Annotated are the indices of the regions that stay as drawn with their translation beside them, because the art behind them could
	// not be restored cleanly.
	Annotated []int
	// Missing are the characters of the translations that no font has, each once. The page shows the texts without them.
	Missing string
	// Layers is the page taken apart, as a file of package layers; nil without a translation, and where nobody asks for it.
	Layers []byte
}

// OverflowText is a translation that does not fit into its region at a legible size.
type OverflowText struct {
	// Index is the index of the region.
	Index int `json:"index"`
	// Room estimates how many characters (code points, with white space) would fit: the length of the longest prefix of the translation
	// that fits, cut between words where possible. It is less than the length of the translation. A text with other words, or with as many
	// characters in a wider script, may need more space.
	Room int `json:"room"`
}

// maxCodePoints is the largest number of characters that a message names.
const maxCodePoints = 8

// CodePoints lists characters for a message, such as "U+16A0 ᚠ, U+1D11E 𝄞".
func CodePoints(characters string) string {
	var named []string
	for _, r := range characters {
		switch {
		case len(named) == maxCodePoints:
			return strings.Join(named, ", ") + ", …"
		case unicode.IsGraphic(r) && !unicode.IsMark(r):
			named = append(named, fmt.Sprintf("%U %c", r, r))
		default:
			named = append(named, fmt.Sprintf("%U", r))
		}
	}
	return strings.Join(named, ", ")
}
