package workflows

import (
	"strconv"

	"go.temporal.io/sdk/temporal"
	"go.temporal.io/sdk/workflow"

	"plait/internal/core"
)

// Routine is what a kind adds to the course of its tasks. Only Begin is required.
type Routine struct {
	// Window, when not 0, is the number of items in flight, and overrides the window of the task.
	Window int
	// StepsPerItem is the largest number of steps that an item usually takes; 0 means 6. It bounds the history of a run.
	StepsPerItem int
	// Attributes are search attributes of the kind.
	Attributes []temporal.SearchAttributeUpdate
	// Admit returns when one more item may start, or with the cancellation of ctx.
	Admit func(ctx workflow.Context) error
	// Begin is called for the items one after the other, in order. The processes that it returns run concurrently.
	Begin func(ctx workflow.Context, item *ItemRun) Process
	// Begun is called once the run begins no more items; those in flight have not ended then.
	Begun func()
	// Conclude makes the result of the task from the results of its items, once all have ended and at least one has succeeded. Nil means that
	// the items are the result. It is not called for a canceled task. The task fails with its error.
	Conclude func(ctx workflow.Context) error
	// State returns the TaskInput.State of a continued run.
	State func() any
}

// Process runs one item to its end. The mode is the one in which the item ended or failed.
type Process func(ctx workflow.Context) (core.Mode, error)

// Run processes the items of a task by the routine of their kind and returns how the task ended. A failed item does not affect the others.
// Run itself fails only when the task has no row to record its end in; a canceled task records its end and is canceled.
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

// conclude makes the result of the task. It returns why there is none; nil for a task without items that succeeded, whose own failures say
// why.
func (c *course) conclude(ctx workflow.Context) *core.Failure {
	if c.routine.Conclude == nil || c.tracker.counts.Success == 0 {
		return nil
	}
	err := c.routine.Conclude(ctx)
	if err == nil || ctx.Err() != nil {
		return nil
	}
	failure := FailureOf(err)
	return &failure
}

// course is one run of a task.
type course struct {
	in      TaskInput
	routine Routine
	tracker *tracker
	gate    *gate
	// canceled counts items that were started and then canceled.
	canceled int
	// inFlight counts items that were started and have not ended.
	inFlight int
}

// isFirstRun reports whether this run is the first of the task, or the first of one of its retries.
func (c *course) isFirstRun(ctx workflow.Context) bool {
	return workflow.GetInfo(ctx).ContinuedExecutionRunID == ""
}

// begin marks the task as running or paused, in the records and in the search attributes.
func (c *course) begin(ctx workflow.Context) error {
	setStatus(ctx, c.gate.status(), c.routine.Attributes...)
	options := RecordStep()
	options.Summary = "task started"
	return workflow.ExecuteActivity(workflow.WithActivityOptions(ctx, options), core.StepStartTask,
		core.StartTaskInput{TaskID: c.in.TaskID, Retry: c.in.Retry}).Get(ctx, nil)
}

// run keeps a window of items in flight and returns when all have ended. It returns the items that were not started, because the task was
// canceled or its history is nearly full.
func (c *course) run(ctx workflow.Context) (rest []core.Item) {
	window := workflow.NewSemaphore(ctx, int64(c.window()))
	items := workflow.NewWaitGroup(ctx)
	// Items in flight record their own end, so the run waits for them.
	defer items.Wait(ctx)
	if c.routine.Begun != nil {
		defer c.routine.Begun()
	}
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

// stop is called before each item. A run starts at least one item, so that every run makes progress.
func (c *course) stop(ctx workflow.Context, begun int) bool {
	return ctx.Err() != nil || (begun > 0 && c.historyIsFull(ctx))
}

const (
	// maxEvents bounds the history of a run. At this size the server suggests to continue as new, and a replay is still quick.
	maxEvents = 4096
	// eventsPerStep is three events of the step and three of the workflow task that follows.
	eventsPerStep = 6
	// With defaultStepsPerItem, MaxWindow items stay below maxEvents.
	defaultStepsPerItem = 6
)

// historyIsFull reports whether the items in flight and one more could exceed the bound of the history.
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

// end records the end, also of a canceled task, and returns the counts from the rows of the items.
func (c *course) end(ctx workflow.Context, canceled bool) (core.TaskResult, error) {
	var failure *core.Failure
	if !canceled {
		failure = c.conclude(ctx)
		canceled = ctx.Err() != nil
	}
	ctx, cancel := workflow.NewDisconnectedContext(ctx)
	defer cancel()
	options := RecordStep()
	options.Summary = "task ended"
	var result core.TaskResult
	err := workflow.ExecuteActivity(workflow.WithActivityOptions(ctx, options), core.StepFinishTask,
		core.FinishTaskInput{TaskID: c.in.TaskID, Retry: c.in.Retry, Canceled: canceled, Failure: failure}).Get(ctx, &result)
	if err != nil {
		return result, err
	}
	setStatus(ctx, result.Status)
	if canceled {
		// Temporal then also shows the task as canceled.
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
