package document

import (
	"encoding/json"
	"slices"

	"plait/internal/core"
)

// Kind is the task kind that translates a PDF file.
const Kind core.Kind = "document"

// The modes of a page. They differ in how many texts of the page are translated at the same time.
const (
	// ModeConcurrent translates the paragraphs and cells of a page at the same time, as far as there are slots.
	ModeConcurrent core.Mode = "concurrent"
	// ModeSerial translates them one after the other.
	ModeSerial core.Mode = "serial"
	// ModeFallback marks a page whose concurrent translation failed as a whole, and that was translated serially instead.
	ModeFallback core.Mode = "fallback_to_serial"
)

// The stages of a page. StageWrite is a stage of the task: it writes the files of the result.
const (
	StageLayout    core.Stage = "layout"
	StageTranslate core.Stage = "translate"
	StageTypeset   core.Stage = "typeset"
	StageWrite     core.Stage = "write"
)

// stages are the stages in the order in which a page goes through them.
var stages = []core.Stage{StageLayout, StageTranslate, StageTypeset}

// Rank is the position of a stage in that order, from 0, or -1 for an unknown stage.
func Rank(stage core.Stage) int { return slices.Index(stages, stage) }

// Output says which files a task makes.
type Output string

// The outputs.
const (
	// OutputMono is the translated document.
	OutputMono Output = "mono"
	// OutputDual is the document with both the original and the translated pages.
	OutputDual Output = "dual"
	// OutputBoth is both files, in a ZIP archive.
	OutputBoth Output = "both"
)

// Dual says how a dual file is arranged.
type Dual string

// The arrangements of a dual file.
const (
	DualAlternating Dual = "alternating"
	DualSideBySide  Dual = "side_by_side"
)

// Options are what a client chooses for a task.
type Options struct {
	// From is the source language as a BCP 47 tag, or "auto". To is the target language.
	From string `json:"from"`
	To   string `json:"to"`
	// Mode is ModeConcurrent or ModeSerial.
	Mode core.Mode `json:"mode"`
	// Output is what the task makes, and Dual how a dual file is arranged.
	Output Output `json:"output"`
	Dual   Dual   `json:"dual"`
	// Pages are the positions of the translated pages in the document, from 0, in ascending order: item i of the task is Pages[i]. Total is
	// the number of pages of the document.
	Pages []int `json:"pages"`
	Total int   `json:"total"`
	// Translator is the name of a configured translator, or empty for the configured default.
	Translator string `json:"translator,omitempty"`
	// Domain names the instructions for the model: general, medical, legal, or one of the installation's own.
	Domain string `json:"domain"`
	// Confidence is the least confidence of the regions that the layout model finds, 0..1; 0 is that of the installation.
	Confidence float64 `json:"confidence,omitempty"`
	// TableThreads is the number of table cells of a page that are translated at the same time, at most; 0 is that of the installation.
	TableThreads int `json:"table_threads,omitempty"`
	// KeepActions keeps JavaScript and launch actions, which are removed otherwise.
	KeepActions bool `json:"keep_actions,omitempty"`
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
	b, _ := json.Marshal(o) // strings, numbers and booleans always marshal
	return b
}

// Page returns the position in the document of an item.
func (o Options) Page(item int) (int, error) {
	if item < 0 || item >= len(o.Pages) {
		return 0, core.Errorf(core.CodeInternal, "item %d of the task is not a page", item)
	}
	return o.Pages[item], nil
}

// Adjacent reports whether an item of the task and the next one are pages that follow each other in the document.
func (o Options) Adjacent(item int) bool {
	return item >= 0 && item+1 < len(o.Pages) && o.Pages[item]+1 == o.Pages[item+1]
}

// Counts are the numbers of paragraphs and of table cells of a page or a document, by what became of them. A paragraph that continues in
// another block counts once; a part of it that stays untranslated for itself counts as one more text.
type Counts struct {
	Paragraphs Count `json:"paragraphs"`
	Cells      Count `json:"cells"`
}

// Count is the number of texts of one sort by what became of them.
type Count struct {
	Total          int `json:"total"`
	Translated     int `json:"translated"`
	SkippedEmpty   int `json:"skipped_empty"`
	SkippedFormula int `json:"skipped_formula"`
	SkippedNoText  int `json:"skipped_no_text"`
	// SkippedFailed are those that no model translated acceptably, and those whose text cannot be read.
	SkippedFailed int `json:"skipped_failed"`
}
