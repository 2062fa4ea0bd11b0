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
	// QueuePage carries page, and edits whose lease is lost, to any free host. These steps leave no lease that another step waits for.
	QueuePage = "plait-comic-page"
	// QueueDetect carries detect to any host with room for one more lease.
	QueueDetect = "plait-comic-detect"
	// QueueDetectNow carries the detects of pages whose turn has come and that failed on QueueDetect. Hosts reserve room for them, because
	// other pages of their chapters, which wait for these, may hold all other room.
	QueueDetectNow = "plait-comic-detect-now"
	// QueueTranslate carries translate, which needs no device.
	QueueTranslate = "plait-comic-translate"
	// QueueTranslatePrefetch carries translations requested before their turn: while they wait for it they occupy no slot of
	// QueueTranslate.
	QueueTranslatePrefetch = "plait-comic-translate-prefetch"
)

const (
	// shortenPatience is how long a page waits for shorter texts. Its lease waits too, and an overflowing page is better than one that is
	// detected again.
	shortenPatience = 2 * time.Minute

	// drawnPatience is how long a translation of regions that a person drew may take: the person waits for it.
	drawnPatience = 10 * time.Minute

	// alternativesPatience is how long a model may take for other translations of a text, and alternativesTries how often it is asked while
	// it is unavailable: the person who asked sits before the page, and can ask again.
	alternativesPatience = 3 * time.Minute
	alternativesTries    = 3

	// earlyTries is how many times a detect may come before its turn, less than half a second apart, before its workflow repeats it after
	// those of the previous pages.
	earlyTries = 30
)

// detectOptions allow one try: see [pageRun.detect]. A detect that comes before its turn does not count as a try: it is retried at short
// intervals while earlier pages start, because it would come too late if it were repeated only after them.
func detectOptions() workflow.ActivityOptions {
	options := workflows.DeviceStep(QueueDetect)
	options.RetryPolicy = &temporal.RetryPolicy{
		MaximumAttempts: earlyTries, InitialInterval: time.Second, NonRetryableErrorTypes: repeatedInTurn,
	}
	return options
}

// repeatedInTurn are the failures after which [pageRun.detect] makes its second try, by the server's names of their types.
var repeatedInTurn = slices.Concat(workflows.WorkerLost(), typesOf(core.Codes(core.RetryBackoff)))

// typesOf returns the error types of codes, as activities name them.
func typesOf(codes []core.Code) (types []string) {
	for _, code := range codes {
		types = append(types, string(code))
	}
	return types
}

// translatePrefetchOptions allow one try: see [pageRun.translate]. When no worker takes the step soon, prefetching is pointless.
func translatePrefetchOptions() workflow.ActivityOptions {
	options := workflows.ModelStep(QueueTranslatePrefetch)
	options.ScheduleToStartTimeout = prefetchUpTo
	options.RetryPolicy = &temporal.RetryPolicy{MaximumAttempts: 1}
	return options
}

// shortenOptions are for an optional step of a page.
func shortenOptions() workflow.ActivityOptions {
	options := workflows.ModelStep(QueueTranslate)
	options.ScheduleToCloseTimeout = shortenPatience
	return options
}
