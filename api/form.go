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

const (
	// maxEpilogue is in bytes. RFC 2046 allows ignorable text after the end of a form.
	maxEpilogue = 4 << 10
	// maxPartHead bounds the headers of a part, in bytes, with what is between it and the part before, and what is read ahead of them. The
	// parser keeps the headers in memory and allows them ten megabytes, of which a file name may be the most.
	maxPartHead = 32 << 10
)

// formBody bounds what a client may send between the contents of two parts.
type formBody struct {
	io.ReadCloser
	// betweenParts is true while the headers of a part are read, of which left bytes may still come.
	betweenParts bool
	left         int
}

// Read implements io.Reader.
func (b *formBody) Read(p []byte) (int, error) {
	if !b.betweenParts {
		return b.ReadCloser.Read(p)
	}
	if b.left == 0 {
		return 0, core.Errorf(core.CodeInvalidInput, "the headers of a part of the form have more than %d bytes", maxPartHead)
	}
	n, err := b.ReadCloser.Read(p[:min(len(p), b.left)])
	b.left -= n
	return n, err
}

// nextPart returns the next part of a form that is read from the body.
func (b *formBody) nextPart(form *multipart.Reader) (*multipart.Part, error) {
	b.betweenParts, b.left = true, maxPartHead
	defer func() { b.betweenParts = false }()
	return form.NextRawPart()
}

// readMultipart reads a request that is a form, with files of most bytes in total. Unknown and repeated fields are refused: a misspelled one must not be ignored.
func (s *Server) readMultipart(req *http.Request, k Kind, most int64) (_ Input, _ *spool, err error) {
	body := &formBody{ReadCloser: req.Body}
	req = req.WithContext(req.Context()) // a copy
	req.Body = body
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
		part, err := body.nextPart(form)
		if err == io.EOF { //nolint:errorlint // a form without its end gives a wrapped io.EOF
			if err := readEpilogue(req.Body); err != nil {
				return Input{}, nil, err
			}
			input, err := s.inputOf(in)
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
