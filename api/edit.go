package api

import (
	"mime"
	"net/http"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/labstack/echo/v4"

	"plait/api/schema"
	"plait/internal/core"
	"plait/internal/records"
	comicrecords "plait/internal/records/comic"
)

const (
	// maxEdit of a request is in bytes: some thousand bubbles.
	maxEdit = 256 << 10
	// maxTranslation is in characters: ten of the longest captions that pages have.
	maxTranslation = 5000
)

// editRegions changes translations of a page. It answers 202 once the edit is durable and the page to be rendered again,
// and 200 when the page says all of this already.
func (s *Server) editRegions(c echo.Context) error {
	if !isJSONRequest(c) {
		return withStatus(http.StatusUnsupportedMediaType,
			core.NewError(core.CodeInvalidInput, "the content type is not application/json in UTF-8"))
	}
	t, err := s.task(c)
	if err != nil {
		return err
	}
	index, err := pageIndex(c, t.TotalCount)
	if err != nil {
		return err
	}
	translations, err := readEdit(c)
	if err != nil {
		return err
	}
	author := c.Get(contextKey).(records.Key).Name
	p, err := s.Tasks.Edit(c.Request().Context(), t, index, author, translations)
	if err != nil {
		return err
	}
	v, err := s.viewTexts(c, p)
	if err != nil {
		return err
	}
	if p.Edit.Pending() {
		return c.JSON(http.StatusAccepted, v)
	}
	return c.JSON(http.StatusOK, v)
}

// isJSONRequest reports whether the body is JSON in UTF-8, by its content type.
func isJSONRequest(c echo.Context) bool {
	kind, params, err := mime.ParseMediaType(c.Request().Header.Get(echo.HeaderContentType))
	charset := params["charset"]
	return err == nil && kind == echo.MIMEApplicationJSON && (charset == "" || strings.EqualFold(charset, "utf-8"))
}

func readEdit(c echo.Context) ([]core.Translation, error) {
	// Pointers tell what is missing from what is 0 or empty: an empty translation brings the original lettering back.
	var body struct {
		Regions []struct {
			Index       *int    `json:"region_index"`
			Translation *string `json:"translation"`
		} `json:"regions"`
	}
	if err := decodeJSON(c.Request().Body, maxEdit, &body); err != nil {
		return nil, err
	}
	if len(body.Regions) == 0 {
		return nil, core.NewError(core.CodeInvalidInput, "field regions is missing or empty")
	}
	seen := map[int]bool{}
	translations := make([]core.Translation, len(body.Regions))
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
		case utf8.RuneCountInString(*r.Translation) > maxTranslation:
			return nil, core.Errorf(core.CodeInvalidInput, "the translation of region_index %d has more than %d characters", *r.Index, maxTranslation)
		}
		seen[*r.Index] = true
		translations[i] = core.Translation{Index: *r.Index, Text: strings.TrimSpace(*r.Translation)}
	}
	return translations, nil
}

func viewEdit(e *comicrecords.PageEdit) *schema.Edit {
	if e == nil {
		return nil
	}
	v := &schema.Edit{Status: core.StatusSuccess, EditedAt: e.At, Failure: viewFailure(e.Failure)}
	switch {
	case e.Failure != nil:
		v.Status = core.StatusError
	case e.Pending():
		v.Status = core.StatusRunning
	}
	return v
}
