package workflows

import (
	"strings"
	"time"

	"go.temporal.io/sdk/temporal"
	"go.temporal.io/sdk/workflow"

	"plait/internal/core"
)

// QueueControl is the task queue of workflow tasks and of the steps that only write records. Every other shared queue but QueueWebhooks belongs to a kind.
// Package plait/workers defines which workers poll a queue, and with how many slots.
const QueueControl = "plait-control"

const hostQueuePrefix = "plait-host:"

// HostQueue is the task queue of one worker process that keeps leases. The name includes the instance, because after a restart a queue
// named only after the host would be drained by a process with an empty memory.
func HostQueue(host, instance string) string { return hostQueuePrefix + host + ":" + instance }

func isHostQueue(name string) bool { return strings.HasPrefix(name, hostQueuePrefix) }

// The time-outs and retries of every sort of step are in this file; a kind chooses a sort for each of its steps, and may tighten it. The
// rule for retrying each code is in plait/internal/core, and an activity's error carries it.

const (
	// A step sends a heartbeat every half second while it runs or waits. Six seconds without one mean a dead process and not a busy one:
	// on two cores under full inference the longest measured gap is below two seconds.
	heartbeatTimeout = 6 * time.Second

	// An outage of Temporal must not abort a model call: this outlasts a restart. In exchange, the loss of a worker is detected later, but
	// the item would wait for a model in that case anyway.
	modelHeartbeatTimeout = 20 * time.Second

	// The loss of a host must be detected quickly, because its item waits. Five seconds keep the whole detour under ten.
	hostHeartbeatTimeout = 5 * time.Second

	// A step hardly waits in the queue of a live host, which has a worker slot for each lease that it keeps; it waits for the device
	// inside the step, with heartbeats. So a queue that nobody polls for this long, plus the wait that its host has measured there,
	// belongs to a dead host.
	hostScheduleToStart = 8 * time.Second

	// However slow a host has been, an item waits no longer than this for it: repeating the work elsewhere takes less time.
	maxHostScheduleToStart = 5 * time.Minute

	// The longest page of a comic, a strip of 720x14046 pixels, takes under a minute on two cores; the rest of the time-out is for waiting
	// for the device behind the host's other steps.
	deviceTimeout = 15 * time.Minute

	// A model call may wait for its slot behind those of other tasks.
	modelTimeout = time.Hour

	// stepPatience is how long an item waits for a step to succeed, from the request of the step: through an outage of a weekend, and
	// behind everything queued before it.
	stepPatience = 72 * time.Hour

	// Writing a few rows.
	recordTimeout = 30 * time.Second
)

// DeviceStep returns the options of a step on a device of the first host that polls the queue.
func DeviceStep(queue string) workflow.ActivityOptions {
	return workflow.ActivityOptions{
		TaskQueue:              queue,
		ScheduleToCloseTimeout: stepPatience,
		StartToCloseTimeout:    deviceTimeout,
		HeartbeatTimeout:       heartbeatTimeout,
		RetryPolicy:            outages(),
		WaitForCancellation:    true,
	}
}

// DeviceAndModelStep returns the options of a step on a device that calls a model in between.
func DeviceAndModelStep(queue string) workflow.ActivityOptions {
	options := DeviceStep(queue)
	options.StartToCloseTimeout = deviceTimeout + modelTimeout
	return options
}

// ModelStep returns the options of a step that calls a model and needs no device.
func ModelStep(queue string) workflow.ActivityOptions {
	return workflow.ActivityOptions{
		TaskQueue:              queue,
		ScheduleToCloseTimeout: stepPatience,
		StartToCloseTimeout:    modelTimeout,
		HeartbeatTimeout:       modelHeartbeatTimeout,
		RetryPolicy:            outages(),
		WaitForCancellation:    true,
	}
}

// HostStep returns the options of a step on the host of a lease.
func HostStep(lease core.Lease) workflow.ActivityOptions {
	return workflow.ActivityOptions{
		TaskQueue:              lease.HostQueue,
		ScheduleToStartTimeout: min(hostScheduleToStart+time.Duration(lease.QueueWaitMS)*time.Millisecond, maxHostScheduleToStart),
		ScheduleToCloseTimeout: stepPatience,
		StartToCloseTimeout:    deviceTimeout,
		HeartbeatTimeout:       hostHeartbeatTimeout,
		RetryPolicy:            hostRetry(),
		WaitForCancellation:    true,
	}
}

// RecordStep returns the options of a step that only writes: the task cannot end without it, so it is retried until it succeeds. The
// worker of the workflow task runs it without a further dispatch (eager execution).
func RecordStep() workflow.ActivityOptions {
	return workflow.ActivityOptions{
		TaskQueue:           QueueControl,
		StartToCloseTimeout: recordTimeout,
		RetryPolicy: &temporal.RetryPolicy{
			InitialInterval:    200 * time.Millisecond,
			BackoffCoefficient: 2,
			MaximumInterval:    30 * time.Second,
		},
	}
}

// releaseOptions are for freeing memory on one host. The caller is canceled or has failed, and waits no longer than it takes to detect a
// dead host.
func releaseOptions(hostQueue string) workflow.ActivityOptions {
	return workflow.ActivityOptions{
		TaskQueue:              hostQueue,
		ScheduleToCloseTimeout: hostScheduleToStart,
		RetryPolicy:            &temporal.RetryPolicy{MaximumAttempts: 2},
	}
}

// outages is the retry policy of steps that do work: after 1, 2, 4 ... 60, 60 seconds, without a limit on tries, until stepPatience is
// over. Failures other than outages stop earlier (package activities).
func outages() *temporal.RetryPolicy {
	return &temporal.RetryPolicy{
		InitialInterval:    time.Second,
		BackoffCoefficient: 2,
		MaximumInterval:    time.Minute,
	}
}

// WorkerLost returns the error types, by the server's names, of a worker that was lost within a step.
func WorkerLost() []string {
	return []string{"TemporalTimeout:Heartbeat", "TemporalTimeout:StartToClose"}
}

// hostRetry is for the queue of one host: it does not retry on a dead host, which would only time out a second time.
func hostRetry() *temporal.RetryPolicy {
	policy := outages()
	policy.NonRetryableErrorTypes = WorkerLost()
	return policy
}
