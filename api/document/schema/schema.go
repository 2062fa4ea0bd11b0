// Package documentschema contains the JSON objects that the API has for documents: the options and details of tasks, and the details of
// pages.
package documentschema

import (
	"net/url"

	"plait/api/schema"
	"plait/internal/core"
	"plait/internal/document"
)

// Path is the path of requests for translations, below /v1.
const Path = "/document/translations"

// TaskPath returns the path of the resources that only documents have, such as their reports.
func TaskPath(id string) string { return "/v1" + Path + "/" + url.PathEscape(id) }

// The fields of a request for a translation, in addition to those of every kind.
const (
	FieldFrom         = "from"
	FieldTo           = "to"
	FieldMode         = "mode"
	FieldOutput       = "output"
	FieldDual         = "dual"
	FieldPages        = "pages"
	FieldTranslator   = "translator"
	FieldDomain       = "domain"
	FieldKeepActions  = "keep_actions"
	FieldPassword     = "password"
	FieldConfidence   = "confidence"
	FieldTableThreads = "table_threads"
)

// Options are the options of a task.
type Options struct {
	From   string          `json:"from"`
	To     string          `json:"to"`
	Mode   core.Mode       `json:"mode"`
	Output document.Output `json:"output"`
	Dual   document.Dual   `json:"dual"`
	// Pages are the numbers of the translated pages, from 1, if they are not all; PageCount is that of the document.
	Pages     []int `json:"pages,omitempty"`
	PageCount int   `json:"page_count"`
	// Translator is the name that the request gave; it is empty for the default.
	Translator  string `json:"translator,omitempty"`
	Domain      string `json:"domain"`
	KeepActions bool   `json:"keep_actions,omitempty"`
	// Confidence is 0 for that of the installation.
	Confidence float64 `json:"confidence,omitempty"`
	// TableThreads is 0 for that of the installation.
	TableThreads int `json:"table_threads,omitempty"`
}

// OptionsOf are the options as a client sees them.
func OptionsOf(o document.Options) Options {
	v := Options{
		From: o.From, To: o.To, Mode: o.Mode, Output: o.Output, Dual: o.Dual, PageCount: o.Total, Translator: o.Translator, Domain: o.Domain,
		KeepActions: o.KeepActions, Confidence: o.Confidence, TableThreads: o.TableThreads,
	}
	if len(o.Pages) < o.Total {
		for _, p := range o.Pages {
			v.Pages = append(v.Pages, p+1)
		}
	}
	return v
}

// TaskDetails are the details of a task.
type TaskDetails struct {
	// LaidOut and Translated count the pages that have left these stages, successfully or not.
	LaidOut    int `json:"laid_out"`
	Translated int `json:"translated"`
	// FallbackCount is the number of successful pages that were translated serially after their concurrent translation failed.
	FallbackCount int `json:"fallback_count"`
	// Paragraphs and Cells are the numbers of texts, so far, by what became of them.
	document.Counts
	// Overflow is the number of texts that do not fit at the smallest size.
	Overflow int `json:"overflow_count,omitempty"`
}

// PageDetails are the details of a page.
type PageDetails struct {
	// Number is the number of the page in the document, from 1; Label is its page label.
	Number int    `json:"page_number"`
	Label  string `json:"label,omitempty"`
	// Width and Height are in points, before the rotation, which is in degrees clockwise.
	Width  float64 `json:"width,omitempty"`
	Height float64 `json:"height,omitempty"`
	Rotate int     `json:"rotate,omitempty"`
	document.Counts
	Overflow int `json:"overflow_count,omitempty"`
	// Texts are the blocks with their translations; only on the page's own resource.
	Texts []Text `json:"texts,omitempty"`
}

// Text is one block of a page.
type Text struct {
	Index int            `json:"block_index"`
	Class document.Class `json:"class"`
	// Box is x0, y0, x1, y1 in points, from the lower left.
	Box         [4]float64     `json:"box"`
	Cell        *document.Cell `json:"cell,omitempty"`
	Source      string         `json:"source"`
	Translation string         `json:"translation,omitempty"`
	// Untranslated is the reason why the block stays as it is.
	Untranslated string `json:"untranslated,omitempty"`
	// Scale is the size of the translation relative to the source; absent until it is set.
	Scale float64 `json:"scale,omitempty"`
}

// Task is a task of documents.
type Task = schema.TaskWith[Options, TaskDetails]

// TaskOf decodes the options and details of a task of documents.
func TaskOf(t schema.Task) Task { return schema.TaskOf[Options, TaskDetails](t) }

// Page is a page with its details.
type Page struct {
	schema.Item
	PageDetails
}

// PageOf decodes the details of a page.
func PageOf(i schema.Item) Page { return Page{Item: i, PageDetails: schema.DetailsOf[PageDetails](i)} }
