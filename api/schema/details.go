package schema

import "encoding/json"

// TaskWith is a task with the options and the details of its kind.
type TaskWith[Options, Details any] struct {
	Task
	Options Options
	Details Details
}

// TaskOf decodes the options and the details of a task; for a task of another kind they stay empty.
func TaskOf[Options, Details any](t Task) TaskWith[Options, Details] {
	task := TaskWith[Options, Details]{Task: t}
	decode(t.Options, &task.Options)
	decode(t.Details, &task.Details)
	return task
}

// DetailsOf decodes the details of an item; for an item of another kind they stay empty.
func DetailsOf[Details any](i Item) (d Details) {
	decode(i.Details, &d)
	return d
}

// decode leaves out what b has in another form: fields of another kind, or of a later version.
func decode(b json.RawMessage, into any) { _ = json.Unmarshal(b, into) }
