package core

// The names of the steps that every kind shares, as registered Temporal activities. Recorded histories contain these names.
const (
	StepStartTask     = "StartTask"
	StepRecordFailure = "RecordFailure"
	StepFinishTask    = "FinishTask"
	StepReleaseLease  = "ReleaseLease"
)

// ElapsedMS is the time in milliseconds that each part of a step took. The parts of detect are "decode", "detect" and "ocr", and those
// of render are "render" and "encode". Every step also has "total".
type ElapsedMS map[string]int64

// Failure says why a page or a task failed.
type Failure struct {
	Stage   Stage  `json:"stage"`
	Code    Code   `json:"code"`
	Message string `json:"message"`
}

// StartTaskInput is the input of the step that marks a task as running.
type StartTaskInput struct {
	TaskID string `json:"task_id"`
	// Retry is how often the task had been retried when its workflow was started.
	Retry int `json:"retry,omitempty"`
}

// RecordFailureInput is the input of the step that marks an item as failed.
type RecordFailureInput struct {
	Item    Item    `json:"item"`
	Mode    Mode    `json:"mode"`
	Failure Failure `json:"failure"`
}

// FinishTaskInput is the input of the step that ends a task. The step computes the counts and the status from the rows of the items;
// Canceled and Failure override the status.
type FinishTaskInput struct {
	TaskID   string `json:"task_id"`
	Canceled bool   `json:"canceled,omitempty"`
	// Failure is why the task failed after its items: its result could not be made.
	Failure *Failure `json:"failure,omitempty"`
	// Retry is as in [StartTaskInput].
	Retry int `json:"retry,omitempty"`
}

// TaskResult says how a task ended. SuccessCount + FailedCount is always TotalCount: in a canceled task, every item without a result
// counts as failed.
type TaskResult struct {
	Status       Status `json:"status"`
	TotalCount   int    `json:"total_count"`
	SuccessCount int    `json:"success_count"`
	FailedCount  int    `json:"failed_count"`
	// Modes has the number of successful items for each mode.
	Modes map[Mode]int `json:"modes,omitempty"`
}

// Lease identifies the value that a step left in the memory of its host for the next step.
type Lease struct {
	// LeaseID is empty when there is no lease.
	LeaseID string `json:"lease_id,omitempty"`
	// HostQueue is the task queue of the process that keeps the value.
	HostQueue string `json:"host_queue,omitempty"`
	// TTLSeconds is the lifetime of the lease in seconds.
	TTLSeconds int `json:"ttl_seconds"`
	// QueueWaitMS is a measured upper bound, rarely exceeded, of the wait of a step in HostQueue, in milliseconds.
	QueueWaitMS int64 `json:"queue_wait_ms,omitempty"`
}

// ReleaseLeaseInput is the input of the step that releases a lease, which runs on the lease's host.
type ReleaseLeaseInput struct {
	LeaseID string `json:"lease_id"`
}
