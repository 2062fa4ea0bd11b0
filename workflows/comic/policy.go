package comic

import (
	"slices"
	"time"

	"go.temporal.io/sdk/temporal"
	"go.temporal.io/sdk/workflow"

	"plait/internal/core"
	"plait/workflows"
)

// The task queues of comics.
const (
	// QueuePage carries page, and edits whose lease is lost, to whichever host is free: steps that leave no lease that
	// anybody waits for.
	QueuePage = "plait-comic-page"
	// QueueDetect carries detect to whichever host has room for one more lease.
	QueueDetect = "plait-comic-detect"
	// QueueDetectNow carries the detects of pages whose turn has come and that failed on QueueDetect. Hosts keep room for
	// them: the other pages of their chapters, which wait for these, may hold all the rest.
	QueueDetectNow = "plait-comic-detect-now"
	// QueueTranslate carries translate, away from any device.
	QueueTranslate = "plait-comic-translate"
	// QueueTranslatePrefetch carries those that are asked for before their turn: waiting for it, they take no place of others.
	QueueTranslatePrefetch = "plait-comic-translate-prefetch"
)

const (
	// shortenPatience is how long a page waits for shorter texts: its lease waits too, and an overflowing page is better than
	// one that is detected anew.
	shortenPatience = 2 * time.Minute

	// earlyTries is how often a detect may come before its turn, with less than half a second in between, until its workflow
	// asks for it after those of the pages before.
	earlyTries = 30
)

// detectOptions are of one try: see [pageRun.detect]. Coming before its turn is none: the page is taken again as soon as it
// may be on, for as long as earlier pages take to begin, where it would come late if it were asked for again after them.
func detectOptions() workflow.ActivityOptions {
	options := workflows.DeviceStep(QueueDetect)
	options.RetryPolicy = &temporal.RetryPolicy{
		MaximumAttempts: earlyTries, InitialInterval: time.Second, NonRetryableErrorTypes: repeatedInTurn,
	}
	return options
}

// repeatedInTurn are the failures that [pageRun.detect] has another try for, as the server names their types.
var repeatedInTurn = slices.Concat(workflows.WorkerLost(), typesOf(core.Codes(core.RetryBackoff)))

// typesOf are the error types of codes, as activities name them.
func typesOf(codes []core.Code) (types []string) {
	for _, code := range codes {
		types = append(types, string(code))
	}
	return types
}

// translatePrefetchOptions are of one try: see [pageRun.translate]. Where no worker takes it soon, it need not be asked for ahead.
func translatePrefetchOptions() workflow.ActivityOptions {
	options := workflows.ModelStep(QueueTranslatePrefetch)
	options.ScheduleToStartTimeout = prefetchUpTo
	options.RetryPolicy = &temporal.RetryPolicy{MaximumAttempts: 1}
	return options
}

// shortenOptions are for a step that a page can do without.
func shortenOptions() workflow.ActivityOptions {
	options := workflows.ModelStep(QueueTranslate)
	options.ScheduleToCloseTimeout = shortenPatience
	return options
}
