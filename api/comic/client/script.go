package comicclient

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"plait/api/client"
	comicschema "plait/api/comic/schema"
	"plait/api/schema"
	"plait/internal/core"
	"plait/internal/translate/script"
)

// EditEvents receives the progress of the edits of a script.
type EditEvents struct {
	// Asked is called when texts of a page have been changed and the page is queued for rendering.
	Asked func(page string, texts int)
	// Ended is called when the image of a page shows its edits, or with the error that prevented it. If it returns an error, EditScript
	// stops.
	Ended func(page string, texts int, err error) error
}

// EditScript changes every text of a task that differs from the script, and waits until the images show the edits. It returns the number
// of pages in the script. A page that fails does not affect the others.
func (c Client) EditScript(ctx context.Context, id string, wanted *script.File, tell EditEvents) (pages int, err error) {
	task, err := c.Task(ctx, id)
	if err != nil {
		return 0, err
	}
	parts, err := matchPages(task, wanted)
	if err != nil {
		return 0, err
	}
	type edited struct {
		comicschema.Page
		texts int
	}
	var asked []edited
	for _, p := range parts {
		page, texts, err := c.editPage(ctx, id, p.index, p.part)
		switch {
		case err != nil:
			if err := tell.Ended(p.name, 0, err); err != nil {
				return len(parts), err
			}
		case texts > 0:
			tell.Asked(page.Name, texts)
			asked = append(asked, edited{page, texts})
		}
	}
	for _, p := range asked {
		if err := tell.Ended(p.Name, p.texts, c.awaitEdit(ctx, id, p.Page)); err != nil {
			return len(parts), err
		}
	}
	return len(parts), nil
}

// scriptPage is a page of a task with its part of the script.
type scriptPage struct {
	index int
	name  string
	part  *script.Page
}

// matchPages finds the pages of a script in a task. When pages in different folders share a file name, the name matches the page without a
// folder.
func matchPages(task schema.Task, wanted *script.File) ([]scriptPage, error) {
	found := map[*script.Page][]schema.Item{}
	for _, p := range task.Items {
		if part, ok := wanted.Find(p.Name); ok {
			found[part] = append(found[part], p)
		}
	}
	var pages []scriptPage
	for i := range wanted.Pages {
		part := &wanted.Pages[i]
		fitting := found[part]
		if exact := slices.IndexFunc(fitting, func(p schema.Item) bool { return p.Name == part.Page }); exact >= 0 {
			fitting = fitting[exact : exact+1]
		}
		switch len(fitting) {
		case 0:
			return nil, fmt.Errorf("the task has no page %q; it has %s", part.Page, namesOf(task.Items))
		case 1:
			pages = append(pages, scriptPage{fitting[0].Index, fitting[0].Name, part})
		default:
			return nil, fmt.Errorf("the task has several pages %q; it has %s", part.Page, namesOf(task.Items))
		}
	}
	return pages, nil
}

// namesOf lists the names of pages, for a sentence.
func namesOf(pages []schema.Item) string {
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

// editPage changes the texts of a page that differ from the script and returns their number.
func (c Client) editPage(ctx context.Context, id string, index int, part *script.Page) (comicschema.Page, int, error) {
	page, err := c.Page(ctx, id, index)
	if err != nil {
		return page, 0, err
	}
	readings := make([]script.Reading, len(page.Texts))
	for i, t := range page.Texts {
		readings[i] = script.Reading{Index: t.Index, Text: t.Source}
	}
	var edits []comicschema.EditedRegion
	matched := 0
	for i, place := range part.Match(readings) {
		if place < 0 {
			continue
		}
		matched++
		if text := strings.TrimSpace(part.Regions[place].Translation); text != page.Texts[i].Translation {
			edits = append(edits, translationOf(page.Texts[i].Index, text))
		}
	}
	if matched < len(part.Regions) {
		return page, 0, core.Errorf(core.CodeInvalidInput, "%d of the texts are of no region: regions of the page, numbered from 0: %d",
			len(part.Regions)-matched, len(page.Texts))
	}
	failed := page.Edit != nil && page.Edit.Failure != nil
	if len(edits) == 0 && !failed {
		return page, 0, nil
	}
	if len(edits) == 0 { // try a failed edit again
		edits = []comicschema.EditedRegion{translationOf(page.Texts[0].Index, page.Texts[0].Translation)}
	}
	page, err = c.Edit(ctx, id, index, edits)
	return page, len(edits), err
}

// awaitEdit waits until the image of a page shows its edits. It fails with the error of the edit.
func (c Client) awaitEdit(ctx context.Context, id string, page comicschema.Page) error {
	page, err := client.Poll(ctx, 100*time.Millisecond, func() (comicschema.Page, bool, error) {
		current, err := c.Page(ctx, id, page.Index)
		return current, current.Edit == nil || current.Edit.Status != core.StatusRunning, err
	})
	if err == nil && page.Edit != nil && page.Edit.Failure != nil {
		return core.NewError(page.Edit.Failure.Code, page.Edit.Failure.Message)
	}
	return err
}

func translationOf(index int, text string) comicschema.EditedRegion {
	return comicschema.EditedRegion{Index: index, RegionChange: comicschema.RegionChange{Translation: &text}}
}
