package workflows

import (
	"go.temporal.io/sdk/workflow"

	"plait/internal/comic"
	"plait/internal/core"
)

// The window of a chapter: how many of its pages may be between the start of detect and the end of render. How many of
// them are detected ahead depends on what the chapter measures (pacer), and on the room that hosts have for contexts.
const (
	// DefaultWindow keeps the devices of four hosts busy where they are what a chapter waits for. A host takes two pages to
	// detect; while these are on their way, as many may wait for their turn at the model, or for the device to be rendered.
	DefaultWindow = 16
	// MaxWindow bounds what a workflow has in flight.
	MaxWindow = 100
)

// The windows of chapters that were begun earlier: before hosts let in no more pages than they have room for, and before
// [paceOfTwoDetects].
const (
	unpacedWindow    = 4
	maxUnpacedWindow = 10
	firstPacedWindow = 10
)

// ChapterInput is the input of [ChapterWorkflow].
type ChapterInput struct {
	// TaskID is the workflow id as well.
	TaskID string    `json:"task_id"`
	Tenant string    `json:"tenant"`
	Kind   core.Kind `json:"kind"`
	// Title is what an operator reads beside the workflow.
	Title   string        `json:"title,omitempty"`
	Options comic.Options `json:"options"`
	// Pages are the pages still to do, in page order; all of them when a client starts the chapter.
	Pages []core.Item `json:"pages"`
	// Window is the number of pages in flight; 0 is DefaultWindow, and nothing exceeds MaxWindow.
	Window int `json:"window,omitempty"`
	// Carried is what earlier runs of the same chapter did.
	Carried *Counts `json:"carried,omitempty"`
	// Retry is how often the failed pages of the task were asked for again before.
	Retry int `json:"retry,omitempty"`
	// Pause is what is known of pauses at the start.
	Pause *Pause `json:"pause,omitempty"`
	// Pace is what earlier runs of the same chapter measured.
	Pace *Pace `json:"pace,omitempty"`
}

// Counts are the ended pages of a chapter. Success + Failed is the number of ended pages; Fallback are those of Success
// that needed the compensating branch.
type Counts struct {
	Success  int `json:"success"`
	Failed   int `json:"failed"`
	Fallback int `json:"fallback"`
}

// Ended is the number of ended pages.
func (c Counts) Ended() int { return c.Success + c.Failed }

func (c *Counts) add(r comic.PageResult) {
	switch {
	case r.Failure != nil:
		c.Failed++
	case r.Output.Mode == comic.ModeFallback:
		c.Success++
		c.Fallback++
	default:
		c.Success++
	}
}

// window is how many pages are in flight, by the chapter's version of changePace.
func (in ChapterInput) window(pace workflow.Version) int {
	usual, most := DefaultWindow, MaxWindow
	switch pace {
	case workflow.DefaultVersion:
		usual, most = unpacedWindow, maxUnpacedWindow
	case 1:
		usual = firstPacedWindow
	}
	switch {
	case in.Options.Mode == comic.ModeUnified:
		// The page step translates by itself, and a translation is given the pages before it: one page at a time.
		return 1
	case in.Window <= 0:
		return usual
	default:
		return min(in.Window, most)
	}
}

func (in ChapterInput) carried() Counts {
	if in.Carried == nil {
		return Counts{}
	}
	return *in.Carried
}

func (in ChapterInput) validate() error {
	switch {
	case in.TaskID == "":
		return core.NewError(core.CodeInvalidInput, "a task has no id")
	case len(in.Pages) == 0:
		return core.NewError(core.CodeInvalidInput, "a chapter has no pages")
	}
	return validateMode(in.Options.Mode)
}

// PageTaskInput is the input of [PageWorkflow]: a task of one image.
type PageTaskInput struct {
	Options comic.Options `json:"options"`
	Page    core.Item     `json:"page"`
	// Retry and Pause are those of [ChapterInput].
	Retry int    `json:"retry,omitempty"`
	Pause *Pause `json:"pause,omitempty"`
}

func (in PageTaskInput) validate() error {
	if in.Page.TaskID == "" {
		return core.NewError(core.CodeInvalidInput, "a task has no id")
	}
	return validateMode(in.Options.Mode)
}

func validateMode(m core.Mode) error {
	if m != comic.ModeSplit && m != comic.ModeUnified {
		return core.Errorf(core.CodeInvalidInput, "mode %q is neither %s nor %s", m, comic.ModeSplit, comic.ModeUnified)
	}
	return nil
}
