package api

import (
	"bufio"
	"crypto/sha256"
	"fmt"
	"io"
	"mime"
	"net/http"
	"regexp"
	"strings"

	"github.com/labstack/echo/v4"

	"plait/api/schema"
	"plait/internal/core"
	"plait/tasks"
)

// createBlob stores the request's body, the file at the URL that it names, or that of the parts that it names, as a blob that a later request
// for a task can name.
func (s *Server) createBlob(c echo.Context) error {
	kind, _, _ := mime.ParseMediaType(c.Request().Header.Get(echo.HeaderContentType))
	if strings.HasPrefix(kind, "multipart/") {
		return withStatus(http.StatusUnsupportedMediaType, core.NewError(core.CodeInvalidInput, "the body of a blob is the file itself, not a form"))
	}
	in := newSpool(s.maxBody(c))
	defer in.Close()
	body := bufio.NewReaderSize(c.Request().Body, sniffBytes)
	take := s.takeBody
	if isJSONRequest(c) {
		switch firstField(body) {
		case schema.FieldURL:
			take = s.takeURL
		case schema.FieldParts:
			take = s.takeParts
		}
	}
	file, err := take(c, in, body)
	if err != nil {
		return err
	}
	if err := s.Tasks.KeepUpload(c.Request().Context(), tenantOf(c), file.Ref, in.files[0]); err != nil {
		return err
	}
	return c.JSON(http.StatusCreated, schema.Blob{Blob: file.Ref, Size: file.Size})
}

// takeBody spools the body.
func (s *Server) takeBody(_ echo.Context, in *spool, body io.Reader) (tasks.Content, error) {
	sum := sha256.New()
	if err := in.add("the body", io.TeeReader(body, sum)); err != nil {
		return tasks.Content{}, err
	}
	file := in.files[0].Content()
	if file.Size == 0 {
		return file, core.NewError(core.CodeInvalidInput, "the body is empty")
	}
	file.Ref = core.NewBlobRef([sha256.Size]byte(sum.Sum(nil)))
	return file, nil
}

// namedFirst matches a JSON object whose first field is url or parts. Any other JSON is a file, such as a script.
var namedFirst = regexp.MustCompile(`^[ \t\r\n]*\{[ \t\r\n]*"(` + schema.FieldURL + `|` + schema.FieldParts + `)"[ \t\r\n]*:`)

// firstField returns url or parts when a JSON body names its file so, by its beginning.
func firstField(body *bufio.Reader) string {
	head, _ := body.Peek(sniffBytes) // the error comes again when the body is read
	if found := namedFirst.FindSubmatch(head); found != nil {
		return string(found[1])
	}
	return ""
}

const (
	// maxFetchBlob is in bytes: enough for a URL with all its characters escaped.
	maxFetchBlob = 64 << 10
	// maxJoinBlobs is in bytes: enough for the names of 3,000 parts.
	maxJoinBlobs = 256 << 10
)

// takeURL spools the file at the URL that the body names.
func (s *Server) takeURL(c echo.Context, in *spool, body io.Reader) (tasks.Content, error) {
	var request schema.FetchBlob
	if err := decodeJSON(body, maxFetchBlob, &request); err != nil {
		return tasks.Content{}, err
	}
	if err := s.addRemoteFile(in, schema.FieldURL, request.URL, ""); err != nil {
		return tasks.Content{}, err
	}
	if err := s.fetchRemotes(c, in); err != nil {
		return tasks.Content{}, err
	}
	file := in.files[0].Content()
	if file.Size == 0 {
		return file, core.NewError(core.CodeInvalidInput, schema.FieldURL+": the file is empty")
	}
	return file, file.Identify(c.Request().Context())
}

// takeParts spools the uploads that the body names, one after the other, as one file.
func (s *Server) takeParts(c echo.Context, in *spool, body io.Reader) (tasks.Content, error) {
	var request schema.JoinBlobs
	if err := decodeJSON(body, maxJoinBlobs, &request); err != nil {
		return tasks.Content{}, err
	}
	if len(request.Parts) == 0 {
		return tasks.Content{}, core.NewError(core.CodeInvalidInput, schema.FieldParts+" is empty")
	}
	for i, part := range request.Parts {
		field := fmt.Sprintf("%s[%d]", schema.FieldParts, i)
		if err := s.readUpload(c, field, part, func(content io.Reader) error { return in.add(field, content) }); err != nil {
			return tasks.Content{}, err
		}
	}
	in.join()
	file := in.files[0].Content()
	return file, file.Identify(c.Request().Context())
}
