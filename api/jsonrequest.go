package api

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"slices"
	"strconv"

	"github.com/labstack/echo/v4"

	"plait/api/schema"
	"plait/internal/core"
	"plait/tasks"
)

// readJSON reads a request that is a JSON object, and copies the blobs that it names into a spool, as if they had been uploaded with it.
func (s *Server) readJSON(c echo.Context, k Kind) (_ Input, _ *spool, err error) {
	var body map[string]json.RawMessage
	if err := decodeJSON(c.Request().Body, maxJSON, &body); err != nil {
		return Input{}, nil, err
	}
	in := newSpool(s.maxBody(c))
	defer func() {
		if err != nil {
			in.Close()
		}
	}()
	var files []schema.UploadedFile
	for _, name := range slices.Sorted(maps.Keys(body)) {
		value := body[name]
		if string(value) == "null" {
			continue
		}
		if name == schema.FieldFiles {
			err = decodeField(name, value, &files)
		} else {
			err = s.readField(c, in, k, name, value)
		}
		if err != nil {
			return Input{}, nil, err
		}
	}
	if err := s.addFiles(c, in, files); err != nil {
		return Input{}, nil, err
	}
	input, err := s.inputOf(in)
	return input, in, err
}

func (s *Server) readField(c echo.Context, in *spool, k Kind, name string, value json.RawMessage) error {
	if of, found := k.urlField(name); found && of != nil {
		var text string
		if err := decodeField(name, value, &text); err != nil {
			return err
		}
		return s.addRemote(in, of, name, text)
	}
	field, err := k.field(name)
	if err != nil {
		return err
	}
	switch field.Type {
	case Bool:
		var b bool
		err = decodeField(name, value, &b)
		in.texts[name] = strconv.FormatBool(b)
	case Number:
		var number float64
		err = decodeField(name, value, &number)
		in.texts[name] = strconv.FormatFloat(number, 'f', -1, 64)
	case Text:
		var text string
		err = decodeField(name, value, &text)
		in.texts[name] = text
	case List:
		var list []json.RawMessage
		err = decodeField(name, value, &list)
		in.contents[name] = value
	case File:
		var ref core.BlobRef
		if err = decodeField(name, value, &ref); err == nil {
			err = s.readUpload(c, name, ref, func(r io.Reader) error {
				b, err := readBounded(r, field.maxBytes(), "field "+name)
				in.put(field, b)
				return err
			})
		}
	}
	return err
}

// decodeField decodes the value of a field of the body.
func decodeField(name string, value json.RawMessage, into any) error {
	d := json.NewDecoder(bytes.NewReader(value))
	d.DisallowUnknownFields()
	return wrongField(name, d.Decode(into))
}

// addFiles copies uploaded blobs into the spool, and notes the URLs. It reads a blob once, even if several files use it.
func (s *Server) addFiles(c echo.Context, in *spool, files []schema.UploadedFile) error {
	if err := s.checkCount(in, len(files)); err != nil {
		return err
	}
	known := map[core.BlobRef]tasks.Upload{}
	for i, f := range files {
		if f.URL != "" {
			if f.Blob != "" {
				return core.Errorf(core.CodeInvalidInput, "files[%d] has both a blob and a url", i)
			}
			if err := s.addRemoteFile(in, fmt.Sprintf("files[%d].url", i), f.URL, f.Name); err != nil {
				return err
			}
			continue
		}
		if f.Name == "" {
			return core.Errorf(core.CodeInvalidInput, "files[%d].name is missing", i)
		}
		if same, found := known[f.Blob]; found {
			in.files = append(in.files, tasks.Upload{Name: f.Name, File: same.File, Size: same.Size})
			continue
		}
		err := s.readUpload(c, fmt.Sprintf("files[%d].blob", i), f.Blob, func(r io.Reader) error { return in.add(f.Name, r) })
		if err != nil {
			return err
		}
		known[f.Blob] = in.files[len(in.files)-1]
	}
	return nil
}

// readUpload reads the blob that a field names. A tenant can name only blobs that it has uploaded: knowing the name of a blob is not
// permission to read it.
func (s *Server) readUpload(c echo.Context, field string, name core.BlobRef, take func(io.Reader) error) error {
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
	_ = r.Close() // read-only
	return err
}

// storeReader marks errors of the blob store, to distinguish them from errors of the request's body.
type storeReader struct{ io.Reader }

func (r storeReader) Read(p []byte) (int, error) {
	n, err := r.Reader.Read(p)
	if err != nil && err != io.EOF { //nolint:errorlint // a reader's end is the bare io.EOF
		err = unavailable(err, "an upload cannot be read")
	}
	return n, err
}
