// Package comicschema contains the JSON objects that the API has for comics: the options and details of tasks, the details of pages, and
// the edits of translations.
package comicschema

import (
	"net/url"
	"time"

	"plait/api/schema"
	"plait/internal/comic"
	"plait/internal/core"
	"plait/internal/translators"
)

// Path is the path of requests for translations, below /v1.
const Path = "/comic/translations"

// TaskPath returns the path of the resources that only translations have, such as their scripts.
func TaskPath(id string) string { return "/v1" + Path + "/" + url.PathEscape(id) }

// The fields of a request for a translation, in addition to those of every kind.
const (
	FieldFrom       = "from"
	FieldTo         = "to"
	FieldMode       = "mode"
	FieldTranslator = "translator"
	FieldScript     = "script"
	FieldStrict     = "strict"
	FieldSounds     = "sounds"
	FieldFast       = "fast"
)

// Options are the options of a task.
type Options struct {
	From string    `json:"from"`
	To   string    `json:"to"`
	Mode core.Mode `json:"mode"`
	// Translator is the name that the request gave; it is empty for the default.
	Translator string `json:"translator,omitempty"`
	// Strict is whether a page with a text that the script lacks fails.
	Strict bool `json:"strict,omitempty"`
	// Sounds is what becomes of drawn sound effects; it is empty for the default.
	Sounds comic.SoundMode `json:"sounds,omitempty"`
	// Fast is whether smaller models read the pages.
	Fast bool `json:"fast,omitempty"`
}

// Estimate is what a translation would take.
type Estimate struct {
	PageCount int `json:"page_count"`
	// Analyzed is false where the pages were only counted, so that their texts are assumed.
	Analyzed    bool `json:"analyzed"`
	RegionCount int  `json:"region_count"`
	// Provider and Model are asked; there is no model for a script.
	Provider     string `json:"provider"`
	Model        string `json:"model,omitempty"`
	Calls        int    `json:"estimated_call_count"`
	InputTokens  int    `json:"estimated_input_tokens"`
	OutputTokens int    `json:"estimated_output_tokens"`
	// CostMicros is in millionths of the currency of translator.prices; absent where that has no price of the model.
	CostMicros *int64 `json:"estimated_cost_micros,omitempty"`
	// Seconds is the time of the model's calls. Pages are read and lettered meanwhile.
	Seconds float64 `json:"estimated_time_seconds"`
}

// EstimateOf is the estimate of a chapter whose pages were only counted.
func EstimateOf(e translators.Estimate) Estimate {
	v := Estimate{
		PageCount: e.Pages, RegionCount: e.Regions, Provider: e.Provider, Model: e.Model, Calls: e.Calls, InputTokens: e.InputTokens,
		OutputTokens: e.OutputTokens, Seconds: e.Seconds,
	}
	if e.Priced {
		v.CostMicros = &e.CostMicros
	}
	return v
}

// TaskDetails are the details of a task.
type TaskDetails struct {
	// Detected and Translated count the pages that have left these stages, successfully or not.
	Detected   int `json:"detected"`
	Translated int `json:"translated"`
	// FallbackCount is the number of successful pages that were processed again as a whole.
	FallbackCount int `json:"fallback_count"`
	// UntranslatedCount is the number of texts, so far, without an acceptable translation: they keep their original lettering.
	UntranslatedCount int `json:"untranslated_count,omitempty"`
}

// PageDetails are the details of a page.
type PageDetails struct {
	Width   int `json:"width,omitempty"`
	Height  int `json:"height,omitempty"`
	Regions int `json:"regions"`
	// Untranslated is the number of regions without an acceptable translation: they keep their original lettering.
	Untranslated   int                  `json:"untranslated,omitempty"`
	OutputChanged  bool                 `json:"output_changed"`
	NoChangeReason comic.NoChangeReason `json:"no_change_reason,omitempty"`
	// Missing lists, once each, the characters of the translations that no font has: they are left out of the image.
	Missing string `json:"missing_characters,omitempty"`
	// Edit is the state of the last edit of the page; absent when the page was never edited.
	Edit *Edit `json:"edit,omitempty"`
	// Texts are the regions with their translations; only on the page's own resource.
	Texts []Text `json:"texts,omitempty"`
}

// Text is one region of a page.
type Text struct {
	Index int `json:"region_index"`
	// Box is x0, y0, x1, y1 in pixels.
	Box         [4]float64      `json:"box"`
	Direction   comic.Direction `json:"direction"`
	Source      string          `json:"source"`
	Translation string          `json:"translation,omitempty"`
	// Untranslated is the reason why there is no acceptable translation.
	Untranslated core.Untranslated `json:"untranslated,omitempty"`
	// Overflow means that the translation does not fit: it is lettered smaller than is legible, or beyond its region.
	Overflow bool `json:"overflow,omitempty"`
	// Annotated means that the region stays as drawn and its translation stands beside it, because it could not be erased cleanly.
	Annotated bool `json:"annotated,omitempty"`
	// Kind is the one that a person chose, or else the one that was found.
	Kind comic.RegionKind `json:"kind,omitempty"`
	// Area and Style are what a person chose; absent for what lettering finds.
	Area  comic.Area  `json:"area,omitzero"`
	Style comic.Style `json:"style,omitzero"`
	// Erased means that the original lettering is erased and nothing takes its place. Deleted means that the region is no text.
	Erased  bool `json:"erased,omitempty"`
	Deleted bool `json:"deleted,omitempty"`
	// Place is the place in reading order, where that of index i is i+1; absent for that.
	Place float64 `json:"place,omitempty"`
	// JoinedInto is the region that has the text of this one, which then is not on the page; absent for none.
	JoinedInto *int `json:"joined_into,omitempty"`
	// Cut is how many characters of its text the region keeps; absent for all.
	Cut int `json:"cut,omitempty"`
	// Drawn is how far a region has come that a person drew; absent for one that was found.
	Drawn comic.Reading `json:"drawn,omitempty"`
	// Alternatives are other translations that a person asked a model for; absent when nobody has.
	Alternatives *Alternatives `json:"alternatives,omitempty"`
	// EditedBy is the name of the key that edited the region, and EditedAt the time; absent for a region that was not edited.
	EditedBy string     `json:"edited_by,omitempty"`
	EditedAt *time.Time `json:"edited_at,omitempty"`
}

// Edit is the state of the last edit of a page.
type Edit struct {
	// Status is running until the page shows the edit, then success; or error, with its Failure, and the page stays unchanged.
	Status   core.Status     `json:"status"`
	EditedAt time.Time       `json:"edited_at"`
	Failure  *schema.Failure `json:"failure,omitempty"`
}

// EditRegions is a request for other translations on a page.
type EditRegions struct {
	Regions []EditedRegion `json:"regions"`
}

// EditedRegion is what changes of a region.
type EditedRegion struct {
	Index int `json:"region_index"`
	RegionChange
}

// RegionChange has a field for each thing that changes; nil keeps it.
type RegionChange struct {
	// Translation is the new translation. An empty one restores the original lettering.
	Translation *string `json:"translation,omitempty"`
	// Expected is the translation that the editor saw: when the region has another one by now, the edit fails with CONFLICT. Nil means any.
	Expected *string `json:"expected,omitempty"`
	comic.OverrideEdit
}

// DrawRegion is a request for a region where the reading has missed a text.
type DrawRegion struct {
	// Area is x0, y0, x1, y1 in pixels.
	Area comic.Area `json:"area"`
}

// DrawnRegion is the answer to it.
type DrawnRegion struct {
	Index int `json:"region_index"`
}

// SplitRegion is a request to divide a region. At and TranslationAt are in characters; of an absent one, the same share is taken.
type SplitRegion struct {
	Index         int  `json:"region_index"`
	At            *int `json:"at,omitempty"`
	TranslationAt *int `json:"translation_at,omitempty"`
	// Expected is the translation that the editor saw.
	Expected string `json:"expected"`
}

// AskAlternatives is a request for other translations of a region.
type AskAlternatives struct {
	Index int `json:"region_index"`
	// Count is how many are wanted, from 1 to [comic.MaxAlternatives]; 0 means 3.
	Count int `json:"count,omitempty"`
}

// Alternatives are other translations of a region.
type Alternatives struct {
	// Request names the last request that has ended.
	Request string `json:"request"`
	// Texts are all that were asked for so far, the newest first.
	Texts []string `json:"texts"`
	// Failure is why the last request gave none.
	Failure *schema.Failure `json:"failure,omitempty"`
}

// Task is a task of comics.
type Task = schema.TaskWith[Options, TaskDetails]

// TaskOf decodes the options and details of a task of comics.
func TaskOf(t schema.Task) Task { return schema.TaskOf[Options, TaskDetails](t) }

// Page is a page with its details.
type Page struct {
	schema.Item
	PageDetails
}

// PageOf decodes the details of a page.
func PageOf(i schema.Item) Page { return Page{Item: i, PageDetails: schema.DetailsOf[PageDetails](i)} }
