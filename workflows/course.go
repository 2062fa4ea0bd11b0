package workflows

import (
	"strconv"

	"go.temporal.io/sdk/temporal"
	"go.temporal.io/sdk/workflow"

	"plait/internal/core"
)

// Routine is what a kind adds to the course of its tasks. Only Begin is required.
type Routine struct {
	// Window, when not 0, is the number of items in flight, whatever the task asks for.
	Window int
	// StepsPerItem is the largest number of steps that an item usually takes; 0 is 6. It bounds the history of a run.
	StepsPerItem int
	// Attributes are search attributes of the kind.
	Attributes []temporal.SearchAttributeUpdate
	// Admit returns when one more item may begin, or with the cancellation of ctx.
	Admit func(ctx workflow.Context) error
	// Begin is called for one item after the other, in their order. The process that it returns runs beside those of other
	// items.
	Begin func(ctx workflow.Context, item *ItemRun) Process
	// State is what a continued run is given as TaskInput.State.
	State func() any
}

// Process takes one item to its end. The mode is the one in which the item ended, or in which it failed.
type Process func(ctx workflow.Context) (core.Mode, error)

// Run takes the items of a task through the routine of their kind and returns how the task ended. An item that fails, fails
// alone. Run itself fails only when the task has no row to record its end in; a canceled task records its end and is canceled.
func Run(ctx workflow.Context, in TaskInput, routine Routine) (core.TaskResult, error) {
	if err := in.validate(); err != nil {
		return core.TaskResult{}, Refuse(err)
	}
	tracker, err := newTracker(ctx, len(in.Items), in.Carried)
	if err != nil {
		return core.TaskResult{}, err
	}
	c := &course{in: in, routine: routine, tracker: tracker, gate: newGate(ctx, in.Pause, tracker)}
	if c.isFirstRun(ctx) {
		if err := c.begin(ctx); err != nil && !temporal.IsCanceledError(err) {
			return core.TaskResult{}, err
		}
	}
	rest := c.run(ctx)
	canceled := c.canceled > 0 || (len(rest) > 0 && ctx.Err() != nil)
	if len(rest) > 0 && !canceled {
		return core.TaskResult{}, c.continueAsNew(ctx, rest)
	}
	return c.end(ctx, canceled)
}

// course is one run of a task.
type course struct {
	in      TaskInput
	routine Routine
	tracker *tracker
	gate    *gate
	// canceled counts items that were begun and left.
	canceled int
	// inFlight counts items that were begun and have not ended.
	inFlight int
}

// isFirstRun reports whether this run is the first of the task, or of a retry of it.
func (c *course) isFirstRun(ctx workflow.Context) bool {
	return workflow.GetInfo(ctx).ContinuedExecutionRunID == ""
}

// begin marks the task as running or paused, in the records and for who filters workflows.
func (c *course) begin(ctx workflow.Context) error {
	setStatus(ctx, c.gate.status(), c.routine.Attributes...)
	options := RecordStep()
	options.Summary = "task started"
	return workflow.ExecuteActivity(workflow.WithActivityOptions(ctx, options), core.StepStartTask,
		core.StartTaskInput{TaskID: c.in.TaskID, Retry: c.in.Retry}).Get(ctx, nil)
}

// run keeps a window of items in flight and returns when none is. The items it returns were not begun, because the task is
// canceled or its history long enough.
func (c *course) run(ctx workflow.Context) (rest []core.Item) {
	window := workflow.NewSemaphore(ctx, int64(c.window()))
	items := workflow.NewWaitGroup(ctx)
	// An item in flight writes its end on the way out, so nothing is left behind but what is returned.
	defer items.Wait(ctx)
	for i, item := range c.in.Items {
		if window.Acquire(ctx, 1) != nil || c.admit(ctx) != nil || c.gate.wait(ctx) != nil || c.stop(ctx, i) {
			return c.in.Items[i:]
		}
		run := &ItemRun{Item: item, tracker: c.tracker, gate: c.gate}
		process := c.routine.Begin(ctx, run)
		items.Add(1)
		c.inFlight++
		workflow.GoNamed(ctx, "item "+strconv.Itoa(item.Index+1), func(ctx workflow.Context) {
			defer items.Done()
			defer window.Release(1)
			defer func() { c.inFlight-- }()
			if !run.run(ctx, process) {
				c.canceled++
			}
		})
	}
	return nil
}

func (c *course) admit(ctx workflow.Context) error {
	if c.routine.Admit == nil {
		return nil
	}
	return c.routine.Admit(ctx)
}

func (c *course) window() int {
	switch {
	case c.routine.Window > 0:
		return min(c.routine.Window, MaxWindow)
	case c.in.Window > 0:
		return min(c.in.Window, MaxWindow)
	default:
		return DefaultWindow
	}
}

// stop is asked before each item. A run begins at least one, so that every run gets the task further.
func (c *course) stop(ctx workflow.Context, begun int) bool {
	return ctx.Err() != nil || (begun > 0 && c.historyIsFull(ctx))
}

const (
	// maxEvents bounds the history of a run. It is where a server suggests to continue as new, and what replays quickly.
	maxEvents = 4096
	// eventsPerStep are three of the step and three of the workflow task that follows.
	eventsPerStep = 6
	// defaultStepsPerItem of MaxWindow items stay below maxEvents.
	defaultStepsPerItem = 6
)

// historyIsFull reports whether the items in flight and one more may take the history beyond its bound.
func (c *course) historyIsFull(ctx workflow.Context) bool {
	info := workflow.GetInfo(ctx)
	steps := c.routine.StepsPerItem
	if steps == 0 {
		steps = defaultStepsPerItem
	}
	return info.GetContinueAsNewSuggested() ||
		info.GetCurrentHistoryLength()+(c.inFlight+1)*steps*eventsPerStep > maxEvents
}

func (c *course) continueAsNew(ctx workflow.Context, rest []core.Item) error {
	c.in.Items, c.in.Carried, c.in.Pause = rest, &c.tracker.counts, c.gate.carried(ctx)
	if c.routine.State != nil {
		state, err := encodeJSON(c.routine.State())
		if err != nil {
			return Refuse(core.Wrap(core.CodeInternal, err, "the state of the task cannot be carried"))
		}
		c.in.State = state
	}
	return workflow.NewContinueAsNewError(ctx, workflow.GetInfo(ctx).WorkflowType.Name, c.in)
}

// end records the end, even of a canceled task, and counts it from the rows of the items.
func (c *course) end(ctx workflow.Context, canceled bool) (core.TaskResult, error) {
	ctx, cancel := workflow.NewDisconnectedContext(ctx)
	defer cancel()
	options := RecordStep()
	options.Summary = "task ended"
	var result core.TaskResult
	err := workflow.ExecuteActivity(workflow.WithActivityOptions(ctx, options), core.StepFinishTask,
		core.FinishTaskInput{TaskID: c.in.TaskID, Retry: c.in.Retry, Canceled: canceled}).Get(ctx, &result)
	if err != nil {
		return result, err
	}
	setStatus(ctx, result.Status)
	if canceled {
		// So that Temporal, too, calls it canceled.
		return result, temporal.NewCanceledError()
	}
	return result, nil
}

func setStatus(ctx workflow.Context, s core.Status, others ...temporal.SearchAttributeUpdate) {
	updates := append([]temporal.SearchAttributeUpdate{keyStatus.ValueSet(string(s))}, others...)
	if err := workflow.UpsertTypedSearchAttributes(ctx, updates...); err != nil {
		workflow.GetLogger(ctx).Error("search attribute not set", "error", err)
	}
}
