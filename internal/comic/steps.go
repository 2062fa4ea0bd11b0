package comic

import "plait/internal/core"

// The names under which the steps are registered as Temporal activities.
const (
	StepDetect    = "comic.Detect"
	StepTranslate = "comic.Translate"
	StepRender    = "comic.Render"
	StepPage      = "comic.Page"
	StepShorten   = "comic.Shorten"
)

// DetectInput asks for the regions of a page.
type DetectInput struct {
	Page    core.Item `json:"page"`
	Options Options   `json:"options"`
	// Attempts is the number of attempts already made on another queue; the step counts on from there.
	Attempts int `json:"attempts,omitempty"`
	// Yield makes the step fail with core.CodeOutOfTurn instead of taking the last room of a host that an earlier page of the
	// chapter still needs.
	Yield bool `json:"yield,omitempty"`
}

// DetectOutput is what detect found, and where it left the detect context.
type DetectOutput struct {
	// Lease names the detect context; its LeaseID is empty when there is no text and so no context.
	core.Lease
	// StepMS is how long the host had the step, in milliseconds. It includes the wait for its device, but not the wait for a host.
	StepMS int64 `json:"step_ms,omitempty"`

	ImageHash core.BlobRef   `json:"image_hash"`
	Width     int            `json:"width"`
	Height    int            `json:"height"`
	Regions   []Region       `json:"regions"`
	FromLang  string         `json:"from_lang"`
	Elapsed   core.ElapsedMS `json:"elapsed_ms"`
}

// TranslateInput asks for the translations of a page. The step reads the pages before it from the records.
type TranslateInput struct {
	Page    core.Item `json:"page"`
	Options Options   `json:"options"`
	// FromLang is the language that detect found, or Options.From when it was given.
	FromLang string   `json:"from_lang"`
	Regions  []Region `json:"regions"`
	// Prefetch says that pages before this one may have no translations yet. The step waits for those under way, and fails with
	// core.CodeOutOfTurn if it would wait for long.
	Prefetch bool `json:"prefetch,omitempty"`
	// Attempts is as in [DetectInput].
	Attempts int `json:"attempts,omitempty"`
}

// TranslateOutput holds exactly one translation for each region.
type TranslateOutput struct {
	Translations []core.Translation `json:"translations"`
	Provider     string             `json:"provider"`
	Model        string             `json:"model,omitempty"`
	// Estimated is the usage estimated for the translation; nil if no model was asked.
	Estimated *core.Usage `json:"estimated,omitempty"`
	// Paid is the number of model calls that this run made; Reused is the number of recorded answers that it used instead.
	Paid    int            `json:"paid"`
	Reused  int            `json:"reused"`
	Elapsed core.ElapsedMS `json:"elapsed_ms"`
}

// RenderInput asks the host that keeps a detect context for the finished page.
type RenderInput struct {
	Page         core.Item          `json:"page"`
	Options      Options            `json:"options"`
	LeaseID      string             `json:"lease_id"`
	ImageHash    core.BlobRef       `json:"image_hash"`
	Translations []core.Translation `json:"translations"`
	// AskShorter asks for PageOutput.TooLong instead of a page if some translations do not fit.
	AskShorter bool `json:"ask_shorter,omitempty"`
	// Shortened are the indices of the translations that replaced longer ones.
	Shortened []int `json:"shortened,omitempty"`
}

// ShortenInput asks for shorter translations of regions of a page.
type ShortenInput struct {
	Page     core.Item `json:"page"`
	Options  Options   `json:"options"`
	FromLang string    `json:"from_lang"`
	// Texts are the translations that do not fit, each with the text of its region.
	Texts []LongText `json:"texts"`
}

// LongText is a translation that does not fit, with its source text.
type LongText struct {
	OverflowText
	Source      string `json:"source"`
	Translation string `json:"translation"`
}

// ShortenOutput holds the shorter translations that the translator gave; the other translations stay as they are.
type ShortenOutput struct {
	Translations []core.Translation `json:"translations,omitempty"`
}

// PageInput asks one host for a whole page: in mode unified, or in the compensating branch of mode split.
type PageInput struct {
	Page    core.Item `json:"page"`
	Options Options   `json:"options"`
	// Mode is ModeUnified or ModeFallback.
	Mode core.Mode `json:"mode"`
	// Translations are those already made. If nil, the step translates the page itself, without holding the device.
	Translations []core.Translation `json:"translations,omitempty"`
	// AskShorter lets the step ask once for shorter translations of texts that do not fit, without holding the device meanwhile.
	AskShorter bool `json:"ask_shorter,omitempty"`
	// Shortened is as in [RenderInput].
	Shortened []int `json:"shortened,omitempty"`
	// Cause is the code of the error that led to the fallback.
	Cause core.Code `json:"cause,omitempty"`
}

// PageOutput is the output of the steps render and page, and the result of a page without text.
type PageOutput struct {
	Result core.BlobRef `json:"result"`
	Mode   core.Mode    `json:"mode"`
	// Layers is the result taken apart, as a file of package layers; empty where it has none.
	Layers core.BlobRef `json:"layers,omitempty"`
	// OutputChanged is false when the result is the original image.
	OutputChanged  bool           `json:"output_changed"`
	NoChangeReason NoChangeReason `json:"no_change_reason,omitempty"`
	Regions        int            `json:"regions"`
	// Overflow are the indices of the regions whose text did not fit at a legible size.
	Overflow []int `json:"overflow,omitempty"`
	// Annotated are the indices of the regions that stay as drawn with their translation beside them, as in [RenderReport].
	Annotated []int `json:"annotated,omitempty"`
	// Missing are the characters of the translations that no font has, as in [RenderReport].
	Missing string `json:"missing_characters,omitempty"`
	// Shortened are the translations that were lettered in place of longer ones.
	Shortened []core.Translation `json:"shortened,omitempty"`
	// TooLong are the translations for which shorter texts are wanted, if RenderInput.AskShorter is set. There is no page then, and the
	// detect context is kept.
	TooLong []OverflowText `json:"too_long,omitempty"`
	Elapsed core.ElapsedMS `json:"elapsed_ms"`
}

// NoChangeReason says why a result is the original image.
type NoChangeReason string

// NoText says that no text was found on the page.
const NoText NoChangeReason = "no_text"

// The names under which the steps of edited pages are registered as Temporal activities.
const (
	StepEdit              = "comic.Edit"
	StepTranslateDrawn    = "comic.TranslateDrawn"
	StepRecordEditFailure = "comic.RecordEditFailure"
	StepAlternatives      = "comic.Alternatives"
	StepNoAlternatives    = "comic.NoAlternatives"
)

// EditInput asks for a page to be rendered with the translations that are now in the records.
type EditInput struct {
	Page    core.Item `json:"page"`
	Options Options   `json:"options"`
	// LeaseID names the detect context of an earlier edit that this host keeps; if empty, the page is detected again.
	LeaseID string `json:"lease_id,omitempty"`
}

// EditOutput says which edit the result of the page shows, and names the detect context that is kept for the next edit.
type EditOutput struct {
	// Revision is the number of the edit that was rendered.
	Revision int `json:"revision"`
	// Untranslated says that regions that people drew are read and wait for a model.
	Untranslated bool `json:"untranslated,omitempty"`
	core.Lease
	Elapsed core.ElapsedMS `json:"elapsed_ms"`
}

// TranslateDrawnInput asks for translations of the regions that people drew on a page.
type TranslateDrawnInput struct {
	Page    core.Item `json:"page"`
	Options Options   `json:"options"`
}

// TranslateDrawnOutput counts the regions that have a translation by now, and those that a person has to translate.
type TranslateDrawnOutput struct {
	Translated   int `json:"translated"`
	Untranslated int `json:"untranslated"`
}

// RecordEditFailureInput says why the current edit of a page could not be rendered.
type RecordEditFailureInput struct {
	Page    core.Item    `json:"page"`
	Failure core.Failure `json:"failure"`
}

// AlternativesInput asks a model for other translations of a region.
type AlternativesInput struct {
	Page    core.Item `json:"page"`
	Options Options   `json:"options"`
	Region  int       `json:"region_index"`
	// Request names the request for them, and After the one that ended last; empty for the first one.
	Request string `json:"request"`
	After   string `json:"after,omitempty"`
	// Count is how many are wanted, 1 to [MaxAlternatives].
	Count int `json:"count"`
	// Known are translations that are not wanted again, beside that of the region.
	Known []string `json:"known,omitempty"`
}

// AlternativesOutput counts the translations that are in the records.
type AlternativesOutput struct {
	Count int `json:"count"`
}

// NoAlternativesInput says why a model gave no other translations.
type NoAlternativesInput struct {
	AlternativesInput
	Failure core.Failure `json:"failure"`
}

// MaxAlternatives bounds how many translations one request asks for.
const MaxAlternatives = 8

// Alternatives are other translations of a region.
type Alternatives struct {
	// Request names the request that they answer, the last one that has ended.
	Request string `json:"request"`
	// Source is the text that they translate.
	Source string `json:"source"`
	// Texts are all that were asked for so far, the newest first.
	Texts []string `json:"texts"`
	// Failure is why the last request gave none; nil when it did.
	Failure *core.Failure `json:"failure,omitempty"`
}
