package api

import (
	"context"

	"plait/api/schema"
	"plait/internal/core"
	"plait/internal/records"
	"plait/internal/translate/glossary"
	"plait/tasks"
)

// Kind describes what the API accepts and shows for one kind of work, in addition to what all kinds share. Name, Path and Describe
// are required, and Plan unless there is a Contract.
type Kind struct {
	Name core.Kind
	// Path is the path of requests for tasks of the kind, below /v1, such as /comic/translations.
	Path string
	// Fields are the fields that a request may have, in addition to files, title, priority and callback_url.
	Fields []Field
	// Plan checks a request and plans its task.
	Plan func(context.Context, Input) (tasks.Plan, error)
	// Estimate tells what the task of a request would take, without accepting it, as an object for JSON; nil means that the kind has no
	// estimates.
	Estimate func(context.Context, Input) (any, error)
	// Models are the models that a request can name; nil for a kind whose requests name none.
	Models []schema.CapableModel
	// Describe describes a task by its row alone.
	Describe func(records.Task) (Description, error)
	// TaskDetails reads the details of tasks, in their order; nil means none.
	TaskDetails func(context.Context, []records.Task) ([]any, error)
	// ItemsDetails reads the details of all items of a task, in their order. ItemDetails reads those of one item, and may return more. Nil
	// means none.
	ItemsDetails func(context.Context, records.Task) ([]any, error)
	ItemDetails  func(context.Context, records.Item) (any, error)
	// ItemLinks returns further links of an item whose files are kept; nil means none.
	ItemLinks func(records.Item) map[string]string
	// Glossary describes the glossaries of tasks; nil means that they translate nothing.
	Glossary *Glossary
	// Routes adds resources of the kind; nil adds none.
	Routes func(Routes)
	// Contract, when not nil, takes the place of requests at Path in the form of all kinds: Plan and Fields then stay empty.
	Contract *Contract
}

// Description is a kind's description of a task.
type Description struct {
	// Options are the options of the request; they are encoded as a JSON object.
	Options any
	// Links are further links, by relation.
	Links map[string]string
	// ResultType is the content type of the result file. ResultSuffix, such as "en.cbz", follows the title of the task in the file name.
	ResultType, ResultSuffix string
	// Formats are further forms of the result, by their names; the service of tasks writes them.
	Formats map[string]Format
}

// Format is a form of a result.
type Format struct {
	// Type is the content type, and Suffix follows the title of the task in the file name.
	Type, Suffix string
}

// Field is one field of a request, as a form or as JSON.
type Field struct {
	Name string
	Type FieldType
	// MaxBytes bounds the field; 0 means 8 KiB.
	MaxBytes int64
	// Secret marks a field that is not kept in any form.
	Secret bool
}

const defaultMaxField = 8 << 10

func (f Field) maxBytes() int64 {
	if f.MaxBytes > 0 {
		return f.MaxBytes
	}
	return defaultMaxField
}

// FieldType determines how a field is sent in a form and in JSON.
type FieldType int

// The types of fields.
const (
	// Text is a text, in both forms and JSON.
	Text FieldType = iota
	// Bool is true or false: a text in a form, a boolean in JSON.
	Bool
	// Number is a text in a form, and a number in JSON.
	Number
	// File is sent as a part of the form; in JSON, as the name of an uploaded blob.
	File
	// List is sent as a part of the form; in JSON, as an array.
	List
)

// short tells whether a value is a text of a form, and not a file of its own.
func (t FieldType) short() bool { return t == Text || t == Bool || t == Number }

// Input is an unchecked request for a task.
type Input struct {
	tasks.Request
	// Texts contains the given fields of types Text, Bool and Number, as a form has them, and Contents those of types File and List, by name.
	Texts    map[string]string
	Contents map[string][]byte
}

// PromptContext parses the fields [schema.FieldGlossary] and [schema.FieldSynopsis].
func (in Input) PromptContext() (c tasks.PromptContext, err error) {
	c.Synopsis = in.Texts[schema.FieldSynopsis]
	if content, given := in.Contents[schema.FieldGlossary]; given {
		c.Glossary, err = glossary.Parse(content)
	}
	return c, err
}

// kind returns the kind of a task. A task of an unknown kind shows only what all kinds share.
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
