// Package schema is what the API says and hears: the JSON bodies of requests and answers. The server writes them, the
// client reads them, and openapi.yaml describes them; a test holds the three together.
//
// A field may be added; none is renamed or given another meaning within /v1.
package schema

import (
	"time"

	"plait/internal/comic"
	"plait/internal/core"
	"plait/internal/translate/glossary"
)

// Task is a translation of a chapter.
type Task struct {
	ID     string      `json:"id"`
	Kind   core.Kind   `json:"kind"`
	Title  string      `json:"title,omitempty"`
	Status core.Status `json:"status"`
	From   string      `json:"from"`
	To     string      `json:"to"`
	Mode   core.Mode   `json:"mode"`
	// Translator is the name that the request gave, empty for the default.
	Translator string `json:"translator,omitempty"`
	// Priority is 1, which goes first, to 5.
	Priority int `json:"priority"`

	CreatedAt time.Time  `json:"created_at"`
	StartedAt *time.Time `json:"started_at,omitempty"`
	EndedAt   *time.Time `json:"ended_at,omitempty"`
	// CancelRequestedAt is when the client asked to stop; pages in work end first.
	CancelRequestedAt *time.Time `json:"cancel_requested_at,omitempty"`

	// SuccessCount + FailedCount == TotalCount once the task has ended.
	TotalCount    int `json:"total_count"`
	SuccessCount  int `json:"success_count"`
	FailedCount   int `json:"failed_count"`
	FallbackCount int `json:"fallback_count"`
	// UntranslatedCount is the number of texts, so far, that were left as drawn because no fit translation was had.
	UntranslatedCount int `json:"untranslated_count,omitempty"`
	// RetryCount is how often the failed pages were asked for again.
	RetryCount int `json:"retry_count,omitempty"`
	// FilesRemovedAt is when retention took the images and the result; absent while they are there.
	FilesRemovedAt *time.Time `json:"files_removed_at,omitempty"`

	Progress Progress `json:"progress"`
	// Usage is what model calls took; on the task's own resource only, and absent where no model was asked.
	Usage *Usage `json:"usage,omitempty"`
	// Failure is why the task failed as a whole; pages have their own.
	Failure *Failure          `json:"failure,omitempty"`
	Pages   []Page            `json:"pages,omitempty"`
	Links   map[string]string `json:"links"`
}

// Usage is what model calls took, beside what they should have taken.
type Usage struct {
	core.Usage
	Estimated core.Usage `json:"estimated"`
}

// Progress is how far the task is. Counts are pages that have left the stage, whatever way.
type Progress struct {
	Detected   int `json:"detected"`
	Translated int `json:"translated"`
	Done       int `json:"done"`
	Total      int `json:"total"`
	// Trouble is what a page waits over that is going to be tried again; absent while none does.
	Trouble *Trouble `json:"trouble,omitempty"`
	// QueuePosition is the place among all queued tasks, from 1; absent once the task runs, and at its creation.
	QueuePosition int `json:"queue_position,omitempty"`
	// ElapsedMS runs from the start of the task to its end, or to now.
	ElapsedMS int64 `json:"elapsed_ms"`
	// EstimatedMS is the time still needed, from the pages done so far; absent until there is one.
	EstimatedMS *int64 `json:"estimated_ms,omitempty"`
}

// Trouble is a failure that a page has not given up on.
type Trouble struct {
	// PageIndex counts from 0.
	PageIndex int        `json:"page_index"`
	Stage     core.Stage `json:"stage"`
	Code      core.Code  `json:"code"`
	Message   string     `json:"message"`
	Since     time.Time  `json:"since"`
}

// Failure says why a page or a task failed. Stage is empty when it was in none.
type Failure struct {
	Stage   core.Stage `json:"stage,omitempty"`
	Code    core.Code  `json:"code"`
	Message string     `json:"message"`
}

// Page is one page of a task.
type Page struct {
	// Index counts from 0.
	Index  int         `json:"index"`
	Name   string      `json:"name"`
	Status core.Status `json:"status"`
	// Stage is where the page is, or was when it ended.
	Stage   core.Stage `json:"stage,omitempty"`
	Mode    core.Mode  `json:"mode,omitempty"`
	Width   int        `json:"width,omitempty"`
	Height  int        `json:"height,omitempty"`
	Regions int        `json:"regions"`
	// Untranslated is the number of regions that were left as drawn because no fit translation was had.
	Untranslated   int                  `json:"untranslated,omitempty"`
	OutputChanged  bool                 `json:"output_changed"`
	NoChangeReason comic.NoChangeReason `json:"no_change_reason,omitempty"`
	// Missing are the characters of the translations that no font has, each once: the image has the texts without them.
	Missing string   `json:"missing_characters,omitempty"`
	Failure *Failure `json:"failure,omitempty"`
	// Edit is how the last edit of the page stands; absent when nobody edited it.
	Edit  *Edit             `json:"edit,omitempty"`
	Links map[string]string `json:"links"`
	// Texts are the regions with their translations; on the page's own resource only.
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
	// Untranslated says why no fit translation was had.
	Untranslated core.Untranslated `json:"untranslated,omitempty"`
	// Overflow says that the translation does not fit: it is lettered smaller than is legible, or beyond its place.
	Overflow bool `json:"overflow,omitempty"`
	// EditedBy is the name of the key that the translation came with, and EditedAt when; absent when it was no edit.
	EditedBy string     `json:"edited_by,omitempty"`
	EditedAt *time.Time `json:"edited_at,omitempty"`
}

// Edit is how a page stands whose translations people changed.
type Edit struct {
	// Status is running until the image shows the edit, then success; or error, with its Failure, and the image is as it was.
	Status   core.Status `json:"status"`
	EditedAt time.Time   `json:"edited_at"`
	Failure  *Failure    `json:"failure,omitempty"`
}

// EditRegions asks for other translations on a page.
type EditRegions struct {
	Regions []EditedRegion `json:"regions"`
}

// EditedRegion is the translation that a region gets. An empty one brings the original lettering back.
type EditedRegion struct {
	Index       int    `json:"region_index"`
	Translation string `json:"translation"`
}

// TaskList is a page of tasks, the newest first.
type TaskList struct {
	Tasks []Task `json:"tasks"`
	// Next is the cursor of the following page, empty on the last.
	Next string `json:"next,omitempty"`
}

// CreateTask is the JSON form of a request for a translation: it names blobs that were uploaded before.
type CreateTask struct {
	From       string         `json:"from"`
	To         string         `json:"to"`
	Mode       core.Mode      `json:"mode,omitempty"`
	Title      string         `json:"title,omitempty"`
	Translator string         `json:"translator,omitempty"`
	Files      []UploadedFile `json:"files"`
	Script     core.BlobRef   `json:"script,omitempty"`
	// Glossary says what names and terms are called, and Synopsis what the chapter is about.
	Glossary []glossary.Entry `json:"glossary,omitempty"`
	Synopsis string           `json:"synopsis,omitempty"`
	// Priority is 1, which goes first, to 5; absent it is 3.
	Priority *int `json:"priority,omitempty"`
}

// UploadedFile is a blob and the file name that it stands for: an archive, or a page.
type UploadedFile struct {
	Name string       `json:"name"`
	Blob core.BlobRef `json:"blob"`
}

// Blob is an uploaded blob.
type Blob struct {
	Blob core.BlobRef `json:"blob"`
	Size int64        `json:"size"`
}

// Error is every answer that is not a success.
type Error struct {
	Code      core.Code `json:"code"`
	Message   string    `json:"message"`
	RequestID string    `json:"request_id"`
}

// The fields of the multipart form of a request for a translation. Files come in parts named FieldFile, each with its
// file name; one archive, or any number of pages.
const (
	FieldFrom       = "from"
	FieldTo         = "to"
	FieldMode       = "mode"
	FieldTitle      = "title"
	FieldTranslator = "translator"
	FieldScript     = "script"
	FieldGlossary   = "glossary"
	FieldSynopsis   = "synopsis"
	FieldPriority   = "priority"
	FieldFile       = "file"
)

// The headers of Plait's own.
const (
	HeaderRequestID      = "X-Request-Id"
	HeaderIdempotencyKey = "Idempotency-Key"
)
