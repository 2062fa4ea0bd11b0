package api_test

import (
	"encoding/json"
	"net/http"
	"testing"

	"github.com/stretchr/testify/require"

	documentschema "plait/api/document/schema"
	"plait/internal/core"
	"plait/internal/document/estimate"
	"plait/internal/document/pdftest"
	documentrecords "plait/internal/records/document"
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
	posted := c.postDocument(documentTranslations, twoPages(), field("pages", "2"), field("output", "both")).is(http.StatusAccepted)
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
	require.Equal(t, "page 2", task.Items[0].Name)

	var report documentrecords.Report
	require.NoError(t, json.Unmarshal(c.get(task.Links["report"]).is(http.StatusOK).body, &report))
	require.Zero(t, report.Calls)
	r.caller("other").get(task.Links["report"]).is(http.StatusNotFound)

	var e estimate.Estimate
	require.NoError(t, json.Unmarshal(c.postDocument(documentTranslations+"/estimate", twoPages()).is(http.StatusOK).body, &e))
	require.Equal(t, 2, e.PageCount)
	require.InDelta(t, 16, e.Seconds, 1e-9)
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
		"locked":         {locked, nil, core.CodePassword, "password"},
		"no such page":   {twoPages(), []part{field("pages", "3")}, core.CodeInvalidInput, "2 pages"},
		"no such output": {twoPages(), []part{field("output", "triple")}, core.CodeInvalidInput, "output"},
		"no such field":  {twoPages(), []part{field("sounds", "keep")}, core.CodeInvalidInput, "sounds"},
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
