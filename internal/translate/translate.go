package translate

import (
	"context"
	"time"

	"plait/internal/core"
	"plait/internal/translate/glossary"
	"plait/internal/translate/ledger"
)

// Request asks for the translations of one page.
type Request struct {
	// Page says whose page it is. Its tenant owns the answers.
	Page core.Item
	// From is a BCP 47 tag, or empty or languages.Auto when the source language is unknown. To is a tag.
	From, To string
	// Segments are the texts of the regions in reading order, each index once.
	Segments []Segment
	// Glossary is what terms are to be called, the strongest entries first; of it, only what occurs on the page is sent.
	Glossary []glossary.Entry
	// Cast is what the chapter has called its names and terms so far; of it, too, only what occurs is sent.
	Cast []glossary.Entry
	// Synopsis says what the chapter is about; empty when nobody said so.
	Synopsis string
	// Context are previous pages of the same chapter in reading order, the nearest last.
	Context []PageText
	// Done are texts of this page that have a translation already, and are not among the segments.
	Done []Pair
	// Slot is the place that the caller holds for the request; nil where calls have no limit over processes.
	Slot Slot
}

// Slot is a place from which a model is asked. It belongs to one request at a time.
type Slot interface {
	// Yield gives the place to others while an answer waits for its record. The page stays with its holder.
	Yield()
	// Regain waits for a place again after Yield; otherwise it does nothing. It fails when the request is not to go on.
	Regain(ctx context.Context) error
}

// Segment is the text of one region.
type Segment struct {
	// Index is the index of the region.
	Index int
	Text  string
	// Optional is a region of a kind that is left as it is drawn where nobody asks for it otherwise: a script may leave it out.
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

// Result holds exactly one translation for each segment, in the order of the segments. An empty text leaves the region as
// it is drawn; that no model had a fit one is told by its reason.
type Result struct {
	Translations []core.Translation
	// Provider is the name of the translator; Model is empty where there is none.
	Provider, Model string
	// Paid is the number of model calls answered now; Reused is the number of recorded answers taken instead.
	Paid, Reused int
}

// Health is what a check of a translator found.
type Health struct {
	Provider string
	// Model is the model that answered, empty for the script.
	Model string
	// Endpoint is the base address asked, without user, query or key; empty for the script.
	Endpoint string
	Latency  time.Duration
	// Usage is what the call took.
	Usage core.Usage
}

// Translator turns the texts of a page into another language. It is safe for concurrent use.
type Translator interface {
	// Translate makes one model call at a time. It fails with CodeTranslatorRefused, CodeTranslatorRateLimited,
	// CodeTranslatorUnavailable, CodeScriptIncomplete, with an error of the ledger, or with the error of ctx. It may run
	// twice: what the first run paid for is reused.
	Translate(ctx context.Context, r Request) (Result, error)
	// Name is the kind of provider, or core.TranslatorScript.
	Name() string
	// Check makes one small real call, outside the ledger.
	Check(ctx context.Context) (Health, error)
}

// Ledger keeps the account of calls. It is safe for concurrent use.
type Ledger interface {
	// LookupCall is the recorded answer to the call of that key, if there is one with ledger.OutcomeOK.
	LookupCall(ctx context.Context, key string) (ledger.Answer, bool, error)
	// RecordCall keeps the call. Of two answers with one key the first stays, and the second is no error.
	RecordCall(ctx context.Context, call ledger.Call) error
}
