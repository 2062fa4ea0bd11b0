package api

import (
	"crypto/sha256"
	"fmt"
	"io"
	"mime"
	"net/http"
	"strings"

	"github.com/labstack/echo/v4"

	"plait/api/schema"
	"plait/internal/core"
	"plait/internal/translate/script"
	"plait/tasks"
)

// createBlob stores the request's body, to be named later by a request for a translation.
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

// fetchBlobs brings the blobs that a JSON request names into a spool, as if they had been uploaded with it. A tenant can
// name only what it has uploaded: the name of a blob is no permission to read it.
func (s *Server) fetchBlobs(c echo.Context, body schema.CreateTask) (_ *spool, err error) {
	in := newSpool(s.Config.MaxBody)
	defer func() {
		if err != nil {
			in.Close()
		}
	}()
	fetched := map[core.BlobRef]tasks.Upload{}
	for i, f := range body.Files {
		if f.Name == "" {
			return nil, core.Errorf(core.CodeInvalidInput, "files[%d].name is missing", i)
		}
		if known, found := fetched[f.Blob]; found {
			in.files = append(in.files, tasks.Upload{Name: f.Name, File: known.File, Size: known.Size})
			continue
		}
		err := s.fetchBlob(c, fmt.Sprintf("files[%d].blob", i), f.Blob, func(r io.Reader) error { return in.add(f.Name, r) })
		if err != nil {
			return nil, err
		}
		fetched[f.Blob] = in.files[len(in.files)-1]
	}
	if body.Script == "" {
		return in, nil
	}
	return in, s.fetchBlob(c, schema.FieldScript, body.Script, func(r io.Reader) (err error) {
		in.script, err = readBounded(r, script.MaxBytes, "the script")
		return err
	})
}

// fetchBlob reads a blob that the field names.
func (s *Server) fetchBlob(c echo.Context, field string, name core.BlobRef, take func(io.Reader) error) error {
	if name == "" {
		return core.Errorf(core.CodeInvalidInput, "%s is missing", field)
	}
	ref, err := core.ParseBlobRef(string(name))
	if err != nil {
		return core.Errorf(core.CodeInvalidInput, "%s: %s", field, core.PublicMessage(err))
	}
	r, err := s.Tasks.OpenUpload(c.Request().Context(), tenantOf(c), ref)
	if core.CodeOf(err) == core.CodeBlobMissing {
		return core.Errorf(core.CodeInvalidInput, "%s: there is no upload %s, or it has expired", field, ref)
	}
	if err != nil {
		return err
	}
	err = take(storeReader{r})
	_ = r.Close() // it was only read
	return err
}

// storeReader tells a fault of the blob store from one of the request's body.
type storeReader struct{ io.Reader }

func (r storeReader) Read(p []byte) (int, error) {
	n, err := r.Reader.Read(p)
	if err != nil && err != io.EOF { //nolint:errorlint // a reader's end is the bare io.EOF
		err = unavailable(err, "an upload cannot be read")
	}
	return n, err
}
