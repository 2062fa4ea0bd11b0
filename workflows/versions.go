package workflows

import "go.temporal.io/sdk/workflow"

// What changed in the workflows since histories of them were recorded: the names under which workflow.GetVersion asks.
const (
	// changeDropContext: a page that ends without its render frees its detect context.
	changeDropContext = "drop-context"
	// changePace: a chapter detects ahead by what it measures, on hosts that have room for the context; what fails there is
	// tried again when the turn of the page has come.
	changePace = "pace"
	// changeHistoryBound: a run begins no page that may take its history beyond a bound.
	changeHistoryBound = "history-bound"
)

// paceOfTwoDetects is the version of changePace since which a chapter allows for two detects in place of one, takes
// the last translation as a sign of those to come, and has a window for four hosts.
const paceOfTwoDetects workflow.Version = 2

// paceOfTurnsAhead is the version of changePace since which a page's translation is asked for while that of the page before is
// under way.
const paceOfTurnsAhead workflow.Version = 3
