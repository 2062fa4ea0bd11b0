package api

import (
	"cmp"
	"errors"
	"io"
	"mime"
	"net/http"
	"path"
	"strings"
	"time"

	"github.com/labstack/echo/v4"

	"plait/internal/archive"
	"plait/internal/blob"
	"plait/internal/core"
	"plait/internal/records"
)

// headerAcceptRanges tells clients whether they can continue a partial download.
const headerAcceptRanges = "Accept-Ranges"

// sendBlob sends a blob of an item, or the ranges of it that the request names. The content type is detected from the bytes; anything but
// known media is sent as plain bytes.
func (s *Server) sendBlob(c echo.Context, ref core.BlobRef, name string) error {
	r, _, err := s.Blobs.Open(c.Request().Context(), ref)
	if err != nil {
		return err
	}
	defer func() { _ = r.Close() }() // read-only
	first := make([]byte, sniffBytes)
	n, err := io.ReadFull(r, first)
	if err == nil || errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		_, err = r.Seek(0, io.SeekStart)
	}
	switch {
	case core.CodeOf(err) == core.CodeBlobCorrupt:
		return err
	case err != nil:
		return unavailable(err, "the file cannot be read")
	}
	contentType, disposition := mediaType(first[:n]), disposition("inline", path.Base(name))
	switch link, err := s.presigned(c, ref, contentType, disposition); {
	case err != nil:
		return err
	case link != "":
		return c.Redirect(http.StatusTemporaryRedirect, link)
	}
	h := c.Response().Header()
	h.Set("ETag", `"`+ref.Hex()+`"`)
	h.Set(echo.HeaderCacheControl, "private, no-cache") // the client may cache it, and must revalidate with its key
	h.Set(echo.HeaderContentDisposition, disposition)
	h.Set(echo.HeaderContentType, contentType)
	return serveContent(c, r)
}

// presignedLifetime is how long a client has to follow a redirect to the blob store.
const presignedLifetime = 5 * time.Minute

// presigned returns a link of the blob store for a request that came by a signed link; it is empty when the API sends the file itself.
func (s *Server) presigned(c echo.Context, ref core.BlobRef, contentType, disposition string) (string, error) {
	store, able := s.Blobs.(blob.Linker)
	if !able || !s.Config.PresignedLinks || !c.QueryParams().Has(linkSignature) || c.Request().Method != http.MethodGet {
		return "", nil
	}
	return store.Link(c.Request().Context(), ref, presignedLifetime, contentType, disposition)
}

// serveContent serves a file whose headers are set, by the conditions and ranges of the request (RFC 9110, 13 and 14).
func serveContent(c echo.Context, content io.ReadSeeker) error {
	w, r := &contentWriter{ResponseWriter: c.Response()}, &contentReader{ReadSeeker: content}
	http.ServeContent(w, c.Request(), "", time.Time{}, r)
	switch w.refused {
	case 0:
		return r.err
	case http.StatusRequestedRangeNotSatisfiable:
		return withStatus(w.refused, core.NewError(core.CodeInvalidInput, "the header Range names no part of the file"))
	case http.StatusPreconditionFailed:
		return withStatus(w.refused, core.NewError(core.CodeInvalidInput, "the file is not the one that the header If-Match names"))
	default:
		return unavailable(cmp.Or(r.err, errors.New(http.StatusText(w.refused))), "the file cannot be read")
	}
}

// contentWriter holds back the errors of [http.ServeContent], which are not in the form of the API.
type contentWriter struct {
	http.ResponseWriter
	refused int
}

func (w *contentWriter) WriteHeader(status int) {
	if status >= http.StatusBadRequest {
		w.refused = status
		return
	}
	w.ResponseWriter.WriteHeader(status)
}

func (w *contentWriter) Write(b []byte) (int, error) {
	if w.refused != 0 {
		return len(b), nil
	}
	return w.ResponseWriter.Write(b)
}

// contentReader keeps the first error of a read, which [http.ServeContent] does not return.
type contentReader struct {
	io.ReadSeeker
	err error
}

func (r *contentReader) Read(b []byte) (int, error) {
	n, err := r.ReadSeeker.Read(b)
	if err != nil && !errors.Is(err, io.EOF) {
		r.err = cmp.Or(r.err, err)
	}
	return n, err
}

// sniffBytes is how many bytes http.DetectContentType examines.
const sniffBytes = 512

// mediaType returns the type of an image, a video, a sound or a PDF, by its first bytes. Anything else, such as HTML, gets a type that
// browsers do not display.
func mediaType(first []byte) string {
	found := http.DetectContentType(first)
	family, _, _ := strings.Cut(found, "/")
	if family == "image" || family == "video" || family == "audio" || found == "application/pdf" {
		return found
	}
	return echo.MIMEOctetStream
}

// disposition is the Content-Disposition of a download; package mime quotes or encodes the name as necessary.
func disposition(kind, name string) string {
	return mime.FormatMediaType(kind, map[string]string{"filename": name})
}

// fileName is the name under which a client saves a file of the task.
func fileName(t records.Task, suffix string) string {
	return strings.TrimSuffix(archive.FileName(t.Title, t.ID)+"."+suffix, ".")
}
