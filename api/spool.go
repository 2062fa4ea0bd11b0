package api

import (
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"slices"

	"plait/internal/core"
	"plait/tasks"
)

// spool is an upload in progress: form fields in memory, and all files, one after the other, in one temporary file. The file has no name
// where the system allows that, so that it disappears however the process ends.
type spool struct {
	// most is the largest total size of the files, in bytes.
	most     int64
	texts    map[string]string
	contents map[string][]byte
	files    []tasks.Upload
	// remotes are the files that are still to be fetched.
	remotes []remote

	temp    *os.File
	size    int64
	unnamed bool
}

func newSpool(most int64) *spool {
	return &spool{most: most, texts: map[string]string{}, contents: map[string][]byte{}}
}

// has reports whether a field was stored, or is to be fetched.
func (s *spool) has(field string) bool {
	_, text := s.texts[field]
	_, content := s.contents[field]
	return text || content || slices.ContainsFunc(s.remotes, func(r remote) bool { return r.into != nil && r.into.Name == field })
}

// put stores the value of a field.
func (s *spool) put(f Field, value []byte) {
	if f.Type.short() {
		s.texts[f.Name] = string(value)
		return
	}
	s.contents[f.Name] = value
}

// Close frees the temporary file.
func (s *spool) Close() {
	if s.temp == nil {
		return
	}
	_ = s.temp.Close()
	if !s.unnamed {
		_ = os.Remove(s.temp.Name())
	}
}

func (s *spool) open() error {
	if s.temp != nil {
		return nil
	}
	f, err := os.CreateTemp("", "plait-upload-*")
	if err != nil {
		return core.Wrap(core.CodeUnavailable, err, "the upload cannot be stored")
	}
	s.temp = f
	s.unnamed = os.Remove(f.Name()) == nil
	return nil
}

// add copies r into the temporary file, as a file of the request.
func (s *spool) add(name string, r io.Reader) error {
	file, err := s.write(r, fmt.Sprintf("file %q", clip(name)))
	if err != nil {
		return err
	}
	if s.size > s.most {
		return core.Errorf(core.CodeTooLarge, "the files have more than %d bytes", s.most)
	}
	s.files = append(s.files, tasks.Upload{Name: name, File: file, Size: file.Size()})
	return nil
}

// write copies r into the temporary file, up to one byte more than there is room for.
func (s *spool) write(r io.Reader, what string) (*io.SectionReader, error) {
	if err := s.open(); err != nil {
		return nil, err
	}
	start := s.size
	n, err := io.Copy(s.temp, io.LimitReader(r, s.most-start+1))
	s.size += n
	if err != nil {
		return nil, badBody(err, what+" did not arrive whole")
	}
	return io.NewSectionReader(s.temp, start, n), nil
}

// join makes one file of all that were added, which follow each other in the temporary file.
func (s *spool) join() {
	s.files = []tasks.Upload{{Name: s.files[0].Name, File: io.NewSectionReader(s.temp, 0, s.size), Size: s.size}}
}

func readBounded(r io.Reader, most int64, what string) ([]byte, error) {
	b, err := io.ReadAll(io.LimitReader(r, most+1))
	switch {
	case err != nil:
		return nil, badBody(err, what+" did not arrive whole")
	case int64(len(b)) > most:
		return nil, core.Errorf(core.CodeTooLarge, "%s has more than %d bytes", what, most)
	}
	return b, nil
}

// badBody keeps errors that have a code, and reports any other as an error of the client.
func badBody(err error, message string) error {
	var known *core.Error
	var tooLarge *http.MaxBytesError
	var path *os.PathError
	switch {
	case errors.As(err, &known), errors.As(err, &tooLarge):
		return err
	case errors.As(err, &path): // a fault of the temporary file and not of the client
		return core.Wrap(core.CodeUnavailable, err, "the upload cannot be stored")
	case errors.Is(err, os.ErrDeadlineExceeded):
		return withStatus(http.StatusRequestTimeout, core.Wrap(core.CodeInvalidInput, err, message+": it was idle for too long"))
	default:
		return core.Wrap(core.CodeInvalidInput, err, message)
	}
}
