package workflows

import (
	"time"

	"go.temporal.io/sdk/temporal"
	"go.temporal.io/sdk/workflow"

	"plait/internal/comic"
	"plait/internal/core"
)

// Every time-out and retry of every step stands in this file. Which codes are retried at all is told by the error
// itself: plait/internal/core has the rule of each code, and an activity's error carries it.

const (
	// A step beats every half second while it runs or waits. Six seconds without a beat is a dead process and not a
	// busy one: on two cores under full inference the longest gap seen is below two seconds. A host has two pages to detect; of
	// those that a kill takes, the second is detected anew when the first has been detected and translated: both are on their way
	// again in less than ten.
	heartbeatTimeout = 6 * time.Second

	// A model call is not given up for an outage of Temporal: this outlasts its restart. What it costs is that a killed
	// translate worker is found out later, when the page would wait for a model anyway.
	translateHeartbeatTimeout = 20 * time.Second

	// A host must be told dead quickly, for its page waits. Five seconds keep the whole detour under ten.
	hostHeartbeatTimeout = 5 * time.Second

	// A render hardly waits in the queue of a living host, which has a worker slot for each context that it keeps; it
	// waits for the device inside the step, beating. So a queue that nobody polls for this long, beyond the wait that its
	// host has measured there, is that of a dead host.
	hostScheduleToStart = 8 * time.Second

	// However slow a host has been, a page does not wait longer for it to be alive: done anew elsewhere it takes less.
	maxHostScheduleToStart = 5 * time.Minute

	// The longest page, a strip of 720x14046 pixels, takes under a minute on two cores; the rest is waiting for the
	// device behind the steps that the host already has.
	deviceStepTimeout = 15 * time.Minute

	// A translation may wait for its slot behind the pages of other chapters, one model call each.
	translateTimeout = time.Hour

	// A page does not wait longer for shorter texts: its detect context waits too, and a page with overflow is better than one that is
	// detected anew.
	shortenPatience = 2 * time.Minute

	// stepPatience is how long a page waits for a step to succeed, from the moment that the step is asked for: through
	// an outage of a weekend, and behind everything that is queued before it.
	stepPatience = 72 * time.Hour

	// Writing a few rows.
	recordTimeout = 30 * time.Second
)

// outages is the retry policy of steps that do work: after 1, 2, 4 ... 60, 60 seconds, without a count, until the
// patience with the step is over. What is not an outage gives up earlier (activities).
func outages() *temporal.RetryPolicy {
	return &temporal.RetryPolicy{
		InitialInterval:    time.Second,
		BackoffCoefficient: 2,
		MaximumInterval:    time.Minute,
	}
}

// hostRetry is for the queue of one host. The server names a time-out as an error type with this prefix: without
// them, a dead host is asked again only to time out a second time.
func hostRetry() *temporal.RetryPolicy {
	policy := outages()
	policy.NonRetryableErrorTypes = []string{"TemporalTimeout:Heartbeat", "TemporalTimeout:StartToClose"}
	return policy
}

// detectOptions are of one try: see [pageRun.detect]. Coming before its turn is none: the page is taken again as soon as it may be
// on, for as long as earlier pages take to begin, where it would come late if it were asked for again after them.
func detectOptions() workflow.ActivityOptions {
	options := deviceOptions(QueueDetect)
	options.RetryPolicy = &temporal.RetryPolicy{
		MaximumAttempts: outOfTurns, InitialInterval: time.Second, NonRetryableErrorTypes: mended,
	}
	return options
}

// outOfTurns is how often a detect may come before its turn, with less than half a second in between, until its workflow asks for it
// after those of the pages before.
const outOfTurns = 30

// mended are the failures that [pageRun.detect] has another try for, as the server names their types.
var mended = append([]string{"TemporalTimeout:Heartbeat", "TemporalTimeout:StartToClose"}, codesOf(core.RetryBackoff)...)

// codesOf are the types of the errors with this retry rule.
func codesOf(rule core.Retry) (types []string) {
	for _, code := range core.Codes(rule) {
		types = append(types, string(code))
	}
	return types
}

func deviceOptions(queue string) workflow.ActivityOptions {
	return workflow.ActivityOptions{
		TaskQueue:              queue,
		ScheduleToCloseTimeout: stepPatience,
		StartToCloseTimeout:    deviceStepTimeout,
		HeartbeatTimeout:       heartbeatTimeout,
		RetryPolicy:            outages(),
		WaitForCancellation:    true,
	}
}

// aheadOptions are of one try: see [pageRun.translate]. Where no worker takes it soon, it need not be asked for ahead.
func aheadOptions() workflow.ActivityOptions {
	options := translateOptions()
	options.TaskQueue = QueueTranslateAhead
	options.ScheduleToStartTimeout = aheadUpTo
	options.RetryPolicy = &temporal.RetryPolicy{MaximumAttempts: 1}
	return options
}

func translateOptions() workflow.ActivityOptions {
	return workflow.ActivityOptions{
		TaskQueue:              QueueTranslate,
		ScheduleToCloseTimeout: stepPatience,
		StartToCloseTimeout:    translateTimeout,
		HeartbeatTimeout:       translateHeartbeatTimeout,
		RetryPolicy:            outages(),
		WaitForCancellation:    true,
	}
}

func renderOptions(found comic.DetectOutput) workflow.ActivityOptions {
	return hostOptions(found.HostQueue, time.Duration(found.QueueWaitMS)*time.Millisecond)
}

// hostOptions are for a step on the queue of one host, where a step has to expect this wait.
func hostOptions(queue string, wait time.Duration) workflow.ActivityOptions {
	return workflow.ActivityOptions{
		TaskQueue:              queue,
		ScheduleToStartTimeout: min(hostScheduleToStart+wait, maxHostScheduleToStart),
		ScheduleToCloseTimeout: stepPatience,
		StartToCloseTimeout:    deviceStepTimeout,
		HeartbeatTimeout:       hostHeartbeatTimeout,
		RetryPolicy:            hostRetry(),
		WaitForCancellation:    true,
	}
}

// dropOptions are for freeing memory on one host: whoever waits for it is canceled or has failed, and waits no longer than
// it takes to tell a dead host.
func dropOptions(hostQueue string) workflow.ActivityOptions {
	return workflow.ActivityOptions{
		TaskQueue:              hostQueue,
		ScheduleToCloseTimeout: hostScheduleToStart,
		RetryPolicy:            &temporal.RetryPolicy{MaximumAttempts: 2},
	}
}

// shortenOptions are for a step that a page can do without.
func shortenOptions() workflow.ActivityOptions {
	options := translateOptions()
	options.ScheduleToCloseTimeout = shortenPatience
	return options
}

// pageOptions allow for a translation within the step, which mode unified needs.
func pageOptions() workflow.ActivityOptions {
	return workflow.ActivityOptions{
		TaskQueue:              QueueGPU,
		ScheduleToCloseTimeout: stepPatience,
		StartToCloseTimeout:    deviceStepTimeout + translateTimeout,
		HeartbeatTimeout:       heartbeatTimeout,
		RetryPolicy:            outages(),
		WaitForCancellation:    true,
	}
}

// recordOptions are for steps that only write: without them the task has no end, so they are tried until they succeed.
// The worker that runs the workflow task takes them along without a further dispatch (eager execution).
func recordOptions() workflow.ActivityOptions {
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
