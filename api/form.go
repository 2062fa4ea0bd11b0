package api

import (
	"errors"
	"io"
	"mime"
	"mime/multipart"
	"net/http"

	"plait/api/schema"
	"plait/internal/core"
	"plait/internal/translate/glossary"
	"plait/internal/translate/script"
	comictasks "plait/tasks/comic"
)

const (
	// maxField is in bytes, of a field that is not a file: the longest is a synopsis.
	maxField = 4 * comictasks.MaxSynopsisRunes
	// maxEpilogue is in bytes: RFC 2046 lets anything follow the end of a form, and has it ignored.
	maxEpilogue = 4 << 10
)

// readForm reads a multipart request. Unknown and double fields are refused: a misspelled one must not be ignored.
func (s *Server) readForm(req *http.Request) (_ *spool, err error) {
	form, err := req.MultipartReader()
	if err != nil {
		return nil, core.Wrap(core.CodeInvalidInput, err, "the multipart form cannot be read: its boundary is missing")
	}
	in := newSpool(s.Config.MaxBody)
	defer func() {
		if err != nil {
			in.Close()
		}
	}()
	for {
		part, err := form.NextRawPart()
		if err == io.EOF { // a form without its end gives one that is wrapped
			return in, readEpilogue(req.Body)
		}
		if err != nil {
			return nil, badBody(err, "the multipart form is broken, or did not arrive whole")
		}
		if err := s.readPart(in, part); err != nil {
			return nil, err
		}
	}
}

// readEpilogue reads the body to its end: only then is it known that the client sent all it meant to.
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

func (s *Server) readPart(in *spool, part *multipart.Part) error {
	name := part.FormName()
	switch name {
	case schema.FieldFrom, schema.FieldTo, schema.FieldMode, schema.FieldTitle, schema.FieldTranslator, schema.FieldSynopsis, schema.FieldPriority:
		if _, double := in.fields[name]; double {
			return core.Errorf(core.CodeInvalidInput, "field %s is given twice", name)
		}
		b, err := readBounded(part, maxField, "field "+name)
		in.fields[name] = string(b)
		return err
	case schema.FieldScript:
		if in.script != nil {
			return core.Errorf(core.CodeInvalidInput, "field %s is given twice", name)
		}
		b, err := readBounded(part, script.MaxBytes, "the script")
		in.script = b
		return err
	case schema.FieldGlossary:
		if in.glossary != nil {
			return core.Errorf(core.CodeInvalidInput, "field %s is given twice", name)
		}
		b, err := readBounded(part, glossary.MaxBytes, "the glossary")
		if err != nil {
			return err
		}
		in.glossary, err = glossary.Parse(b)
		return err
	case schema.FieldFile:
		return s.readFile(in, part)
	default:
		return core.Errorf(core.CodeInvalidInput, "field %q is not known", clip(name))
	}
}

func (s *Server) readFile(in *spool, part *multipart.Part) error {
	// Part.FileName keeps the last element only; pages of a folder are told apart by their folders.
	_, params, err := mime.ParseMediaType(part.Header.Get("Content-Disposition"))
	if err != nil || params["filename"] == "" {
		return core.NewError(core.CodeInvalidInput, "a file has no name: each part "+schema.FieldFile+" needs a filename")
	}
	if len(in.files) >= s.Config.MaxPages {
		return core.Errorf(core.CodeTooLarge, "more than %d files", s.Config.MaxPages)
	}
	return in.add(params["filename"], part)
}
