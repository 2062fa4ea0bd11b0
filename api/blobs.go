package api

import (
	"crypto/sha256"
	"io"
	"mime"
	"net/http"
	"strings"

	"github.com/labstack/echo/v4"

	"plait/api/schema"
	"plait/internal/core"
)

// createBlob stores the request's body as a blob that a later request for a task can name.
func (s *Server) createBlob(c echo.Context) error {
	kind, _, _ := mime.ParseMediaType(c.Request().Header.Get(echo.HeaderContentType))
	if strings.HasPrefix(kind, "multipart/") {
		return withStatus(http.StatusUnsupportedMediaType, core.NewError(core.CodeInvalidInput, "the body of a blob is the file itself, not a form"))
	}
	in := newSpool(s.Config.MaxBody)
	defer in.Close()
	sum := sha256.New()
	if err := in.add("the body", io.TeeReader(c.Request().Body, sum)); err != nil {
		return err
	}
	file := in.files[0]
	if file.Size == 0 {
		return core.NewError(core.CodeInvalidInput, "the body is empty")
	}
	ref := core.NewBlobRef([sha256.Size]byte(sum.Sum(nil)))
	if err := s.Tasks.KeepUpload(c.Request().Context(), tenantOf(c), ref, file); err != nil {
		return err
	}
	return c.JSON(http.StatusCreated, schema.Blob{Blob: ref, Size: file.Size})
}
