package workflows

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
