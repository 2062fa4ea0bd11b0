package api_test

import (
	"bytes"
	"encoding/json"
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	documentschema "plait/api/document/schema"
	"plait/internal/core"
	"plait/internal/document"
	"plait/internal/document/estimate"
	"plait/internal/document/pdftest"
)

const documentTranslations = "/v1/document/translations"

// twoPages is a PDF.
func twoPages() []byte {
	b := pdftest.New()
	font := b.Helvetica()
	for range 2 {
		b.Page(pdftest.Page{Fonts: map[string]pdftest.Ref{"F": font}, Content: "BT /F 11 Tf 72 680 Td (Some words.) Tj ET"})
	}
	return b.Bytes()
}

func (c caller) postDocument(path string, file []byte, fields ...part) answer {
	c.t.Helper()
	body, kind := formOf(append([]part{field("to", "de"), {"file", "paper.pdf", file}}, fields...))
	return c.do(http.MethodPost, path, body, "Content-Type: "+kind)
}

func TestDocumentsAreAcceptedAndShown(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	c := r.caller("tenant")
	posted := c.postDocument(documentTranslations, twoPages(), field("pages", "2"), field("output", "both"), field("confidence", "0.25")).is(http.StatusAccepted)
	var task struct {
		Options documentschema.Options
		Details documentschema.TaskDetails
		Links   map[string]string
		Items   []struct{ Name string }
	}
	require.NoError(t, json.Unmarshal(c.get(posted.header.Get("Location")).is(http.StatusOK).body, &task))
	require.Equal(t, []int{2}, task.Options.Pages)
	require.Equal(t, 2, task.Options.PageCount)
	require.Equal(t, "general", task.Options.Domain)
	require.InDelta(t, 0.25, task.Options.Confidence, 0)
	require.Equal(t, "page 2", task.Items[0].Name)

	var report document.Report
	require.NoError(t, json.Unmarshal(c.get(task.Links["report"]).is(http.StatusOK).body, &report))
	require.Zero(t, report.Calls)
	r.caller("other").get(task.Links["report"]).is(http.StatusNotFound)

	var e estimate.Estimate
	require.NoError(t, json.Unmarshal(c.postDocument(documentTranslations+"/estimate", twoPages()).is(http.StatusOK).body, &e))
	require.Equal(t, 2, e.PageCount)
	require.InDelta(t, 16, e.Seconds, 1e-9)
}

func TestAPasswordOpensADocumentAndIsForgotten(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	c := r.caller("tenant")
	locked, err := pdftest.Encrypt(twoPages(), "sesame-7261", "owner")
	require.NoError(t, err)
	post := func(password string) answer {
		body, kind := formOf([]part{field("to", "de"), field("password", password), {"file", "paper.pdf", locked}})
		return c.do(http.MethodPost, documentTranslations, body, "Content-Type: "+kind, "Idempotency-Key: once")
	}
	first := post("sesame-7261").is(http.StatusAccepted)
	require.NotContains(t, string(first.body), "sesame")
	require.Equal(t, first.header.Get("Location"), post("owner").is(http.StatusOK).header.Get("Location"), "either password opens the same file")
	c.postDocument(documentTranslations+"/estimate", locked, field("password", "owner")).is(http.StatusOK)

	item, err := r.records.Item(t.Context(), strings.TrimPrefix(first.header.Get("Location"), "/v1/tasks/"), 0)
	require.NoError(t, err)
	kept, err := r.blobs.Read(t.Context(), item.Ref.Blob, 1<<20)
	require.NoError(t, err)
	pages, err := countPages(t.Context(), bytes.NewReader(kept), int64(len(kept)))
	require.NoError(t, err, "the file is kept without its encryption")
	require.Equal(t, 2, pages)
}

func TestDocumentsThatAreRefused(t *testing.T) {
	t.Parallel()
	c := newRig(t).caller("tenant")
	locked, err := pdftest.Encrypt(twoPages(), "secret", "owner")
	require.NoError(t, err)
	for _, bad := range map[string]struct {
		file   []byte
		fields []part
		code   core.Code
		what   string
	}{
		"no PDF":         {[]byte("hello"), nil, core.CodeInvalidDocument, "paper.pdf"},
		"cut":            {twoPages()[:300], nil, core.CodeInvalidDocument, "paper.pdf"},
		"locked":         {locked, nil, core.CodePassword, "needs its password"},
		"wrong password": {locked, []part{field("password", "guess")}, core.CodePassword, "does not open"},
		"long password":  {locked, []part{field("password", strings.Repeat("x", 128))}, core.CodeInvalidInput, "127"},
		"no such page":   {twoPages(), []part{field("pages", "3")}, core.CodeInvalidInput, "2 pages"},
		"no such output": {twoPages(), []part{field("output", "triple")}, core.CodeInvalidInput, "output"},
		"no such field":  {twoPages(), []part{field("sounds", "keep")}, core.CodeInvalidInput, "sounds"},
		"table threads":  {twoPages(), []part{field("table_threads", "101")}, core.CodeInvalidInput, "1 to 100"},
		"confidence":     {twoPages(), []part{field("confidence", "NaN")}, core.CodeInvalidInput, "confidence"},
		"same language":  {twoPages(), []part{field("from", "de")}, core.CodeInvalidInput, "de"},
	} {
		for _, path := range []string{documentTranslations, documentTranslations + "/estimate"} {
			status := http.StatusBadRequest
			if bad.code != core.CodeInvalidInput {
				status = http.StatusUnprocessableEntity
			}
			c.postDocument(path, bad.file, bad.fields...).refused(status, bad.code, bad.what)
		}
	}
}
