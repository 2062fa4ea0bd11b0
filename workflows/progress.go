package workflows

import (
	"fmt"
	"slices"
	"strings"

	"go.temporal.io/sdk/workflow"

	"plait/internal/core"
)

const queryProgress = "progress"

// Progress is the progress of a task.
type Progress struct {
	Total   int `json:"total"`
	Done    int `json:"done"`
	Success int `json:"success"`
	Failed  int `json:"failed"`
	// Modes splits Success by the mode in which the items ended.
	Modes map[core.Mode]int `json:"modes,omitempty"`
	// Paused means that no item and no model call is started.
	Paused bool `json:"paused,omitempty"`
	// InFlight are the items that were started and have not ended, in the order of their starts.
	InFlight []ItemProgress `json:"in_flight"`
}

// ItemProgress is the progress of one item. Waiting means that its stage has not been requested, because an earlier item goes first.
type ItemProgress struct {
	Index   int        `json:"index"`
	Name    string     `json:"name"`
	Stage   core.Stage `json:"stage"`
	Waiting bool       `json:"waiting,omitempty"`
}

// tracker maintains the progress of a task for the query, and for the current details of the workflow.
type tracker struct {
	total    int
	counts   Counts
	paused   bool
	inFlight []ItemProgress
}

// newTracker registers the query before the first step, so that it is answered from the start.
func newTracker(ctx workflow.Context, items int, carried *Counts) (*tracker, error) {
	t := &tracker{counts: carried.clone()}
	t.total = t.counts.Ended() + items
	err := workflow.SetQueryHandlerWithOptions(ctx, queryProgress, func() (Progress, error) { return t.progress(), nil },
		workflow.QueryHandlerOptions{Description: "items done, and the stage of each item in flight"})
	return t, err
}

func (t *tracker) progress() Progress {
	return Progress{
		Total: t.total, Done: t.counts.Ended(), Success: t.counts.Success, Failed: t.counts.Failed,
		Modes: t.counts.clone().Modes, Paused: t.paused, InFlight: append([]ItemProgress{}, t.inFlight...),
	}
}

func (t *tracker) enter(ctx workflow.Context, item core.Item, stage core.Stage, waiting bool) {
	now := ItemProgress{Index: item.Index, Name: item.Name, Stage: stage, Waiting: waiting}
	if at := t.find(item); at >= 0 {
		t.inFlight[at] = now
	} else {
		t.inFlight = append(t.inFlight, now)
	}
	workflow.SetCurrentDetails(ctx, t.details())
}

func (t *tracker) find(item core.Item) int {
	return slices.IndexFunc(t.inFlight, func(p ItemProgress) bool { return p.Index == item.Index })
}

func (t *tracker) end(ctx workflow.Context, item core.Item, mode core.Mode, failed bool) {
	if at := t.find(item); at >= 0 {
		t.inFlight = slices.Delete(t.inFlight, at, at+1)
	}
	if failed {
		t.counts.Failed++
	} else {
		t.counts.Success++
		t.counts.Modes[mode]++
	}
	workflow.SetCurrentDetails(ctx, t.details())
}

// details is the text that the Temporal UI shows for a running task, in Markdown.
func (t *tracker) details() string {
	head := fmt.Sprintf("**%d of %d done** · %d succeeded%s · %d failed\n",
		t.counts.Ended(), t.total, t.counts.Success, t.modes(), t.counts.Failed)
	if t.paused {
		head = "**Paused**: what was begun ends, and nothing more is begun\n\n" + head
	}
	if len(t.inFlight) == 0 {
		return head
	}
	rows := make([]string, 0, len(t.inFlight))
	for _, p := range t.inFlight {
		stage := string(p.Stage)
		if p.Waiting {
			stage = "waiting for " + stage
		}
		rows = append(rows, fmt.Sprintf("| %d | %s | %s |\n", p.Index+1, escapeCell(p.Name), stage))
	}
	return head + "\n| item | file | stage |\n|---|---|---|\n" + strings.Join(rows, "")
}

// modes returns " (11 split, 1 fallback_to_unified)", or "" for a kind without modes.
func (t *tracker) modes() string {
	var parts []string
	for _, mode := range workflow.DeterministicKeys(t.counts.Modes) {
		if mode != "" {
			parts = append(parts, fmt.Sprintf("%d %s", t.counts.Modes[mode], mode))
		}
	}
	if len(parts) == 0 {
		return ""
	}
	return " (" + strings.Join(parts, ", ") + ")"
}

// escapeCell escapes a file name for a cell of a Markdown table.
func escapeCell(name string) string {
	return strings.NewReplacer("|", `\|`, "\n", " ", "\r", " ").Replace(name)
}
