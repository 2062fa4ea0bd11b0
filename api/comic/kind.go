// Package comicapi is the API of comics: the fields of requests for translations, the details of tasks and pages, scripts, and edits of
// translations.
package comicapi

import (
	"context"
	"fmt"

	"plait/api"
	comicschema "plait/api/comic/schema"
	"plait/api/schema"
	"plait/internal/comic"
	"plait/internal/core"
	"plait/internal/openraster"
	"plait/internal/records"
	comicrecords "plait/internal/records/comic"
	"plait/internal/translate/glossary"
	"plait/internal/translate/script"
	"plait/tasks"
	comictasks "plait/tasks/comic"
)

// chapters is the API of chapters.
type chapters struct {
	service *comictasks.Service
	records comicrecords.Store
}

// Kind returns the kind of comics.
func Kind(service *comictasks.Service, store *records.Store) api.Kind {
	c := chapters{service, comicrecords.New(store)}
	return api.Kind{
		Name: comic.Kind, Path: comicschema.Path,
		Fields: []api.Field{
			{Name: comicschema.FieldFrom}, {Name: comicschema.FieldTo}, {Name: comicschema.FieldMode}, {Name: comicschema.FieldTranslator},
			{Name: schema.FieldSynopsis}, {Name: comicschema.FieldSounds}, {Name: comicschema.FieldFast, Type: api.Bool},
			{Name: comicschema.FieldScript, Type: api.File, MaxBytes: script.MaxBytes}, {Name: comicschema.FieldStrict, Type: api.Bool},
			{Name: schema.FieldGlossary, Type: api.List, MaxBytes: glossary.MaxBytes},
		},
		Plan: c.plan, Estimate: c.estimate, Describe: describe,
		TaskDetails: c.taskDetails, ItemsDetails: c.pagesDetails, ItemDetails: c.pageDetails, ItemLinks: pageLinks,
		Glossary: &api.Glossary{To: targetOf, Pairs: c.pairs},
		Routes:   c.routes,
	}
}

func (c chapters) plan(ctx context.Context, in api.Input) (tasks.Plan, error) {
	r, err := requestOf(in)
	if err != nil {
		return tasks.Plan{}, err
	}
	return c.service.Plan(ctx, r)
}

func (c chapters) estimate(ctx context.Context, in api.Input) (any, error) {
	r, err := requestOf(in)
	if err != nil {
		return nil, err
	}
	e, err := c.service.Estimate(ctx, r)
	if err != nil {
		return nil, err
	}
	return comicschema.EstimateOf(e), nil
}

func requestOf(in api.Input) (comictasks.Request, error) {
	context, err := in.PromptContext()
	return comictasks.Request{
		Request: in.Request, PromptContext: context, From: in.Texts[comicschema.FieldFrom], To: in.Texts[comicschema.FieldTo], Mode: in.Texts[comicschema.FieldMode],
		Translator: in.Texts[comicschema.FieldTranslator], Script: in.Contents[comicschema.FieldScript],
		Strict: in.Texts[comicschema.FieldStrict], Sounds: in.Texts[comicschema.FieldSounds], Fast: in.Texts[comicschema.FieldFast],
	}, err
}

func targetOf(t records.Task) (string, error) {
	o, err := comic.ParseOptions(t.Options)
	return o.To, err
}

func (c chapters) pairs(ctx context.Context, t records.Task) ([]glossary.Pair, error) {
	return c.records.Pairs(ctx, t.ID)
}

// cbzType is registered with IANA for .cbz.
const cbzType = "application/vnd.comicbook+zip"

func describe(t records.Task) (api.Description, error) {
	o, err := comic.ParseOptions(t.Options)
	layered := api.Format{Type: "application/zip", Suffix: o.To + ".ora.zip"}
	if t.TotalCount == 1 {
		layered = api.Format{Type: openraster.MediaType, Suffix: o.To + ".ora"}
	}
	return api.Description{
		Options: comicschema.Options{
			From: o.From, To: o.To, Mode: o.Mode, Translator: o.Translator, Strict: o.Strict, Sounds: o.Sounds, Fast: o.Fast,
		},
		Links:      map[string]string{"script": comicschema.TaskPath(t.ID) + "/script"},
		ResultType: cbzType, ResultSuffix: o.To + ".cbz",
		Formats: map[string]api.Format{
			comic.FormatCBZ: {Type: cbzType, Suffix: o.To + ".cbz"}, comic.FormatZIP: {Type: "application/zip", Suffix: o.To + ".zip"},
			comic.FormatORA: layered,
		},
	}, err
}

func (c chapters) taskDetails(ctx context.Context, list []records.Task) ([]any, error) {
	ids := make([]string, len(list))
	for i, t := range list {
		ids[i] = t.ID
	}
	counts, err := c.records.Counts(ctx, ids...)
	details := make([]any, len(list))
	for i, id := range ids {
		n := counts[id]
		details[i] = comicschema.TaskDetails{
			Detected: n.Detected, Translated: n.Translated, FallbackCount: n.Fallbacks, UntranslatedCount: n.Untranslated,
		}
	}
	return details, err
}

func (c chapters) pagesDetails(ctx context.Context, t records.Task) ([]any, error) {
	pages, err := c.records.Pages(ctx, t.ID)
	details := make([]any, len(pages))
	for i, p := range pages {
		details[i] = detailsOf(p)
	}
	return details, err
}

// pageDetails returns the details of a page with its texts.
func (c chapters) pageDetails(ctx context.Context, i records.Item) (any, error) {
	p, err := c.records.Page(ctx, i.Ref.TaskID, i.Ref.Index)
	if err != nil {
		return nil, err
	}
	details := detailsOf(p)
	regions, err := c.records.Regions(ctx, i.Ref.TaskID, i.Ref.Index)
	for _, r := range regions {
		details.Texts = append(details.Texts, comicschema.Text{
			Index: r.Index, Box: r.Box, Direction: r.Direction, Source: r.Source, Translation: r.Translation, Untranslated: r.Untranslated,
			Overflow: r.Overflow, Annotated: r.Annotated, Kind: r.Kind, Area: r.Override.Area, Style: r.Override.Style,
			Erased: r.Override.Erased, Deleted: r.Override.Deleted,
			Place: r.Override.Place, JoinedInto: r.Override.JoinedInto, Cut: r.Override.Cut, Drawn: r.Reading, Alternatives: viewAlternatives(r.Alternatives), EditedBy: r.EditedBy, EditedAt: r.EditedAt,
		})
	}
	return details, err
}

func detailsOf(p comicrecords.Page) comicschema.PageDetails {
	return comicschema.PageDetails{
		Width: p.Width, Height: p.Height, Regions: p.Regions, Untranslated: p.Untranslated,
		OutputChanged: p.OutputChanged, NoChangeReason: p.NoChangeReason, Missing: p.Missing, Edit: viewEdit(p.Edit),
	}
}

func viewEdit(e *comicrecords.PageEdit) *comicschema.Edit {
	if e == nil {
		return nil
	}
	v := &comicschema.Edit{Status: core.StatusSuccess, EditedAt: e.At}
	switch {
	case e.Failure != nil:
		v.Status = core.StatusError
		v.Failure = &schema.Failure{Stage: e.Failure.Stage, Code: e.Failure.Code, Message: e.Failure.Message}
	case e.Pending():
		v.Status = core.StatusRunning
	}
	return v
}

func pageLinks(i records.Item) map[string]string {
	if i.Status != core.StatusSuccess {
		return nil
	}
	return map[string]string{"regions": fmt.Sprintf("%s/items/%d/regions", comicschema.TaskPath(i.Ref.TaskID), i.Ref.Index)}
}

func (c chapters) routes(r api.Routes) {
	r.Get("/script", c.getScript, "format")
	r.Patch("/items/:item/regions", c.editRegions)
	r.Post("/items/:item/prepare", c.prepare)
	r.Post("/items/:item/regions", c.drawRegion)
	r.Post("/items/:item/regions/split", c.splitRegion)
	r.Post("/items/:item/regions/alternatives", c.askAlternatives)
}

// getScript returns the texts of a task, with the translations so far, as a script that a person can edit.
func (c chapters) getScript(call *api.Call) error {
	format, write, contentType := call.QueryParam("format"), script.WriteJSON, "application/json"
	switch format {
	case "", "json":
		format = "json"
	case "csv":
		write, contentType = script.WriteCSV, "text/csv; charset=utf-8"
	default:
		return core.NewError(core.CodeInvalidInput, "format is json or csv")
	}
	pages, err := c.records.Script(call.Request().Context(), call.Task.ID)
	if err != nil {
		return err
	}
	o, err := comic.ParseOptions(call.Task.Options)
	if err != nil {
		return err
	}
	f := &script.File{From: o.From, To: o.To}
	for _, p := range pages {
		page := script.Page{Page: p.Name}
		for _, r := range p.Regions {
			page.Regions = append(page.Regions, script.Region{Region: &r.Index, Source: r.Source, Translation: r.Translation})
		}
		f.Pages = append(f.Pages, page)
	}
	call.Attach(contentType, o.To+"."+format)
	return write(call.Response(), f)
}
