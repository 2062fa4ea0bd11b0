package api_test

import (
	"archive/zip"
	"bytes"
	"io"
	"mime/multipart"
	"net/http"
	"testing"

	"github.com/stretchr/testify/require"
)

// part is a part of a form; without a name it is a plain field.
type part struct {
	field, name string
	content     []byte
}

func field(name, value string) part          { return part{field: name, content: []byte(value)} }
func image(name string, content []byte) part { return part{"file", name, content} }
func scriptPart(content string) part         { return part{"script", "script.json", []byte(content)} }
func toEnglish(parts ...part) []part {
	return append([]part{field("from", "ja"), field("to", "en")}, parts...)
}

func formOf(parts []part) (io.Reader, string) {
	var b bytes.Buffer
	w := multipart.NewWriter(&b)
	for _, p := range parts {
		var to io.Writer
		var err error
		if p.name == "" {
			to, err = w.CreateFormField(p.field)
		} else {
			to, err = w.CreateFormFile(p.field, p.name)
		}
		if err == nil {
			_, err = to.Write(p.content)
		}
		if err != nil {
			panic(err) // a buffer takes everything
		}
	}
	_ = w.Close()
	return &b, w.FormDataContentType()
}

// The routes of the API that most tests use.
const (
	translations = "/v1/comic/translations"
	tasksRoute   = "/v1/tasks"
)

// post asks for a translation by a form.
func (c caller) post(parts []part, headers ...string) answer {
	c.t.Helper()
	body, kind := formOf(parts)
	return c.do(http.MethodPost, translations, body, append(headers, "Content-Type: "+kind)...)
}

func (c caller) postJSON(body string, headers ...string) answer {
	c.t.Helper()
	return c.do(http.MethodPost, translations, reader([]byte(body)), append(headers, "Content-Type: application/json")...)
}

type entry struct {
	name    string
	content []byte
}

func zipOf(tb testing.TB, entries ...entry) []byte {
	tb.Helper()
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	for _, e := range entries {
		w, err := z.Create(e.name)
		require.NoError(tb, err)
		_, err = w.Write(e.content)
		require.NoError(tb, err)
	}
	require.NoError(tb, z.Close())
	return b.Bytes()
}

func unzip(tb testing.TB, b []byte) (list []entry) {
	tb.Helper()
	z, err := zip.NewReader(bytes.NewReader(b), int64(len(b)))
	require.NoError(tb, err)
	for _, f := range z.File {
		r, err := f.Open()
		require.NoError(tb, err)
		content, err := io.ReadAll(r)
		require.NoError(tb, err)
		list = append(list, entry{f.Name, content})
	}
	return list
}
