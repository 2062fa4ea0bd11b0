// Package schema holds the JSON bodies of the API's requests and answers that every kind of work shares. The server writes them, the
// client reads them, and openapi.yaml describes them; a test compares the three. What a kind adds is in the folder of the kind.
//
// Fields may be added within /v1. No field is renamed or given another meaning.
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
	// Options are what the request chose, as an object of the kind.
	Options json.RawMessage `json:"options"`

	CreatedAt time.Time  `json:"created_at"`
	StartedAt *time.Time `json:"started_at,omitempty"`
	EndedAt   *time.Time `json:"ended_at,omitempty"`
	// CancelRequestedAt is when the client canceled the task; items in progress end first.
	CancelRequestedAt *time.Time `json:"cancel_requested_at,omitempty"`

	// SuccessCount + FailedCount == TotalCount once the task has ended.
	TotalCount   int `json:"total_count"`
	SuccessCount int `json:"success_count"`
	FailedCount  int `json:"failed_count"`
	// RetryCount is the number of retries of the failed items.
	RetryCount int `json:"retry_count,omitempty"`
	// FilesRemovedAt is when retention removed the files and the result; absent while they are kept.
	FilesRemovedAt *time.Time `json:"files_removed_at,omitempty"`

	Progress Progress `json:"progress"`
	// Details are what the kind shows besides, as an object of the kind; absent when it shows nothing.
	Details json.RawMessage `json:"details,omitempty"`
	// Usage is that of the model calls; on the task's own resource only, and absent when there was none.
	Usage *Usage `json:"usage,omitempty"`
	// Failure says why the task failed as a whole; items have their own.
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
	// Stage is where the item is, or was when it ended.
	Stage   core.Stage `json:"stage,omitempty"`
	Mode    core.Mode  `json:"mode,omitempty"`
	Failure *Failure   `json:"failure,omitempty"`
	// Details are what the kind shows besides, as an object of the kind; the item's own resource may show more than the task's.
	Details json.RawMessage   `json:"details,omitempty"`
	Links   map[string]string `json:"links"`
}

// Usage is the actual usage of model calls, and the estimate for the same calls.
type Usage struct {
	core.Usage
	Estimated core.Usage `json:"estimated"`
}

// Progress is how far a task has come.
type Progress struct {
	// Done is the number of items that have ended, of Total.
	Done  int `json:"done"`
	Total int `json:"total"`
	// Trouble is the failure that an item waits for a retry of; absent when none does.
	Trouble *Trouble `json:"trouble,omitempty"`
	// QueuePosition is the place among all queued tasks, from 1; absent once the task runs, and at its creation.
	QueuePosition int `json:"queue_position,omitempty"`
	// ElapsedMS is the time from the start of the task to its end, or to now.
	ElapsedMS int64 `json:"elapsed_ms"`
	// EstimatedMS is the estimated time left, at the rate of the items done; absent while there is none.
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

// Failure says why an item or a task failed. Stage is empty when it was in none.
type Failure struct {
	Stage   core.Stage `json:"stage,omitempty"`
	Code    core.Code  `json:"code"`
	Message string     `json:"message"`
}

// TaskList is a page of tasks, the newest first.
type TaskList struct {
	Tasks []Task `json:"tasks"`
	// Next is the cursor of the following page, empty on the last.
	Next string `json:"next,omitempty"`
}

// UploadedFile is a blob and the file name that it stands for.
type UploadedFile struct {
	Name string       `json:"name"`
	Blob core.BlobRef `json:"blob"`
}

// Blob is an uploaded blob. Size is in bytes.
type Blob struct {
	Blob core.BlobRef `json:"blob"`
	Size int64        `json:"size"`
}

// Error is the body of every answer that is not a success.
type Error struct {
	Code      core.Code `json:"code"`
	Message   string    `json:"message"`
	RequestID string    `json:"request_id"`
}

// The fields that requests for tasks of every kind have. In a multipart form each file is a part named FieldFile with its file name;
// in JSON the files are a list named FieldFiles of [UploadedFile].
const (
	FieldTitle    = "title"
	FieldPriority = "priority"
	FieldFile     = "file"
	FieldFiles    = "files"
)

// The headers of Plait's own.
const (
	HeaderRequestID      = "X-Request-Id"
	HeaderIdempotencyKey = "Idempotency-Key"
)
