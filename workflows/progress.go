package workflows

import (
	"fmt"
	"strings"

	"go.temporal.io/sdk/workflow"

	"plait/internal/comic"
	"plait/internal/core"
)

const queryProgress = "progress"

// Progress is how far a task is.
type Progress struct {
	Total    int `json:"total"`
	Done     int `json:"done"`
	Success  int `json:"success"`
	Failed   int `json:"failed"`
	Fallback int `json:"fallback"`
	// Paused says that no page and no model call is begun.
	Paused bool `json:"paused,omitempty"`
	// InFlight are the pages begun and not ended, in page order.
	InFlight []PageProgress `json:"in_flight"`
}

// PageProgress is where one page is. Waiting: its stage has not been asked for, because an earlier page has the turn.
type PageProgress struct {
	Index   int        `json:"index"`
	Name    string     `json:"name"`
	Stage   core.Stage `json:"stage"`
	Waiting bool       `json:"waiting,omitempty"`
}

// tracker keeps the progress of a task for the query, and as the current details of the workflow.
type tracker struct {
	total    int
	counts   Counts
	paused   bool
	inFlight []PageProgress
}

// newTracker registers the query, before the first step, so that it is answered from the start.
func newTracker(ctx workflow.Context, total int, carried Counts) (*tracker, error) {
	t := &tracker{total: total, counts: carried}
	err := workflow.SetQueryHandlerWithOptions(ctx, queryProgress, func() (Progress, error) { return t.progress(), nil },
		workflow.QueryHandlerOptions{Description: "pages done, and the stage of each page in flight"})
	return t, err
}

func (t *tracker) progress() Progress {
	return Progress{
		Total: t.total, Done: t.counts.Ended(),
		Success: t.counts.Success, Failed: t.counts.Failed, Fallback: t.counts.Fallback, Paused: t.paused,
		InFlight: append([]PageProgress{}, t.inFlight...),
	}
}

func (t *tracker) enter(ctx workflow.Context, p core.Item, stage core.Stage, waiting bool) {
	now := PageProgress{Index: p.Index, Name: p.Name, Stage: stage, Waiting: waiting}
	at := len(t.inFlight)
	for i := range t.inFlight {
		if t.inFlight[i].Index == p.Index {
			at = i
		}
	}
	if at == len(t.inFlight) {
		t.inFlight = append(t.inFlight, now)
	} else {
		t.inFlight[at] = now
	}
	workflow.SetCurrentDetails(ctx, t.details())
}

func (t *tracker) end(ctx workflow.Context, r comic.PageResult) {
	left := make([]PageProgress, 0, len(t.inFlight))
	for _, p := range t.inFlight {
		if p.Index != r.Index {
			left = append(left, p)
		}
	}
	t.inFlight = left
	t.counts.add(r)
	workflow.SetCurrentDetails(ctx, t.details())
}

// details is what the Temporal UI shows of a running task, in Markdown.
func (t *tracker) details() string {
	head := fmt.Sprintf("**%d of %d pages done** · %d succeeded (%d by fallback) · %d failed\n",
		t.counts.Ended(), t.total, t.counts.Success, t.counts.Fallback, t.counts.Failed)
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
	return head + "\n| page | file | stage |\n|---|---|---|\n" + strings.Join(rows, "")
}

// escapeCell keeps a file name from ending its cell of a Markdown table.
func escapeCell(name string) string {
	return strings.NewReplacer("|", `\|`, "\n", " ", "\r", " ").Replace(name)
}
