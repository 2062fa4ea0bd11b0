package schema

import (
	"time"

	"plait/internal/core"
)

// Overview is what the installation does now. Rates count the minute before.
type Overview struct {
	At time.Time `json:"at"`
	// Work are the tasks of each kind.
	Work []Work `json:"work"`
	// Queues are the task queues that all processes of a role share.
	Queues []Queue `json:"queues"`
	// Hosts are the worker processes.
	Hosts []Host `json:"hosts"`
	// Tenants are at most 100 of those that have work, those with the most first.
	Tenants []BusyTenant `json:"tenants"`
}

// Work are the tasks of a kind.
type Work struct {
	Kind    core.Kind `json:"kind"`
	Queued  int64     `json:"queued"`
	Running int64     `json:"running"`
	Paused  int64     `json:"paused"`
	// OldestQueued is how long the oldest queued task has waited, in seconds.
	OldestQueued int64 `json:"oldest_queued"`
	// ItemsPerMinute are those that succeeded, and FailedPerMinute those that failed.
	ItemsPerMinute  int64 `json:"items_per_minute"`
	FailedPerMinute int64 `json:"failed_per_minute"`
}

// Queue is a task queue of Temporal. What Temporal does not report is absent.
type Queue struct {
	Name string `json:"name"`
	// Waiting is about the number of steps that wait, and OldestWaiting how long the first of them has waited, in seconds.
	Waiting       *int64 `json:"waiting,omitempty"`
	OldestWaiting *int64 `json:"oldest_waiting,omitempty"`
	// AddedPerMinute and TakenPerMinute are rates of steps over the last half minute.
	AddedPerMinute *float64 `json:"added_per_minute,omitempty"`
	TakenPerMinute *float64 `json:"taken_per_minute,omitempty"`
	// Pollers is the number of processes that take steps.
	Pollers *int `json:"pollers,omitempty"`
}

// Host is a worker process.
type Host struct {
	Name     string   `json:"name"`
	Instance string   `json:"instance"`
	State    string   `json:"state"`
	Roles    []string `json:"roles"`
	Version  string   `json:"version"`
	// Device is what the models run on; absent for a process without models.
	Device string `json:"device,omitempty"`
	// Slots is the number of steps that the device takes at once, and Waiting the number of those that wait for it.
	Slots   int `json:"slots"`
	Waiting int `json:"waiting"`
	// Contexts is the number of values in memory that later steps need, at most ContextCapacity.
	Contexts        int       `json:"contexts"`
	ContextCapacity int       `json:"context_capacity"`
	SeenAt          time.Time `json:"seen_at"`
}

// BusyTenant is a tenant with its work.
type BusyTenant struct {
	Name         string `json:"name"`
	Tier         string `json:"tier"`
	RunningTasks int64  `json:"running_tasks"`
	WaitingTasks int64  `json:"waiting_tasks"`
	// ItemsPerMinute are those that ended. Requests and tokens are counted where its tier limits them.
	ItemsPerMinute    int64 `json:"items_per_minute"`
	RequestsPerMinute int64 `json:"requests_per_minute"`
	TokensPerMinute   int64 `json:"tokens_per_minute"`
}
