package api

import (
	"errors"
	"io"
	"mime"
	"mime/multipart"
	"net/http"

	"plait/api/schema"
	"plait/internal/core"
	"plait/internal/fetch"
)

// maxEpilogue is in bytes. RFC 2046 allows ignorable text after the end of a form.
const maxEpilogue = 4 << 10

// readMultipart reads a request that is a form, with files of most bytes in total. Unknown and repeated fields are refused: a misspelled one must not be ignored.
func (s *Server) readMultipart(req *http.Request, k Kind, most int64) (_ Input, _ *spool, err error) {
	form, err := req.MultipartReader()
	if err != nil {
		return Input{}, nil, core.Wrap(core.CodeInvalidInput, err, "the multipart form cannot be read: its boundary is missing")
	}
	in := newSpool(most)
	defer func() {
		if err != nil {
			in.Close()
		}
	}()
	for {
		part, err := form.NextRawPart()
		if err == io.EOF { // a form without its end gives a wrapped io.EOF
			if err := readEpilogue(req.Body); err != nil {
				return Input{}, nil, err
			}
			input, err := inputOf(in)
			return input, in, err
		}
		if err != nil {
			return Input{}, nil, badBody(err, "the multipart form is broken, or did not arrive whole")
		}
		if err := s.readPart(in, k, part); err != nil {
			return Input{}, nil, err
		}
	}
}

// readEpilogue reads the body to its end, because only then has the whole request arrived.
func readEpilogue(body io.Reader) error {
	n, err := io.CopyN(io.Discard, body, maxEpilogue+1)
	switch {
	case n > maxEpilogue:
		return core.NewError(core.CodeInvalidInput, "more follows the end of the multipart form")
	case errors.Is(err, io.EOF):
		return nil
	default:
		return badBody(err, "the request did not arrive whole")
	}
}

func (s *Server) readPart(in *spool, k Kind, part *multipart.Part) error {
	if part.FormName() == schema.FieldFile {
		return s.readFile(in, part)
	}
	if of, found := k.urlField(part.FormName()); found {
		b, err := readBounded(part, fetch.MaxURL, "field "+part.FormName())
		if err != nil {
			return err
		}
		return s.addRemote(in, of, part.FormName(), string(b))
	}
	field, err := k.field(part.FormName())
	if err != nil {
		return err
	}
	if in.has(field.Name) {
		return core.Errorf(core.CodeInvalidInput, "field %s is given twice", field.Name)
	}
	b, err := readBounded(part, field.maxBytes(), "field "+field.Name)
	if err != nil {
		return err
	}
	in.put(field, b)
	return nil
}

func (s *Server) readFile(in *spool, part *multipart.Part) error {
	// Part.FileName keeps only the last element of the path, but folders distinguish files of the same name.
	_, params, err := mime.ParseMediaType(part.Header.Get("Content-Disposition"))
	if err != nil || params["filename"] == "" {
		return core.NewError(core.CodeInvalidInput, "a file has no name: each part "+schema.FieldFile+" needs a filename")
	}
	if err := s.checkCount(in, 1); err != nil {
		return err
	}
	return in.add(params["filename"], part)
}
