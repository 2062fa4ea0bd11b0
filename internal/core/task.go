package core

import (
	"fmt"
	"strings"
)

// Mode says which way an item took through its workflow. Each kind has modes of its own.
type Mode string

// Stage is one part of an item's workflow. Each kind has stages of its own. The stage of a failure is its failure stage.
type Stage string

// Status is the state of a task or of an item.
type Status string

// The statuses. An item knows queued, running, success, error and canceled. A task knows partial as well: it is a success
// when every item succeeded, an error when all failed, and partial otherwise. A paused
// task starts no item and no model call; items in progress finish.
const (
	StatusQueued   Status = "queued"
	StatusRunning  Status = "running"
	StatusPaused   Status = "paused"
	StatusSuccess  Status = "success"
	StatusPartial  Status = "partial"
	StatusError    Status = "error"
	StatusCanceled Status = "canceled"
)

// TaskStatuses are the statuses of a task, in the order in which a task may have them.
func TaskStatuses() []Status {
	return []Status{StatusQueued, StatusRunning, StatusPaused, StatusSuccess, StatusPartial, StatusError, StatusCanceled}
}

// JoinStatuses names statuses in a sentence, such as "queued, running".
func JoinStatuses(list []Status) string {
	names := make([]string, len(list))
	for i, s := range list {
		names[i] = string(s)
	}
	return strings.Join(names, ", ")
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

// Kind is the sort of work that a task does.
type Kind string

// The priorities, which are Temporal's: a lower number goes first.
const (
	FirstPriority   = 1
	DefaultPriority = 3
	LastPriority    = 5
)

// Item is one unit of a task that succeeds or fails alone, such as a page of a chapter.
type Item struct {
	TaskID string `json:"task_id"`
	Tenant string `json:"tenant"`
	// Index is the place of the item in its task, 0..n-1.
	Index int `json:"index"`
	// Name is the file name of the item within its task, with its folder when the archive has folders.
	Name string `json:"name"`
	// Blob is the input of the item, as the client sent it.
	Blob BlobRef `json:"blob"`
	// Attempts is the number of attempts at its stages before the last retry of the task. Later attempts continue the count.
	Attempts int `json:"attempts,omitempty"`
}

// String names the item to people: the task, its place counted from 1, and its file.
func (i Item) String() string { return fmt.Sprintf("%s item %d (%s)", i.TaskID, i.Index+1, i.Name) }
