// Package schema contains the JSON bodies of the API's requests and answers that every kind of work shares. The server writes them, the
// client reads them, and openapi.yaml describes them; a test compares the three. Each kind defines its additions in its own folder.
//
// Fields may be added within /v1. No field is renamed or changes its meaning.
package schema

import (
	"encoding/json"
	"time"

	"plait/internal/core"
)

// Task is a task of any kind.
type Task struct {
	ID     string      `json:"id"`
	Kind   core.Kind   `json:"kind"`
	Title  string      `json:"title,omitempty"`
	Status core.Status `json:"status"`
	// Priority is from 1 (highest) to 5.
	Priority int `json:"priority"`
	// Options are the options of the request, as an object defined by the kind.
	Options json.RawMessage `json:"options"`

	CreatedAt time.Time  `json:"created_at"`
	StartedAt *time.Time `json:"started_at,omitempty"`
	EndedAt   *time.Time `json:"ended_at,omitempty"`
	// CancelRequestedAt is when the client canceled the task; items in progress finish first.
	CancelRequestedAt *time.Time `json:"cancel_requested_at,omitempty"`

	// SuccessCount + FailedCount == TotalCount once the task has ended.
	TotalCount   int `json:"total_count"`
	SuccessCount int `json:"success_count"`
	FailedCount  int `json:"failed_count"`
	// RetryCount is the number of retries of the failed items.
	RetryCount int `json:"retry_count,omitempty"`
	// FilesRemovedAt is when retention removed the files and the result; absent while they are kept.
	FilesRemovedAt *time.Time `json:"files_removed_at,omitempty"`
	// CallbackURL is told of the end of the task; absent when the request gave none.
	CallbackURL string `json:"callback_url,omitempty"`

	Progress Progress `json:"progress"`
	// Details is an object defined by the kind; absent when the kind shows nothing.
	Details json.RawMessage `json:"details,omitempty"`
	// Usage is the usage of the model calls; only on the task's own resource, and absent when there were no calls.
	Usage *Usage `json:"usage,omitempty"`
	// Failure is the reason why the task failed as a whole; items have their own.
	Failure *Failure          `json:"failure,omitempty"`
	Items   []Item            `json:"items,omitempty"`
	Links   map[string]string `json:"links"`
}

// Item is one unit of a task that succeeds or fails alone, such as a page.
type Item struct {
	// Index counts from 0.
	Index  int         `json:"index"`
	Name   string      `json:"name"`
	Status core.Status `json:"status"`
	// Stage is the current stage of the item, or the last one when it has ended.
	Stage   core.Stage `json:"stage,omitempty"`
	Mode    core.Mode  `json:"mode,omitempty"`
	Failure *Failure   `json:"failure,omitempty"`
	// Details is an object defined by the kind; the item's own resource may show more than the task's.
	Details json.RawMessage   `json:"details,omitempty"`
	Links   map[string]string `json:"links"`
}

// Usage is the actual usage of model calls, and the estimate for the same calls.
type Usage struct {
	core.Usage
	Estimated core.Usage `json:"estimated"`
}

// Progress is the progress of a task.
type Progress struct {
	// Done is the number of items that have ended, of Total.
	Done  int `json:"done"`
	Total int `json:"total"`
	// Trouble is the failure of an item that waits for a retry; absent when no item does.
	Trouble *Trouble `json:"trouble,omitempty"`
	// QueuePosition is the position among all queued tasks, from 1; absent when the task runs, and in the answer that creates it.
	QueuePosition int `json:"queue_position,omitempty"`
	// EstimatedStart is when a queued task will start, at the pace of the last tasks of its kind; absent until there is an estimate.
	EstimatedStart *time.Time `json:"estimated_start,omitempty"`
	// ElapsedMS is the time from the start of the task to its end, or to now.
	ElapsedMS int64 `json:"elapsed_ms"`
	// EstimatedMS is the estimated time left, at the rate of the items done; absent until there is an estimate.
	EstimatedMS *int64 `json:"estimated_ms,omitempty"`
}

// Trouble is the last failure of a step that will be retried.
type Trouble struct {
	// ItemIndex counts from 0.
	ItemIndex int        `json:"item_index"`
	Stage     core.Stage `json:"stage"`
	Code      core.Code  `json:"code"`
	Message   string     `json:"message"`
	Since     time.Time  `json:"since"`
}

// Failure is the reason why an item or a task failed. Stage is empty when the failure belongs to no stage.
type Failure struct {
	Stage   core.Stage `json:"stage,omitempty"`
	Code    core.Code  `json:"code"`
	Message string     `json:"message"`
}

// TaskList is one page of a list of tasks, newest first.
type TaskList struct {
	Tasks []Task `json:"tasks"`
	// Next is the cursor of the next page; it is empty on the last page.
	Next string `json:"next,omitempty"`
}

// UploadedFile is a file of a request: an uploaded blob with its file name, or a URL. The name of a file by URL may be empty; the URL then
// gives it.
type UploadedFile struct {
	Name string       `json:"name,omitempty"`
	Blob core.BlobRef `json:"blob,omitempty"`
	URL  string       `json:"url,omitempty"`
}

// FetchBlob is a request to fetch a blob, instead of its content.
type FetchBlob struct {
	URL string `json:"url"`
}

// JoinBlobs is a request for the blob of a file that was uploaded in parts.
type JoinBlobs struct {
	// Parts are the uploads that make up the file, in its order.
	Parts []core.BlobRef `json:"parts"`
}

// Blob is an uploaded blob. Size is in bytes.
type Blob struct {
	Blob core.BlobRef `json:"blob"`
	Size int64        `json:"size"`
}

// Error is the body of every answer other than a success.
type Error struct {
	Code      core.Code `json:"code"`
	Message   string    `json:"message"`
	RequestID string    `json:"request_id"`
}

// Problem is an error in the form of RFC 9457, for clients that accept application/problem+json.
type Problem struct {
	// Type is about:blank: Title is that of the status, and Code says more.
	Type   string `json:"type"`
	Title  string `json:"title"`
	Status int    `json:"status"`
	// Detail equals Message.
	Detail string `json:"detail"`
	Error
}

// The fields of requests for tasks of every kind. In a multipart form each file is a part named FieldFile with its file name, or a part
// named FieldURL with its URL; in JSON the files are a list named FieldFiles of [UploadedFile]. A field whose content is a file, such as
// script, can be given by URL under its name with SuffixURL.
const (
	FieldTitle    = "title"
	FieldPriority = "priority"
	FieldFile     = "file"
	FieldFiles    = "files"
	FieldURL      = "url"
	FieldParts    = "parts"
	SuffixURL     = "_url"
)

// The fields of requests for translations that say what every prompt tells the model about the whole work.
const (
	FieldGlossary = "glossary"
	FieldSynopsis = "synopsis"
)

// The headers that Plait defines.
const (
	HeaderRequestID      = "X-Request-Id"
	HeaderIdempotencyKey = "Idempotency-Key"
	// HeaderIdempotentReplayed is true on an answer that repeats a recorded one.
	HeaderIdempotentReplayed = "Idempotent-Replayed"

	// The rates of a tenant, where its tier limits them; "requests" or "tokens" follows. The reset is in seconds.
	HeaderRateLimit     = "X-RateLimit-Limit-"
	HeaderRateRemaining = "X-RateLimit-Remaining-"
	HeaderRateReset     = "X-RateLimit-Reset-"
)

// The files of an item to which a link can lead; a task has FileResult alone.
const (
	FileResult = "result"
	FileInput  = "input"
)

// CreateLink is the body of a request for a signed link.
type CreateLink struct {
	// Item is the index of an item; nil means the task.
	Item *int `json:"item,omitempty"`
	// File is FileResult when empty.
	File string `json:"file,omitempty"`
	// ExpiresIn is in seconds.
	ExpiresIn *int64 `json:"expires_in,omitempty"`
}

// Link is a signed link.
type Link struct {
	URL       string    `json:"url"`
	ExpiresAt time.Time `json:"expires_at"`
}
