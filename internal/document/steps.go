package document

import "plait/internal/core"

// The names under which the steps are registered as Temporal activities.
const (
	StepLayout    = "document.Layout"
	StepTranslate = "document.Translate"
	StepTypeset   = "document.Typeset"
	StepWrite     = "document.Write"
)

// LayoutInput asks for the blocks of a page. The step writes them into the records.
type LayoutInput struct {
	Item    core.Item `json:"item"`
	Options Options   `json:"options"`
}

// LayoutOutput says what was found.
type LayoutOutput struct {
	// Texts is the number of blocks to translate. A page without any is typeset unchanged.
	Texts int `json:"texts"`
	// RunsOn is set if the last paragraph may continue on the next page, and RunsIn if the first one may begin on the page before.
	RunsOn bool `json:"runs_on,omitempty"`
	RunsIn bool `json:"runs_in,omitempty"`
}

// TranslateInput asks for the translations of the blocks in the records. The step writes them into the records.
type TranslateInput struct {
	Item    core.Item `json:"item"`
	Options Options   `json:"options"`
	// Mode is that of the page: ModeConcurrent, ModeSerial or ModeFallback.
	Mode core.Mode `json:"mode"`
	// Attempts is the number of attempts already made in another mode; the step counts on from there.
	Attempts int `json:"attempts,omitempty"`
	// RunsOn asks for the last paragraph together with its end on the next page. The layout of that page has ended.
	RunsOn bool `json:"runs_on,omitempty"`
	// Head is what to do with a first paragraph that begins on the page before.
	Head Head `json:"head,omitempty"`
}

// Head is how a step translates a first paragraph that begins on the page before.
type Head string

// The ways. A paragraph over two pages is asked for with the page on which it begins. After that, a step with HeadAlone finds the answer in
// the records and takes the part of its page; if the page before has failed, it asks for the paragraph itself.
const (
	// HeadOwn translates the part on the page by itself, as any other text.
	HeadOwn Head = ""
	// HeadLater leaves it to a later step with HeadAlone, which translates nothing else.
	HeadLater Head = "later"
	HeadAlone Head = "alone"
)

// TranslateOutput says how the translation went.
type TranslateOutput struct {
	// Attempts is the number of the attempts so far; a later step of the page counts on from there.
	Attempts     int `json:"attempts,omitempty"`
	Translated   int `json:"translated"`
	Untranslated int `json:"untranslated"`
}

// TypesetInput asks for the edit of a page, which is the result of its item.
type TypesetInput struct {
	Item    core.Item `json:"item"`
	Options Options   `json:"options"`
	Mode    core.Mode `json:"mode"`
}

// WriteInput asks for the files of the result, from the edits of all pages.
type WriteInput struct {
	TaskID  string  `json:"task_id"`
	Tenant  string  `json:"tenant"`
	Options Options `json:"options"`
}
