package api

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"net/http"
	"slices"
	"strings"

	"github.com/labstack/echo/v4"

	"plait/api/schema"
	"plait/internal/core"
)

// remote is a file that a request names by URL.
type remote struct {
	// field is the place of the URL in the request, such as url[0], for messages.
	field string
	url   string
	// name is the file name that the request gave; it may be empty.
	name string
	// into is the field whose content the file is; nil for a file of the task.
	into *Field
}

// urlField returns the field whose content the URL in a field of that name gives: nil for a file of the task.
func (k Kind) urlField(name string) (*Field, bool) {
	if name == schema.FieldURL {
		return nil, true
	}
	base, found := strings.CutSuffix(name, schema.SuffixURL)
	i := slices.IndexFunc(k.Fields, func(f Field) bool { return f.Name == base && !f.Type.short() })
	if !found || i < 0 {
		return nil, false
	}
	return &k.Fields[i], true
}

// addRemote notes the URL in a field of that name; of is as urlField returned it.
func (s *Server) addRemote(in *spool, of *Field, name, url string) error {
	if of == nil {
		return s.addRemoteFile(in, fmt.Sprintf("%s[%d]", name, in.remoteFiles()), url, "")
	}
	if in.has(of.Name) {
		return core.Errorf(core.CodeInvalidInput, "field %s is given twice", of.Name)
	}
	if err := s.checkURL(name, url); err != nil {
		return err
	}
	in.remotes = append(in.remotes, remote{field: name, url: url, into: of})
	return nil
}

func (s *Server) addRemoteFile(in *spool, field, url, name string) error {
	if err := s.checkCount(in, 1); err != nil {
		return err
	}
	if err := s.checkURL(field, url); err != nil {
		return err
	}
	in.remotes = append(in.remotes, remote{field: field, url: url, name: name})
	return nil
}

// checkURL refuses what cannot be fetched before anything is.
func (s *Server) checkURL(field, url string) error {
	switch {
	case s.Fetch == nil:
		return core.Errorf(core.CodeInvalidInput, "%s: this server fetches no files by URL", field)
	case url == "":
		return core.Errorf(core.CodeInvalidInput, "%s is empty", field)
	}
	return inField(field, s.Fetch.Check(url))
}

// remoteFiles is the number of files of the task that are still to be fetched.
func (s *spool) remoteFiles() (n int) {
	for _, r := range s.remotes {
		if r.into == nil {
			n++
		}
	}
	return n
}

// checkCount refuses n further files beyond MaxPages.
func (s *Server) checkCount(in *spool, n int) error {
	if len(in.files)+in.remoteFiles()+n > s.Config.MaxPages {
		return core.Errorf(core.CodeTooLarge, "more than %d files", s.Config.MaxPages)
	}
	return nil
}

// fetchRemotes fetches the files that the request names by URL, one after the other, as if they had been uploaded with it.
func (s *Server) fetchRemotes(c echo.Context, in *spool) error {
	first := len(in.files)
	for _, r := range in.remotes {
		if err := s.checkSpace(); err != nil {
			return err
		}
		if err := s.fetchRemote(c.Request().Context(), in, r); err != nil {
			s.Log.Debug("a file was not fetched", "request_id", requestIDOf(c), "error", err)
			return err
		}
	}
	return nameFiles(in, first)
}

func (s *Server) fetchRemote(ctx context.Context, in *spool, r remote) error {
	most := in.most - in.size
	if r.into != nil {
		most = r.into.maxBytes()
	}
	content, err := s.Fetch.Open(ctx, r.url, most)
	if err == nil {
		if r.into == nil {
			err = in.add(r.field, content)
		} else {
			var b []byte
			b, err = readBounded(content, most, r.field)
			in.put(*r.into, b)
		}
		_ = content.Close() // read-only
	}
	if err != nil && ctx.Err() != nil {
		return withStatus(http.StatusRequestTimeout,
			core.Wrap(core.CodeInvalidInput, err, r.field+": the file did not arrive within the time of the request"))
	}
	return inField(r.field, err)
}

// inField adds the name of a field to the message of an error that the client caused.
func inField(field string, err error) error {
	switch code := core.CodeOf(err); code {
	case core.CodeInvalidInput, core.CodeTooLarge:
		return core.Wrap(code, err, field+": "+core.PublicMessage(err))
	default:
		return err
	}
}

// hash identifies a request that names files by URL, with all that distinguishes it from another one but title and priority, which are not
// among the texts any more, and secrets. It covers the URLs and not what they lead to, so that a repetition is known before anything is fetched.
func (s *spool) hash(k Kind, callback string) (string, error) {
	type file struct{ Field, Name, Content string }
	type request struct {
		Kind     core.Kind
		Texts    map[string]string
		Contents map[string]string
		Files    []file
		URLs     []file
		Callback string
	}
	r := request{Kind: k.Name, Callback: callback, Texts: maps.Clone(s.texts), Contents: map[string]string{}}
	for _, f := range k.Fields {
		if f.Secret {
			delete(r.Texts, f.Name)
		}
	}
	for name, content := range s.contents {
		sum := sha256.Sum256(content)
		r.Contents[name] = hex.EncodeToString(sum[:])
	}
	for _, f := range s.files {
		sum := sha256.New()
		if _, err := io.Copy(sum, io.NewSectionReader(f.File, 0, f.Size)); err != nil {
			return "", core.Wrap(core.CodeUnavailable, err, "the upload cannot be read")
		}
		r.Files = append(r.Files, file{Name: f.Name, Content: hex.EncodeToString(sum.Sum(nil))})
	}
	for _, remote := range s.remotes {
		f := file{Name: remote.name, Content: remote.url}
		if remote.into != nil {
			f.Field = remote.into.Name
		}
		r.URLs = append(r.URLs, f)
	}
	b, err := json.Marshal(r)
	if err != nil {
		return "", fmt.Errorf("describe the request: %w", err)
	}
	sum := sha256.Sum256(b)
	return hex.EncodeToString(sum[:]), nil
}
