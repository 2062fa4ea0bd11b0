package comic

import (
	"slices"
	"time"

	"go.temporal.io/sdk/temporal"
	"go.temporal.io/sdk/workflow"

	"plait/internal/core"
	"plait/workflows"
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

// translateAheadOptions are of one try: see [pageRun.translate]. Where no worker takes it soon, it need not be asked for ahead.
func translateAheadOptions() workflow.ActivityOptions {
	options := workflows.ModelStep(QueueTranslateAhead)
	options.ScheduleToStartTimeout = aheadUpTo
	options.RetryPolicy = &temporal.RetryPolicy{MaximumAttempts: 1}
	return options
}

// shortenOptions are for a step that a page can do without.
func shortenOptions() workflow.ActivityOptions {
	options := workflows.ModelStep(QueueTranslate)
	options.ScheduleToCloseTimeout = shortenPatience
	return options
}
