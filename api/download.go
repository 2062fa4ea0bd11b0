package api

import (
	"bufio"
	"errors"
	"io"
	"mime"
	"net/http"
	"path"
	"strconv"
	"strings"

	"github.com/labstack/echo/v4"

	"plait/internal/core"
	"plait/internal/records"
)

// The header by which downloads, which are always sent whole, tell clients that they cannot continue a partial one.
const (
	headerAcceptRanges = "Accept-Ranges"
	noRanges           = "none"
)

// sendBlob sends a blob of an item. The content type is detected from the bytes; anything but known media is sent as plain bytes.
func (s *Server) sendBlob(c echo.Context, ref core.BlobRef, name string) error {
	h := c.Response().Header()
	etag := `"` + ref.Hex() + `"`
	h.Set("ETag", etag)
	h.Set(echo.HeaderCacheControl, "private, no-cache") // the client may cache it, and must revalidate with its key
	if matches(c.Request().Header.Values("If-None-Match"), etag) {
		return c.NoContent(http.StatusNotModified)
	}
	r, size, err := s.Blobs.Open(c.Request().Context(), ref)
	if err != nil {
		return err
	}
	defer func() { _ = r.Close() }() // read-only
	head := bufio.NewReaderSize(r, sniffBytes)
	first, err := head.Peek(sniffBytes)
	switch {
	case core.CodeOf(err) == core.CodeBlobCorrupt:
		return err
	case err != nil && !errors.Is(err, io.EOF):
		return unavailable(err, "the file cannot be read")
	}
	h.Set(echo.HeaderContentLength, strconv.FormatInt(size, 10))
	h.Set(echo.HeaderContentDisposition, disposition("inline", path.Base(name)))
	h.Set(echo.HeaderContentType, mediaType(first))
	h.Set(headerAcceptRanges, noRanges)
	c.Response().WriteHeader(http.StatusOK)
	if c.Request().Method == http.MethodHead {
		return nil
	}
	_, err = io.Copy(c.Response(), head)
	return err
}

// matches reports whether an If-None-Match header matches, by weak comparison (RFC 9110, 13.1.2).
func matches(conditions []string, etag string) bool {
	for condition := range strings.SplitSeq(strings.Join(conditions, ","), ",") {
		condition = strings.TrimSpace(condition)
		if condition == "*" || strings.TrimPrefix(condition, "W/") == etag {
			return true
		}
	}
	return false
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
	title := strings.Map(func(r rune) rune {
		if strings.ContainsRune(`/\:*?"<>|`, r) || r < ' ' || r == 0x7f {
			return '_'
		}
		return r
	}, t.Title)
	if strings.Trim(title, "._ ") == "" {
		title = t.ID
	}
	return strings.TrimSuffix(title+"."+suffix, ".")
}
