package main

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"plait/api/client"
	"plait/api/schema"
	"plait/internal/core"
	"plait/internal/translate/script"
)

// editing is one run of the command.
type editing struct {
	access
	printer editPrinter
	task    string
	wanted  *script.File
}

// askedPage is a page that is being lettered again.
type askedPage struct {
	schema.Page
	changed int
}

// edit asks for all edits, and then waits for their pages.
func (e *editing) edit(ctx context.Context, api *client.Client) error {
	task, err := api.Task(ctx, e.task)
	if err != nil {
		return err
	}
	pages, err := e.pages(task)
	if err != nil {
		return err
	}
	var asked []askedPage
	for _, p := range pages {
		page, changed, err := e.editPage(ctx, api, p)
		if err != nil {
			if err := e.printer.fail(p.Name, err); err != nil {
				return err
			}
			continue
		}
		if changed > 0 {
			e.printer.changed(page.Name, changed)
			asked = append(asked, askedPage{page, changed})
		}
	}
	if len(asked) == 0 && e.printer.failed == 0 {
		e.printer.say("Nothing to change: the pages say all of this already.")
	}
	for _, p := range asked {
		err := untilShown(ctx, api, e.task, p.Page)
		if err == nil {
			err = e.printer.shown(p.Name, p.changed)
		} else {
			err = e.printer.fail(p.Name, err)
		}
		if err != nil {
			return err
		}
	}
	return e.printer.status(len(pages), "edited")
}

// pages are those of the task that the edits are for. A file name that several pages have, in folders of their own, is that
// of the one with just this name.
func (e *editing) pages(task schema.Task) ([]schema.Page, error) {
	found := map[*script.Page][]schema.Page{}
	for _, p := range task.Pages {
		if part, ok := e.wanted.Find(p.Name); ok {
			found[part] = append(found[part], p)
		}
	}
	var pages []schema.Page
	for i := range e.wanted.Pages {
		part := &e.wanted.Pages[i]
		fitting := found[part]
		if exact := slices.IndexFunc(fitting, func(p schema.Page) bool { return p.Name == part.Page }); exact >= 0 {
			fitting = fitting[exact : exact+1]
		}
		switch len(fitting) {
		case 0:
			return nil, fmt.Errorf("the task has no page %q; it has %s", part.Page, namesOf(task.Pages))
		case 1:
			pages = append(pages, fitting[0])
		default:
			return nil, fmt.Errorf("the task has several pages %q; it has %s", part.Page, namesOf(task.Pages))
		}
	}
	return pages, nil
}

// namesOf are the names of pages, for a sentence.
func namesOf(pages []schema.Page) string {
	const most = 20
	var names []string
	for _, p := range pages[:min(len(pages), most)] {
		names = append(names, p.Name)
	}
	if len(pages) > most {
		names = append(names, "…")
	}
	return strings.Join(names, ", ")
}

// editPage changes the texts of a page that are wanted otherwise; it returns how many.
func (e *editing) editPage(ctx context.Context, api *client.Client, p schema.Page) (schema.Page, int, error) {
	page, err := api.Page(ctx, e.task, p.Index)
	if err != nil {
		return page, 0, err
	}
	part, _ := e.wanted.Find(p.Name)
	readings := make([]script.Reading, len(page.Texts))
	for i, t := range page.Texts {
		readings[i] = script.Reading{Index: t.Index, Text: t.Source}
	}
	var edits []schema.EditedRegion
	matched := 0
	for i, place := range part.Match(readings) {
		if place < 0 {
			continue
		}
		matched++
		if text := strings.TrimSpace(part.Regions[place].Translation); text != page.Texts[i].Translation {
			edits = append(edits, schema.EditedRegion{Index: page.Texts[i].Index, Translation: text})
		}
	}
	if matched < len(part.Regions) {
		return page, 0, core.Errorf(core.CodeInvalidInput, "%d of the texts are of no region: the page has %s, numbered from 0",
			len(part.Regions)-matched, count(len(page.Texts), "region"))
	}
	failed := page.Edit != nil && page.Edit.Failure != nil
	if len(edits) == 0 && !failed {
		return page, 0, nil
	}
	if len(edits) == 0 { // what could not be shown is tried again
		edits = []schema.EditedRegion{{Index: page.Texts[0].Index, Translation: page.Texts[0].Translation}}
	}
	page, err = api.Edit(ctx, e.task, p.Index, edits)
	return page, len(edits), err
}

// untilShown waits until the image of a page shows its edits. It fails with the reason why it does not.
func untilShown(ctx context.Context, api *client.Client, task string, page schema.Page) error {
	tick := time.NewTicker(100 * time.Millisecond)
	defer tick.Stop()
	for page.Edit != nil && page.Edit.Status == core.StatusRunning {
		select {
		case <-ctx.Done():
			return context.Cause(ctx)
		case <-tick.C:
		}
		current, err := api.Page(ctx, task, page.Index)
		switch {
		case err == nil:
			page = current
		case core.CodeOf(err) != core.CodeUnavailable: // a distant server may restart; the edit is not lost by that
			return err
		}
	}
	if page.Edit != nil && page.Edit.Failure != nil {
		return core.NewError(page.Edit.Failure.Code, page.Edit.Failure.Message)
	}
	return nil
}
