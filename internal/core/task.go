package core

import "fmt"

// Mode says which path through its workflow an item took. Each kind has its own modes.
type Mode string

// Stage is one part of an item's workflow. Each kind has its own stages.
type Stage string

// Status is the state of a task or of an item.
type Status string

// The statuses. An item is queued, running, success, error or canceled. A task can also be paused or partial: it ends as success when
// every item succeeded, as error when all failed, and as partial otherwise. A paused task starts no item and no model call; items in
// progress finish.
const (
	StatusQueued   Status = "queued"
	StatusRunning  Status = "running"
	StatusPaused   Status = "paused"
	StatusSuccess  Status = "success"
	StatusPartial  Status = "partial"
	StatusError    Status = "error"
	StatusCanceled Status = "canceled"
)

// TaskStatuses returns the statuses of a task, in the order in which a task can have them.
func TaskStatuses() []Status {
	return []Status{StatusQueued, StatusRunning, StatusPaused, StatusSuccess, StatusPartial, StatusError, StatusCanceled}
}

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

// Kind is the type of work that a task does.
type Kind string

// The priorities of a task among those of its tenant: a lower number goes first.
const (
	FirstPriority   = 1
	DefaultPriority = 3
	LastPriority    = 5
)

// Item is one unit of a task, such as a page of a chapter. It succeeds or fails independently of the others.
type Item struct {
	TaskID string `json:"task_id"`
	Tenant string `json:"tenant"`
	// Index is the position of the item in its task, from 0.
	Index int `json:"index"`
	// Name is the file name of the item within its task, with its folder when the archive has folders.
	Name string `json:"name"`
	// Blob is the input of the item, as the client sent it.
	Blob BlobRef `json:"blob"`
	// Attempts is the number of attempts at the item's stages before the last retry of the task. Later attempts continue the count.
	Attempts int `json:"attempts,omitempty"`
}

// String describes the item for people: its task, its position from 1, and its name.
func (i Item) String() string { return fmt.Sprintf("%s item %d (%s)", i.TaskID, i.Index+1, i.Name) }
