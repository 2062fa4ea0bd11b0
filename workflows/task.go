package workflows

import (
	"encoding/json"
	"maps"

	"go.temporal.io/sdk/temporal"

	"plait/internal/core"
)

// The window of a task is the number of its items between their first step and their end.
const (
	// DefaultWindow keeps the devices of four hosts busy. A host takes two items from a queue; meanwhile as many others may wait for a
	// model, or for the device again.
	DefaultWindow = 16
	// MaxWindow is the largest number of items of one workflow in flight.
	MaxWindow = 100
)

// TaskInput is the input of the workflow of a task of any kind.
type TaskInput struct {
	// TaskID is also the workflow id.
	TaskID string `json:"task_id"`
	Tenant string `json:"tenant"`
	// Kind is also the name of the workflow type.
	Kind core.Kind `json:"kind"`
	// Title is shown to operators with the workflow.
	Title string `json:"title,omitempty"`
	// Options are the options of the kind, as JSON.
	Options json.RawMessage `json:"options,omitempty"`
	// Items are the items that remain to be processed, in order; all of them when a client starts the task. A retry of a task whose result
	// could not be made has none.
	Items []core.Item `json:"items"`
	// Window is the number of items in flight; 0 means DefaultWindow, and MaxWindow is the upper bound.
	Window int `json:"window,omitempty"`
	// Carried are the counts of earlier runs of the same task.
	Carried *Counts `json:"carried,omitempty"`
	// Retry is the number of earlier retries of the failed items of the task.
	Retry int `json:"retry,omitempty"`
	// Pause is the known state of pauses at the start.
	Pause *Pause `json:"pause,omitempty"`
	// State is the kind's state from an earlier run of the same task.
	State json.RawMessage `json:"state,omitempty"`
}

// Counts are the ended items of a task. Success + Failed is the number of ended items; Modes splits Success by the mode in
// which the items ended.
type Counts struct {
	Success int               `json:"success"`
	Failed  int               `json:"failed"`
	Modes   map[core.Mode]int `json:"modes,omitempty"`
}

// Ended is the number of ended items.
func (c Counts) Ended() int { return c.Success + c.Failed }

// clone copies the map, because a replay reads the map of the input again.
func (c *Counts) clone() Counts {
	if c == nil {
		return Counts{Modes: map[core.Mode]int{}}
	}
	copied := *c
	if copied.Modes = maps.Clone(c.Modes); copied.Modes == nil {
		copied.Modes = map[core.Mode]int{}
	}
	return copied
}

// DecodeOptions decodes the options of a kind. An error ends the workflow: no client of this package sends such options.
func (in TaskInput) DecodeOptions(options any) error {
	if err := decodeJSON(in.Options, options); err != nil {
		return Refuse(core.Errorf(core.CodeInvalidInput, "the options of the task are invalid: %w", err))
	}
	return nil
}

// DecodeState decodes the state of an earlier run, and leaves state unchanged in the first run.
func (in TaskInput) DecodeState(state any) error {
	if len(in.State) == 0 {
		return nil
	}
	if err := decodeJSON(in.State, state); err != nil {
		return Refuse(core.Errorf(core.CodeInternal, "the carried state of the task is invalid: %w", err))
	}
	return nil
}

func (in TaskInput) validate() error {
	switch {
	case in.TaskID == "":
		return core.NewError(core.CodeInvalidInput, "a task has no id")
	case in.Kind == "":
		return core.NewError(core.CodeInvalidInput, "a task has no kind")
	case len(in.Items) == 0 && in.Carried == nil:
		return core.NewError(core.CodeInvalidInput, "a task has no items")
	}
	return nil
}

// Refuse ends a workflow with an input that no client of this package sends.
func Refuse(err error) error {
	return temporal.NewNonRetryableApplicationError(core.PublicMessage(err), string(core.CodeOf(err)), nil)
}

// decodeJSON and encodeJSON make the same of the same, which workflowcheck does not see in encoding/json.
//
//workflowcheck:ignore
func decodeJSON(b []byte, v any) error { return json.Unmarshal(b, v) }

//workflowcheck:ignore
func encodeJSON(v any) (json.RawMessage, error) { return json.Marshal(v) }
