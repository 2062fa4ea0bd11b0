package schema

import (
	"time"

	"plait/internal/core"
)

// Event is what a stream of events sends: as JSON, one message of a WebSocket or the data of one server-sent event.
type Event struct {
	// ID is where a stream can be resumed; absent from what only tells about the stream.
	ID   string `json:"id,omitempty"`
	Type string `json:"type"`
	// Timestamp is when it happened.
	Timestamp time.Time `json:"timestamp"`
	// Data is the state of the task; absent from what only tells about the stream.
	Data *TaskEvent `json:"data,omitempty"`
	// Message says why a stream was closed.
	Message string `json:"message,omitempty"`
}

// The types of events.
const (
	EventTaskQueued          = "task.queued"
	EventTaskStarted         = "task.started"
	EventTaskProgress        = "task.progress"
	EventTaskPaused          = "task.paused"
	EventTaskResumed         = "task.resumed"
	EventTaskCancelRequested = "task.cancel_requested"
	EventTaskEnded           = "task.ended"
	// EventTaskEdited says that somebody edited an item, or that the result of the item shows the edit, or cannot.
	EventTaskEdited = "task.edited"
	// EventTaskSnapshot is the state of the task with which its stream begins.
	EventTaskSnapshot = "task.snapshot"
	// EventStreamOpened begins the stream of a tenant.
	EventStreamOpened = "stream.opened"
	// EventStreamTruncated says that events before it are lost: the client reads its tasks again.
	EventStreamTruncated = "stream.truncated"
	// EventStreamClosed says why the server ends a stream that has not come to its end. A WebSocket has a close frame instead.
	EventStreamClosed = "stream.closed"
)

// TaskEvent is the state of a task after an event.
type TaskEvent struct {
	TaskID     string      `json:"task_id"`
	Kind       core.Kind   `json:"kind"`
	Status     core.Status `json:"status"`
	RetryCount int         `json:"retry_count"`
	// SuccessCount + FailedCount items of TotalCount have ended.
	TotalCount   int `json:"total_count"`
	SuccessCount int `json:"success_count"`
	FailedCount  int `json:"failed_count"`
	// EstimatedMS is the estimated time left; nil when there is no estimate.
	EstimatedMS *int64 `json:"estimated_ms"`
	// QueuePosition is the position among all queued tasks, from 1; only in EventTaskSnapshot.
	QueuePosition int `json:"queue_position,omitempty"`
	// EstimatedStart is when a queued task will start; only in EventTaskSnapshot, and absent when there is no estimate.
	EstimatedStart *time.Time `json:"estimated_start,omitempty"`
	// Item is the item that changed, of EventTaskProgress and EventTaskEdited.
	Item    *ItemEvent `json:"item,omitempty"`
	Failure *Failure   `json:"failure,omitempty"`
	// Links lead to the task as self, and to its result once it has one.
	Links map[string]string `json:"links"`
}

// ItemEvent is the state of an item after an event.
type ItemEvent struct {
	Index  int         `json:"index"`
	Status core.Status `json:"status"`
	Stage  core.Stage  `json:"stage,omitempty"`
	Mode   core.Mode   `json:"mode,omitempty"`
	// Percent is how far the stage is, of a stage that says so.
	Percent     int       `json:"percent,omitempty"`
	FailureCode core.Code `json:"failure_code,omitempty"`
}
