package pipeline

import (
	"encoding/hex"
	"fmt"
	"strings"
)

// Mode says how a page went through the pipeline.
type Mode string

// The modes.
const (
	// ModeSplit runs detect, translate and render as steps of their own; no device is held while a model answers.
	ModeSplit Mode = "split"
	// ModeUnified runs the whole page as one step on one host.
	ModeUnified Mode = "unified"
	// ModeFallback marks a page that began in split mode, lost its detect context, and was done again as a whole.
	ModeFallback Mode = "fallback_to_unified"
)

// Stage is one part of a page's way. The stage of a failure is its failure stage.
type Stage string

// The stages. StageFallback is a failure stage only: the page step of the compensating branch failed.
const (
	StageDetect    Stage = "detect"
	StageTranslate Stage = "translate"
	StageRender    Stage = "render"
	StagePage      Stage = "page"
	StageFallback  Stage = "fallback"
)

// Status is the state of a task or of a page.
type Status string

// The statuses. A page knows queued, running, success, error and canceled. A task knows partial as well: it is a success
// when every page succeeded (pages that used the fallback did), an error when all failed, and partial otherwise. A paused
// task begins no page and no model call; what it had begun ends.
const (
	StatusQueued   Status = "queued"
	StatusRunning  Status = "running"
	StatusPaused   Status = "paused"
	StatusSuccess  Status = "success"
	StatusPartial  Status = "partial"
	StatusError    Status = "error"
	StatusCanceled Status = "canceled"
)

// Ended reports whether the status is final.
func (s Status) Ended() bool {
	switch s {
	case StatusSuccess, StatusPartial, StatusError, StatusCanceled:
		return true
	case StatusQueued, StatusRunning, StatusPaused:
		return false
	}
	return false
}

// Kind is what a task makes.
type Kind string

// KindComic is the translation of a chapter of comic pages.
const KindComic Kind = "comic"

// BlobRef names the content of a blob: "sha256:" and 64 lower-case hexadecimal digits.
type BlobRef string

const blobPrefix = "sha256:"

// ParseBlobRef checks the form of s. It fails with CodeInvalidInput.
func ParseBlobRef(s string) (BlobRef, error) {
	digits, found := strings.CutPrefix(s, blobPrefix)
	if !found || len(digits) != 64 || strings.ToLower(digits) != digits {
		return "", NewError(CodeInvalidInput, "a blob is named sha256: followed by 64 lower-case hexadecimal digits")
	}
	if _, err := hex.DecodeString(digits); err != nil {
		return "", NewError(CodeInvalidInput, "a blob is named sha256: followed by 64 lower-case hexadecimal digits")
	}
	return BlobRef(s), nil
}

// NewBlobRef names the content whose SHA-256 is sum.
func NewBlobRef(sum [32]byte) BlobRef { return BlobRef(blobPrefix + hex.EncodeToString(sum[:])) }

// Hex is the digest without its prefix.
func (r BlobRef) Hex() string { return strings.TrimPrefix(string(r), blobPrefix) }

// PageRef names one page of a task: which image, and where it stands.
type PageRef struct {
	TaskID string `json:"task_id"`
	Tenant string `json:"tenant"`
	// Index is the place of the page in its chapter, 0..n-1.
	Index int `json:"index"`
	// Name is the file name of the page within its chapter, with its folder when the archive has folders.
	Name string `json:"name"`
	// Blob is the image as it came; its name is the image hash of the split contract.
	Blob BlobRef `json:"blob"`
	// Attempts were made at its stages before it was asked for again; those of now count on from there.
	Attempts int `json:"attempts,omitempty"`
}

// String is how a page is named to people: the task, the place counted from 1, and the file.
func (p PageRef) String() string { return fmt.Sprintf("%s page %d (%s)", p.TaskID, p.Index+1, p.Name) }

// TranslatorScript is the name of the translator that reads a script of human translations.
const TranslatorScript = "script"

// Options are what a client chooses for a task.
type Options struct {
	// From is the source language as a BCP 47 tag, or "auto".
	From string `json:"from"`
	// To is the target language as a BCP 47 tag.
	To string `json:"to"`
	// Mode is ModeSplit or ModeUnified.
	Mode Mode `json:"mode"`
	// Translator is the name of a configured translator, TranslatorScript, or empty for the configured default.
	Translator string `json:"translator,omitempty"`
	// Script is the blob of the script when Translator is TranslatorScript.
	Script BlobRef `json:"script,omitempty"`
	// Order is how pages are read where it is not as their language usually is.
	Order ReadingOrder `json:"reading_order,omitempty"`
	// Priority says which tasks go first where they queue, from FirstPriority to LastPriority; 0 is DefaultPriority.
	Priority int `json:"priority,omitempty"`
}

// The priorities, which are Temporal's: a lower number goes first.
const (
	FirstPriority   = 1
	DefaultPriority = 3
	LastPriority    = 5
)
