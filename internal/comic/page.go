// Package comic is the vocabulary of comics: pages, regions, stages and modes, the options of a task, and the inputs and outputs of
// its steps.
package comic

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"unicode"

	"plait/internal/core"
)

// Kind is the translation of a chapter of comic pages.
const Kind core.Kind = "comic"

// The modes.
const (
	// ModeSplit runs detect, translate and render as steps of their own; no device is held while a model answers.
	ModeSplit core.Mode = "split"
	// ModeUnified runs the whole page as one step on one host.
	ModeUnified core.Mode = "unified"
	// ModeFallback marks a page that began in split mode, lost its detect context, and was done again as a whole.
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

// stages are the stages in the order of a page's way; a page that fell back goes through StagePage last.
var stages = []core.Stage{StageDetect, StageTranslate, StageRender, StagePage}

// Rank is the place of a stage on a page's way, from 0: a stage supersedes the runs of those before it.
func Rank(stage core.Stage) int { return slices.Index(stages, stage) }

// FailureStage is the name in failures of a stage that a page goes through in a mode.
func FailureStage(stage core.Stage, mode core.Mode) core.Stage {
	if stage == StagePage && mode == ModeFallback {
		return StageFallback
	}
	return stage
}

// ParseOptions reads the options of a task, which are JSON. It fails with [core.CodeInternal]: they were checked when the task was
// accepted.
func ParseOptions(options json.RawMessage) (o Options, err error) {
	if err := json.Unmarshal(options, &o); err != nil {
		return o, core.Wrap(core.CodeInternal, err, "the options of the task cannot be read")
	}
	return o, nil
}

// JSON is the canonical JSON of the options.
func (o Options) JSON() json.RawMessage {
	b, _ := json.Marshal(o) // of texts, which never fails
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
	// Strict fails a page with a region that the script lacks, which is otherwise left as drawn.
	Strict bool `json:"strict,omitempty"`
	// Sounds is what becomes of drawn sound effects.
	Sounds SoundMode `json:"sounds,omitempty"`
	// Order is how pages are read where it is not as their language usually is.
	Order ReadingOrder `json:"reading_order,omitempty"`
}

// RenderReport says what rendering a page took and how its lettering came out.
type RenderReport struct {
	Elapsed core.ElapsedMS
	// Overflow are the indices of the regions whose text does not fit at a legible size: a shorter one would look better.
	Overflow []int
	// Missing are the characters of the translations that no font has, each once. The page has the texts without them.
	Missing string
}

// OverflowText is a translation that does not fit into its region at a legible size.
type OverflowText struct {
	// Index is the index of the region.
	Index int `json:"index"`
	// Room is an estimate of how many characters (code points, white space counted) would fit: the longest beginning of
	// the translation, of whole words where one does. It is less than the translation has. A text of other words, or of
	// as many characters in a wider script, may need more.
	Room int `json:"room"`
}

// maxCodePoints bounds how many characters a message names.
const maxCodePoints = 8

// CodePoints names characters for a message, such as "U+16A0 ᚠ, U+1D11E 𝄞".
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
