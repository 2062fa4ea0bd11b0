package comicapi

import (
	"net/http"
	"strings"
	"unicode"
	"unicode/utf8"

	"plait/api"
	comicschema "plait/api/comic/schema"
	"plait/internal/core"
	comicrecords "plait/internal/records/comic"
	"plait/internal/translate/script"
)

// maxEdit bounds a request in bytes: all texts of a page of small print.
const maxEdit = 1 << 20

// editRegions changes translations of a page, and how they are lettered. It answers 202 once the edit is durable, before the page is rendered again, and 200 when the
// page is that way already.
func (c chapters) editRegions(call *api.Call) error {
	index, err := call.ItemIndex()
	if err != nil {
		return err
	}
	edits, err := readEdit(call)
	if err != nil {
		return err
	}
	p, err := c.service.Edit(call.Request().Context(), call.Task, index, call.Key.Name, edits)
	if err != nil {
		return err
	}
	status := http.StatusOK
	if p.Edit.Pending() {
		status = http.StatusAccepted
	}
	return call.AnswerItem(status, p.Item)
}

// prepare has a page prepared for its first edit. It answers 202 before that is done.
func (c chapters) prepare(call *api.Call) error {
	page, err := call.ItemIndex()
	if err != nil {
		return err
	}
	if err := c.service.Prepare(call.Request().Context(), call.Task, page); err != nil {
		return err
	}
	return call.NoContent(http.StatusAccepted)
}

func readEdit(call *api.Call) ([]comicrecords.RegionEdit, error) {
	var body struct {
		Regions []struct {
			// A pointer distinguishes a missing field from one that is 0.
			Index *int `json:"region_index"`
			comicschema.RegionChange
		} `json:"regions"`
	}
	if err := call.DecodeJSON(maxEdit, &body); err != nil {
		return nil, err
	}
	if len(body.Regions) == 0 {
		return nil, core.NewError(core.CodeInvalidInput, "field regions is missing or empty")
	}
	seen := map[int]bool{}
	edits := make([]comicrecords.RegionEdit, len(body.Regions))
	for i, r := range body.Regions {
		if r.Index == nil {
			return nil, core.Errorf(core.CodeInvalidInput, "field regions[%d].region_index is missing", i)
		}
		if seen[*r.Index] {
			return nil, core.Errorf(core.CodeInvalidInput, "region_index %d is given twice", *r.Index)
		}
		seen[*r.Index] = true
		edit, err := editOf(r.RegionChange)
		if err != nil {
			return nil, core.Errorf(core.CodeInvalidInput, "region_index %d: %s", *r.Index, core.PublicMessage(err))
		}
		edit.Index = *r.Index
		edits[i] = edit
	}
	return edits, nil
}

func editOf(r comicschema.RegionChange) (edit comicrecords.RegionEdit, err error) {
	if r.Translation == nil && r.Empty() {
		return edit, core.NewError(core.CodeInvalidInput, "nothing to change: give translation, kind, area, style, erased, deleted, place, joined_into or cut")
	}
	if err := r.Check(); err != nil {
		return edit, err
	}
	edit = comicrecords.RegionEdit{Override: r.OverrideEdit, Expected: r.Expected}
	if r.Translation == nil {
		return edit, nil
	}
	switch {
	case strings.ContainsFunc(*r.Translation, func(r rune) bool { return unicode.IsControl(r) && r != '\n' && r != '\r' && r != '\t' }):
		return edit, core.NewError(core.CodeInvalidInput, "the translation holds a control character")
	case utf8.RuneCountInString(*r.Translation) > script.MaxTranslationRunes:
		return edit, core.Errorf(core.CodeInvalidInput, "the translation has more than %d characters", script.MaxTranslationRunes)
	}
	edit.Text = new(strings.TrimSpace(*r.Translation))
	return edit, nil
}
