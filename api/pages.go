package api

import (
	"net/http"

	"github.com/labstack/echo/v4"

	"plait/api/schema"
	"plait/internal/core"
	comicrecords "plait/internal/records/comic"
)

// page finds the page that the path names, in a task of the tenant.
func (s *Server) page(c echo.Context) (comicrecords.Page, error) {
	t, err := s.task(c)
	if err != nil {
		return comicrecords.Page{}, err
	}
	index, err := pageIndex(c, t.TotalCount)
	if err != nil {
		return comicrecords.Page{}, err
	}
	return s.chapters().Page(c.Request().Context(), t.ID, index)
}

// pageWithFiles is a page whose images are kept.
func (s *Server) pageWithFiles(c echo.Context) (comicrecords.Page, error) {
	p, err := s.page(c)
	if err == nil && p.FilesRemoved {
		err = core.Errorf(core.CodeNotFound, "the images of task %s are no longer kept", p.Ref.TaskID)
	}
	return p, err
}

// getPage is one page with its texts.
func (s *Server) getPage(c echo.Context) error {
	p, err := s.page(c)
	if err != nil {
		return err
	}
	v, err := s.viewTexts(c, p)
	if err != nil {
		return err
	}
	return c.JSON(http.StatusOK, v)
}

// viewTexts is a page with its texts.
func (s *Server) viewTexts(c echo.Context, p comicrecords.Page) (schema.Page, error) {
	v := viewPage(p.Ref.TaskID, p)
	regions, err := s.chapters().Regions(c.Request().Context(), p.Ref.TaskID, p.Ref.Index)
	for _, r := range regions {
		v.Texts = append(v.Texts, schema.Text{
			Index: r.Index, Box: r.Box, Direction: r.Direction, Source: r.Source, Translation: r.Translation, Untranslated: r.Untranslated,
			Overflow: r.Overflow, EditedBy: r.EditedBy, EditedAt: r.EditedAt,
		})
	}
	return v, err
}

func (s *Server) getPageImage(c echo.Context) error {
	p, err := s.pageWithFiles(c)
	if err != nil {
		return err
	}
	if p.Status != core.StatusSuccess {
		return core.Errorf(core.CodeConflict, "page %d has no result: it is %s", p.Ref.Index, p.Status)
	}
	return s.sendImage(c, p.Result, p.Ref.Name)
}

func (s *Server) getPageOriginal(c echo.Context) error {
	p, err := s.pageWithFiles(c)
	if err != nil {
		return err
	}
	return s.sendImage(c, p.Ref.Blob, p.Ref.Name)
}
