// Package documentapi is the API of documents: the fields of requests for translations, and the details of tasks and pages.
package documentapi

import (
	"context"
	"net/http"

	"plait/api"
	documentschema "plait/api/document/schema"
	"plait/api/schema"
	"plait/internal/document"
	"plait/internal/records"
	documentrecords "plait/internal/records/document"
	"plait/internal/translate/glossary"
	"plait/tasks"
	documenttasks "plait/tasks/document"
)

// documents is the API of documents.
type documents struct {
	service *documenttasks.Service
	records documentrecords.Store
}

// Kind returns the kind of documents.
func Kind(service *documenttasks.Service, store *records.Store) api.Kind {
	d := documents{service, documentrecords.New(store)}
	return api.Kind{
		Name: document.Kind, Path: documentschema.Path,
		Fields: []api.Field{
			{Name: documentschema.FieldFrom}, {Name: documentschema.FieldTo}, {Name: documentschema.FieldMode},
			{Name: documentschema.FieldOutput}, {Name: documentschema.FieldDual}, {Name: documentschema.FieldPages},
			{Name: documentschema.FieldTranslator}, {Name: documentschema.FieldDomain}, {Name: schema.FieldSynopsis},
			{Name: documentschema.FieldKeepActions, Type: api.Bool}, {Name: documentschema.FieldPassword, Secret: true},
			{Name: documentschema.FieldConfidence, Type: api.Number}, {Name: documentschema.FieldTableThreads, Type: api.Number},
			{Name: schema.FieldGlossary, Type: api.List, MaxBytes: glossary.MaxBytes},
		},
		Plan: d.plan, Estimate: d.estimate, Describe: describe,
		TaskDetails: d.taskDetails, ItemsDetails: d.pagesDetails, ItemDetails: d.pageDetails,
		Glossary: &api.Glossary{To: targetOf, Pairs: d.pairs},
		Routes:   func(r api.Routes) { r.Get("/report", d.report) },
	}
}

func (d documents) plan(ctx context.Context, in api.Input) (tasks.Plan, error) {
	r, err := requestOf(in)
	if err != nil {
		return tasks.Plan{}, err
	}
	return d.service.Plan(ctx, r)
}

func (d documents) estimate(ctx context.Context, in api.Input) (any, error) {
	r, err := requestOf(in)
	if err != nil {
		return nil, err
	}
	return d.service.Estimate(ctx, r)
}

func requestOf(in api.Input) (documenttasks.Request, error) {
	context, err := in.PromptContext()
	return documenttasks.Request{
		Request: in.Request, PromptContext: context, From: in.Texts[documentschema.FieldFrom], To: in.Texts[documentschema.FieldTo],
		Mode: in.Texts[documentschema.FieldMode], Output: in.Texts[documentschema.FieldOutput], Dual: in.Texts[documentschema.FieldDual],
		Pages: in.Texts[documentschema.FieldPages], Translator: in.Texts[documentschema.FieldTranslator],
		Domain:      in.Texts[documentschema.FieldDomain],
		KeepActions: in.Texts[documentschema.FieldKeepActions], Password: in.Texts[documentschema.FieldPassword],
		Confidence: in.Texts[documentschema.FieldConfidence], TableThreads: in.Texts[documentschema.FieldTableThreads],
	}, err
}

func targetOf(t records.Task) (string, error) {
	o, err := document.ParseOptions(t.Options)
	return o.To, err
}

func (d documents) pairs(ctx context.Context, t records.Task) ([]glossary.Pair, error) {
	return d.records.Pairs(ctx, t.ID)
}

func describe(t records.Task) (api.Description, error) {
	o, err := document.ParseOptions(t.Options)
	description := api.Description{
		Options: documentschema.OptionsOf(o), ResultType: "application/pdf", ResultSuffix: o.To + ".pdf",
		Links: map[string]string{"report": documentschema.TaskPath(t.ID) + "/report"},
	}
	switch o.Output {
	case document.OutputDual:
		description.ResultSuffix = o.To + ".dual.pdf"
	case document.OutputBoth:
		description.ResultType, description.ResultSuffix = "application/zip", o.To+".zip"
	case document.OutputMono:
	}
	return description, err
}

// report answers what the translation took, beside its estimate.
func (d documents) report(call *api.Call) error {
	report, err := d.records.Report(call.Request().Context(), call.Task.ID)
	if err != nil {
		return err
	}
	return call.JSON(http.StatusOK, report)
}

func (d documents) taskDetails(ctx context.Context, list []records.Task) ([]any, error) {
	ids := make([]string, len(list))
	for i, t := range list {
		ids[i] = t.ID
	}
	progress, err := d.records.Progress(ctx, ids...)
	details := make([]any, len(list))
	for i, id := range ids {
		p := progress[id]
		details[i] = documentschema.TaskDetails{
			LaidOut: p.LaidOut, Translated: p.Translated, FallbackCount: p.Fallbacks, Counts: p.Counts, Overflow: p.Overflow,
		}
	}
	return details, err
}

func (d documents) pagesDetails(ctx context.Context, t records.Task) ([]any, error) {
	o, err := document.ParseOptions(t.Options)
	if err != nil {
		return nil, err
	}
	pages, err := d.records.Pages(ctx, t.ID)
	details := make([]any, len(pages))
	for i, p := range pages {
		if p.Number, err = o.Page(p.Ref.Index); err != nil {
			return nil, err
		}
		details[i] = detailsOf(p)
	}
	return details, err
}

// pageDetails returns the details of a page with its texts.
func (d documents) pageDetails(ctx context.Context, i records.Item) (any, error) {
	p, err := d.records.Page(ctx, i.Ref.TaskID, i.Ref.Index)
	if err != nil {
		return nil, err
	}
	details := detailsOf(p)
	blocks, err := d.records.Blocks(ctx, i.Ref.TaskID, i.Ref.Index)
	for _, b := range blocks {
		details.Texts = append(details.Texts, documentschema.Text{
			Index: b.Index, Class: b.Class, Box: [4]float64{b.Box.X0, b.Box.Y0, b.Box.X1, b.Box.Y1}, Cell: b.Cell, Source: b.Text,
			Translation: b.Translation, Untranslated: b.Reason, Scale: b.Scale,
		})
	}
	return details, err
}

func detailsOf(p documentrecords.Page) documentschema.PageDetails {
	return documentschema.PageDetails{
		Number: p.Number + 1, Label: p.Label, Width: p.Width, Height: p.Height, Rotate: p.Rotate, Counts: p.Counts, Overflow: p.Overflow,
	}
}
