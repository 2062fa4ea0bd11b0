package api

import (
	"errors"
	"io"
	"net/http"

	"github.com/labstack/echo/v4"

	"plait/internal/comic"
	"plait/internal/core"
	comicrecords "plait/internal/records/comic"
	"plait/internal/translate/script"
)

// getResult streams the finished chapter as a CBZ. A page that failed is in it as it was.
func (s *Server) getResult(c echo.Context) error {
	t, err := s.task(c)
	if err != nil {
		return err
	}
	o, err := comic.ParseOptions(t.Options)
	if err != nil {
		return err
	}
	h := c.Response().Header()
	h.Set(echo.HeaderContentType, "application/vnd.comicbook+zip")
	h.Set(echo.HeaderContentDisposition, disposition("attachment", fileName(t, o.To, "cbz")))
	h.Set(headerAcceptRanges, noRanges)
	if c.Request().Method != http.MethodHead {
		return s.Tasks.WriteResult(c.Request().Context(), c.Response(), t.Tenant, t.ID)
	}
	err = s.Tasks.WriteResult(c.Request().Context(), noBody{}, t.Tenant, t.ID)
	if !errors.Is(err, errNoBody) {
		return err
	}
	c.Response().WriteHeader(http.StatusOK)
	return nil
}

var errNoBody = errors.New("the method is HEAD")

// noBody stops whoever begins to write.
type noBody struct{}

func (noBody) Write([]byte) (int, error) { return 0, errNoBody }

// getScript is the texts of a task, with the translations so far, as a script that a person can edit.
func (s *Server) getScript(c echo.Context) error {
	format, write, mime := c.QueryParam("format"), script.WriteJSON, echo.MIMEApplicationJSON
	switch format {
	case "", "json":
		format = "json"
	case "csv":
		write, mime = script.WriteCSV, "text/csv; charset=utf-8"
	default:
		return core.NewError(core.CodeInvalidInput, "format is json or csv")
	}
	t, err := s.task(c)
	if err != nil {
		return err
	}
	pages, err := s.chapters().Script(c.Request().Context(), t.ID)
	if err != nil {
		return err
	}
	o, err := comic.ParseOptions(t.Options)
	if err != nil {
		return err
	}
	h := c.Response().Header()
	h.Set(echo.HeaderContentType, mime)
	h.Set(echo.HeaderContentDisposition, disposition("attachment", fileName(t, o.To, format)))
	return writeScript(c.Response(), write, o, pages)
}

func writeScript(w io.Writer, write func(io.Writer, *script.File) error, o comic.Options, pages []comicrecords.PageScript) error {
	f := &script.File{From: o.From, To: o.To}
	for _, p := range pages {
		page := script.Page{Page: p.Name}
		for _, r := range p.Regions {
			page.Regions = append(page.Regions, script.Region{Region: &r.Index, Source: r.Source, Translation: r.Translation})
		}
		f.Pages = append(f.Pages, page)
	}
	return write(w, f)
}
