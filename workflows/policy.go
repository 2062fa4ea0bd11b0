package workflows

import (
	"strings"
	"time"

	"go.temporal.io/sdk/temporal"
	"go.temporal.io/sdk/workflow"

	"plait/internal/core"
)

// QueueControl is the task queue of workflow tasks and of the steps that only write records. Every other shared queue belongs
// to a kind. Package plait/workers decides who polls a queue, with how many slots.
const QueueControl = "plait-control"

const hostQueuePrefix = "plait-host:"

// HostQueue is the task queue of one worker process that keeps leases. The instance is part of the name because a queue named
// after the host alone would be drained, after a restart, by a process with an empty memory.
func HostQueue(host, instance string) string { return hostQueuePrefix + host + ":" + instance }

func isHostQueue(name string) bool { return strings.HasPrefix(name, hostQueuePrefix) }

// The time-outs and retries of every sort of step stand in this file; a kind chooses a sort for each of its steps, and may
// tighten it. Which codes are retried at all is told by the error itself: plait/internal/core has the rule of each code, and
// an activity's error carries it.

const (
	// A step sends a heartbeat every half second while it runs or waits. Six seconds without one is a dead process and not a
	// busy one: on two cores under full inference the longest gap seen is below two seconds.
	heartbeatTimeout = 6 * time.Second

	// A model call is not given up for an outage of Temporal: this outlasts its restart. What it costs is that a killed
	// worker is found out later, when the item would wait for a model anyway.
	modelHeartbeatTimeout = 20 * time.Second

	// A host must be told dead quickly, for its item waits. Five seconds keep the whole detour under ten.
	hostHeartbeatTimeout = 5 * time.Second

	// A step hardly waits in the queue of a living host, which has a worker slot for each lease that it keeps; it
	// waits for the device inside the step, with heartbeats. So a queue that nobody polls for this long, beyond the wait that
	// its host has measured there, is that of a dead host.
	hostScheduleToStart = 8 * time.Second

	// However slow a host has been, an item does not wait longer for it to be alive: done anew elsewhere it takes less.
	maxHostScheduleToStart = 5 * time.Minute

	// The longest page of a comic, a strip of 720x14046 pixels, takes under a minute on two cores; the rest is waiting for
	// the device behind the steps that the host already has.
	deviceTimeout = 15 * time.Minute

	// A model call may wait for its slot behind those of other tasks.
	modelTimeout = time.Hour

	// stepPatience is how long an item waits for a step to succeed, from the moment that the step is asked for: through
	// an outage of a weekend, and behind everything that is queued before it.
	stepPatience = 72 * time.Hour

	// Writing a few rows.
	recordTimeout = 30 * time.Second
)

// DeviceStep is the options of a step on a device of whichever host polls the queue first.
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

// DeviceAndModelStep is the options of a step on a device that asks a model in between.
func DeviceAndModelStep(queue string) workflow.ActivityOptions {
	options := DeviceStep(queue)
	options.StartToCloseTimeout = deviceTimeout + modelTimeout
	return options
}

// ModelStep is the options of a step that asks a model, away from any device.
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

// HostStep is the options of a step on the host of a lease.
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

// RecordStep is the options of a step that only writes: without it the task has no end, so it is tried until it succeeds.
// The worker that runs the workflow task takes it along without a further dispatch (eager execution).
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

// releaseOptions are for freeing memory on one host: whoever waits for it is canceled or has failed, and waits no longer than
// it takes to tell a dead host.
func releaseOptions(hostQueue string) workflow.ActivityOptions {
	return workflow.ActivityOptions{
		TaskQueue:              hostQueue,
		ScheduleToCloseTimeout: hostScheduleToStart,
		RetryPolicy:            &temporal.RetryPolicy{MaximumAttempts: 2},
	}
}

// outages is the retry policy of steps that do work: after 1, 2, 4 ... 60, 60 seconds, without a count, until the
// patience with the step is over. What is not an outage gives up earlier (activities).
func outages() *temporal.RetryPolicy {
	return &temporal.RetryPolicy{
		InitialInterval:    time.Second,
		BackoffCoefficient: 2,
		MaximumInterval:    time.Minute,
	}
}

// WorkerLost is the error types, as the server names them, of a worker that was lost within a step.
func WorkerLost() []string {
	return []string{"TemporalTimeout:Heartbeat", "TemporalTimeout:StartToClose"}
}

// hostRetry is for the queue of one host: a dead host is not asked again only to time out a second time.
func hostRetry() *temporal.RetryPolicy {
	policy := outages()
	policy.NonRetryableErrorTypes = WorkerLost()
	return policy
}
