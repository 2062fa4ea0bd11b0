package core

// The steps that every kind shares, under the names that they are registered with as Temporal activities. Recorded histories hold these names.
const (
	StepStartTask     = "StartTask"
	StepRecordFailure = "RecordFailure"
	StepFinishTask    = "FinishTask"
	StepReleaseLease  = "ReleaseLease"
)

// ElapsedMS is time spent by part, in milliseconds. The parts of detect are "decode", "detect" and "ocr"; of render
// "render" and "encode"; every step adds "total".
type ElapsedMS map[string]int64

// Failure says why a page or a task failed.
type Failure struct {
	Stage   Stage  `json:"stage"`
	Code    Code   `json:"code"`
	Message string `json:"message"`
}

// StartTaskInput marks a task as running.
type StartTaskInput struct {
	TaskID string `json:"task_id"`
	// Retry is how often the task had been asked for again when its workflow was started.
	Retry int `json:"retry,omitempty"`
}

// RecordFailureInput marks an item as failed.
type RecordFailureInput struct {
	Item    Item    `json:"item"`
	Mode    Mode    `json:"mode"`
	Failure Failure `json:"failure"`
}

// FinishTaskInput ends a task. The counts and the status come from its item rows; Canceled overrides the status.
type FinishTaskInput struct {
	TaskID   string `json:"task_id"`
	Canceled bool   `json:"canceled,omitempty"`
	// Retry is as in [StartTaskInput].
	Retry int `json:"retry,omitempty"`
}

// TaskResult is how a task ended. SuccessCount + FailedCount == TotalCount, always; a canceled task counts every item without a
// result as failed.
type TaskResult struct {
	Status       Status `json:"status"`
	TotalCount   int    `json:"total_count"`
	SuccessCount int    `json:"success_count"`
	FailedCount  int    `json:"failed_count"`
	// Modes are the numbers of successful items by their mode.
	Modes map[Mode]int `json:"modes,omitempty"`
}

// Lease names what a step left in the memory of its host for the next one.
type Lease struct {
	// LeaseID is empty when there is no lease.
	LeaseID string `json:"lease_id,omitempty"`
	// HostQueue is the task queue of the process that holds it.
	HostQueue string `json:"host_queue,omitempty"`
	// TTLSeconds is how long it is kept.
	TTLSeconds int `json:"ttl_seconds"`
	// QueueWaitMS is what a step hardly ever waits longer in HostQueue, as measured so far.
	QueueWaitMS int64 `json:"queue_wait_ms,omitempty"`
}

// ReleaseLeaseInput names a lease of the host that is asked.
type ReleaseLeaseInput struct {
	LeaseID string `json:"lease_id"`
}
