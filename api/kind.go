package api

import (
	"context"

	"plait/internal/core"
	"plait/internal/records"
	"plait/tasks"
)

// Kind is what the API accepts and shows of one kind of work, besides what all kinds share. Name, Path, Plan and Describe are
// required.
type Kind struct {
	Name core.Kind
	// Path is the path of requests for tasks of the kind, below /v1, such as /comic/translations.
	Path string
	// Fields are those that a request may have, besides files, title and priority.
	Fields []Field
	// Plan checks a request and plans its task.
	Plan func(context.Context, Input) (tasks.Plan, error)
	// Describe gives what the row of a task says, without reading more.
	Describe func(records.Task) (Description, error)
	// TaskDetails reads the details of tasks, in their order; nil: they have none.
	TaskDetails func(context.Context, []records.Task) ([]any, error)
	// ItemsDetails reads the details of all items of a task, in their order, and ItemDetails those of one item, which may be more; nil:
	// they have none.
	ItemsDetails func(context.Context, records.Task) ([]any, error)
	ItemDetails  func(context.Context, records.Item) (any, error)
	// ItemLinks are further links of an item whose files are kept; nil: there are none.
	ItemLinks func(records.Item) map[string]string
	// Routes adds resources of the kind; nil adds none.
	Routes func(Routes)
}

// Description is what a kind says of a task by its row.
type Description struct {
	// Options are what the request chose; they are encoded as a JSON object.
	Options any
	// Links are further links, by their relation.
	Links map[string]string
	// ResultType is the content type of the file that the task makes. ResultSuffix follows the title of the task in its name, such as
	// "en.cbz".
	ResultType, ResultSuffix string
}

// Field is one field of a request, whether that comes as a form or as JSON.
type Field struct {
	Name string
	Type FieldType
	// MaxBytes bounds the field; 0 is 8 KiB.
	MaxBytes int64
}

const defaultMaxField = 8 << 10

func (f Field) maxBytes() int64 {
	if f.MaxBytes > 0 {
		return f.MaxBytes
	}
	return defaultMaxField
}

// FieldType says how a field comes in a form and in JSON.
type FieldType int

// The types of fields.
const (
	// Text is a text, in both.
	Text FieldType = iota
	// File is the content of a part of the form; in JSON, the name of an uploaded blob.
	File
	// List is the content of a part of the form; in JSON, an array.
	List
)

// Input is a request for a task, as it came.
type Input struct {
	tasks.Request
	// Texts are the given fields of type Text, and Contents those of the types File and List, by their names.
	Texts    map[string]string
	Contents map[string][]byte
}

// kind is the kind of a task. Tasks of kinds that this server does not know show what all kinds share.
func (s *Server) kind(name core.Kind) Kind {
	for _, k := range s.Kinds {
		if k.Name == name {
			return k
		}
	}
	return Kind{Name: name, Describe: func(t records.Task) (Description, error) {
		return Description{Options: t.Options, ResultType: "application/octet-stream"}, nil
	}}
}
