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
}

// TranslateInput asks for the translations of the blocks in the records. The step writes them into the records.
type TranslateInput struct {
	Item    core.Item `json:"item"`
	Options Options   `json:"options"`
	// Mode is that of the page: ModeConcurrent, ModeSerial or ModeFallback.
	Mode core.Mode `json:"mode"`
	// Attempts is the number of attempts already made in another mode; the step counts on from there.
	Attempts int `json:"attempts,omitempty"`
}

// TranslateOutput says how the translation went.
type TranslateOutput struct {
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
