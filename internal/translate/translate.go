package translate

import (
	"context"
	"time"

	"plait/internal/core"
	"plait/internal/translate/glossary"
	"plait/internal/translate/ledger"
)

// Request is a request for the translations of one page.
type Request struct {
	// Page identifies the page. Its tenant owns the answers.
	Page core.Item
	// From is a BCP 47 tag, or empty or languages.Auto when the source language is unknown. To is a tag.
	From, To string
	// Segments are the texts of the regions in reading order, each index once.
	Segments []Segment
	// Glossary contains the required translations of terms, the most important entries first; only entries that occur on the page are
	// sent.
	Glossary []glossary.Entry
	// Cast contains the names and terms as the chapter has translated them so far; only entries that occur on the page are sent.
	Cast []glossary.Entry
	// Synopsis describes the chapter; it may be empty.
	Synopsis string
	// Context contains previous pages of the same chapter in reading order, the nearest last.
	Context []PageText
	// Done contains texts of this page that already have a translation and are not among the segments.
	Done []Pair
	// Before are source texts that come before the segments, such as headings, for context only.
	Before []string
	// Prompts are the instructions for the model; nil means those of the configuration.
	Prompts *Prompts
	// Rules are further rules on the form of the translations, a sentence each.
	Rules []string
	// Examine checks a translation by the rules of the caller and may mend it; nil means no check. A translation that is not ok is asked for
	// again, as an unacceptable answer, and in the end the segment keeps its original with the reason core.UntranslatedForm.
	Examine func(index int, text string) (mended string, ok bool)
	// Slot is the slot that the caller holds for the request; nil when calls have no limit across processes.
	Slot Slot
}

// Slot permits one call to a model at a time. It belongs to one request.
type Slot interface {
	// Yield gives the slot to others while an answer waits for its record. The caller keeps the page.
	Yield()
	// Regain waits for a slot again after Yield, or when the slot was lost; otherwise it does nothing. It fails when the request must not continue.
	Regain(ctx context.Context) error
}

// Segment is the text of one region.
type Segment struct {
	// Index is the index of the region.
	Index int
	Text  string
	// Optional marks a region of a kind that keeps its original lettering by default: a script may omit it.
	Optional bool
}

// PageText is a page that is already translated.
type PageText struct {
	Name  string
	Pairs []Pair
}

// Pair is a source text and its translation.
type Pair struct {
	Source, Translation string
}

// Result contains exactly one translation for each segment, in the order of the segments. An empty text keeps the original lettering of
// the region; if no model had an acceptable text, the translation has the reason.
type Result struct {
	Translations []core.Translation
	// Provider is the name of the translator; Model is empty when there is none.
	Provider, Model string
	// Paid is the number of model calls answered now; Reused is the number of recorded answers used instead.
	Paid, Reused int
}

// Health is the result of a check of a translator.
type Health struct {
	Provider string
	// Model is the model that answered, empty for the script.
	Model string
	// Endpoint is the base address of the provider, without user, query or key; empty for the script.
	Endpoint string
	Latency  time.Duration
	// Usage is the usage of the call.
	Usage core.Usage
}

// Translator translates the texts of a page. It is safe for concurrent use.
type Translator interface {
	// Translate makes one model call at a time. It fails with CodeTranslatorRefused, CodeTranslatorRateLimited, CodeTranslatorUnavailable,
	// CodeScriptIncomplete, with an error of the ledger, or with the error of ctx. It may run twice: the second run reuses the answers
	// that the first run paid for.
	Translate(ctx context.Context, r Request) (Result, error)
	// Name is the kind of provider, or core.TranslatorScript.
	Name() string
	// Check makes one small real call, outside the ledger.
	Check(ctx context.Context) (Health, error)
}

// Ledger stores the records of calls. It is safe for concurrent use.
type Ledger interface {
	// LookupCall returns the recorded answer to the call of that key, if there is one with ledger.OutcomeOK.
	LookupCall(ctx context.Context, key string) (ledger.Answer, bool, error)
	// RecordCall stores the call. Of two answers with one key it keeps the first, and the second is no error.
	RecordCall(ctx context.Context, call ledger.Call) error
}
