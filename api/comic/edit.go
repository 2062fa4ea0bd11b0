package comicapi

import (
	"net/http"
	"strings"
	"unicode"
	"unicode/utf8"

	"plait/api"
	"plait/internal/core"
	comicrecords "plait/internal/records/comic"
	"plait/internal/translate/script"
)

// maxEdit bounds a request in bytes: all texts of a page of small print.
const maxEdit = 1 << 20

// editRegions changes translations of a page. It answers 202 once the edit is durable, before the page is rendered again, and 200 when the
// page already has these translations.
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

func readEdit(call *api.Call) ([]comicrecords.RegionEdit, error) {
	// Pointers distinguish a missing field from one that is 0 or empty: an empty translation restores the original lettering.
	var body struct {
		Regions []struct {
			Index       *int    `json:"region_index"`
			Translation *string `json:"translation"`
			Expected    *string `json:"expected"`
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
		switch {
		case r.Index == nil:
			return nil, core.Errorf(core.CodeInvalidInput, "field regions[%d].region_index is missing", i)
		case r.Translation == nil:
			return nil, core.Errorf(core.CodeInvalidInput, "field regions[%d].translation is missing", i)
		case seen[*r.Index]:
			return nil, core.Errorf(core.CodeInvalidInput, "region_index %d is given twice", *r.Index)
		case strings.ContainsFunc(*r.Translation, func(r rune) bool { return unicode.IsControl(r) && r != '\n' && r != '\r' && r != '\t' }):
			return nil, core.Errorf(core.CodeInvalidInput, "the translation of region_index %d holds a control character", *r.Index)
		case utf8.RuneCountInString(*r.Translation) > script.MaxTranslationRunes:
			return nil, core.Errorf(core.CodeInvalidInput, "the translation of region_index %d has more than %d characters", *r.Index, script.MaxTranslationRunes)
		}
		seen[*r.Index] = true
		edits[i] = comicrecords.RegionEdit{Index: *r.Index, Text: strings.TrimSpace(*r.Translation), Expected: r.Expected}
	}
	return edits, nil
}
