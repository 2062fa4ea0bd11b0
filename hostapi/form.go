package hostapi

import (
	"crypto/sha256"
	"encoding/json"
	"errors"
	"io"
	"mime/multipart"
	"net/http"

	"plait/internal/comic"
	"plait/internal/core"
	"plait/internal/languages"
)

// The fields of a form.
const (
	fieldImage        = "image"
	fieldSource       = "source_language"
	fieldTarget       = "target_language"
	fieldTranslations = "translated_regions"
	fieldSelected     = "selected_model"
	fieldPrimary      = "primary_model"
	fieldFallback     = "fallback_model"
	fieldFallbackUsed = "fallback_used"
	maxField          = 4 << 10
)

// form is the content of a multipart request.
type form struct {
	image []byte
	// hash is the hash of the image's bytes.
	hash    core.BlobRef
	options comic.Options
	// translations is nil when the request has none.
	translations []core.Translation
	models       models
}

// readForm reads a multipart request. Detect determines a source language that is not given.
func (s *Server) readForm(r *http.Request) (*form, error) {
	parts, err := r.MultipartReader()
	if err != nil {
		return nil, core.Wrap(core.CodeInvalidInput, err, "the request is not a multipart form")
	}
	in, fields := &form{}, make(map[string]string)
	for {
		part, err := parts.NextRawPart()
		if err == io.EOF { // a form without its end gives a wrapped io.EOF
			return in, in.take(fields)
		}
		if err != nil {
			return nil, broken(err)
		}
		if err := s.readPart(in, fields, part); err != nil {
			return nil, err
		}
	}
}

func (s *Server) readPart(in *form, fields map[string]string, part *multipart.Part) error {
	name := part.FormName()
	_, double := fields[name]
	if double || name == fieldImage && in.image != nil {
		return core.Errorf(core.CodeInvalidInput, "field %s is given twice", name)
	}
	var err error
	switch name {
	case fieldImage:
		in.image, err = readBounded(part, s.config.MaxImageBytes, name)
	case fieldTranslations:
		fields[name], err = text(part, maxTextBytes, name)
	case fieldSource, fieldTarget, fieldSelected, fieldPrimary, fieldFallback, fieldFallbackUsed:
		fields[name], err = text(part, maxField, name)
	default:
		return core.Errorf(core.CodeInvalidInput, "field %.40q is not known", name)
	}
	return err
}

func text(from io.Reader, limit int64, name string) (string, error) {
	b, err := readBounded(from, limit, name)
	return string(b), err
}

func readBounded(from io.Reader, limit int64, name string) ([]byte, error) {
	b, err := io.ReadAll(io.LimitReader(from, limit+1))
	switch {
	case err != nil:
		return nil, broken(err)
	case int64(len(b)) > limit:
		return nil, core.Errorf(core.CodeTooLarge, "field %s has more than %d bytes", name, limit)
	}
	return b, nil
}

func broken(err error) error {
	var tooLarge *http.MaxBytesError
	if errors.As(err, &tooLarge) {
		return err
	}
	return core.Wrap(core.CodeInvalidInput, err, "the form is broken, or did not arrive whole")
}

// take parses the fields.
func (f *form) take(fields map[string]string) (err error) {
	if len(f.image) == 0 {
		return core.NewError(core.CodeInvalidInput, "field "+fieldImage+" is missing")
	}
	f.hash = core.NewBlobRef(sha256.Sum256(f.image))
	f.options.From = languages.Auto
	if source := fields[fieldSource]; source != "" {
		if f.options.From, err = languages.ParseSource(tagOf(source)); err != nil {
			return err
		}
	}
	if f.options.To, err = languages.ParseTarget(tagOf(fields[fieldTarget])); err != nil {
		return err
	}
	f.options.Mode = comic.ModeUnified
	f.models = models{
		Selected: fields[fieldSelected], Primary: fields[fieldPrimary], Fallback: fields[fieldFallback],
		FallbackUsed: fields[fieldFallbackUsed] == "true" || fields[fieldFallbackUsed] == "1",
	}
	given, ok := fields[fieldTranslations]
	if !ok {
		return nil
	}
	f.translations = []core.Translation{}
	if err := json.Unmarshal([]byte(given), &f.translations); err != nil || f.translations == nil {
		return core.Wrap(core.CodeRenderInputInvalid, err, "field "+fieldTranslations+" is not a JSON array of the contract")
	}
	return nil
}

// tagOf converts the codes in the contract's examples that are not BCP 47 tags into the tags of their languages.
func tagOf(code string) string {
	switch code {
	case "CHS":
		return "zh-Hans"
	case "CHT":
		return "zh-Hant"
	default:
		return code
	}
}
