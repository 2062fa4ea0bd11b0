package api_test

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"plait/activities/comic/enginetest"
	"plait/api/schema"
	"plait/internal/core"
	"plait/internal/records"
	"plait/internal/translate/glossary"
)

// hugePNG says that it has 40,000 x 40,000 pixels, in a few bytes.
func hugePNG(tb testing.TB) []byte {
	tb.Helper()
	b := bytes.Clone(page(tb))
	binary.BigEndian.PutUint32(b[16:], 40_000)
	binary.BigEndian.PutUint32(b[20:], 40_000)
	binary.BigEndian.PutUint32(b[29:], crc32.ChecksumIEEE(b[12:29]))
	return enginetest.WithText(b, strings.Repeat("x", 20<<10))
}

// bomb is a ZIP of n pages of a megabyte, which is a thousand times its size.
func bomb(tb testing.TB, n int) []byte {
	tb.Helper()
	entries := make([]entry, n)
	for i := range entries {
		entries[i] = entry{fmt.Sprintf("%d.png", i), make([]byte, 1_000_000)}
	}
	return zipOf(tb, entries...)
}

// badRequest is a request that is to be refused, with the thing named.
type badRequest struct {
	parts  []part
	json   string
	header string
	status int
	code   core.Code
	what   string
}

func badRequests(t *testing.T) map[string]badRequest {
	t.Helper()
	good := page(t, "はい")
	invalid, unprocessable := http.StatusBadRequest, http.StatusUnprocessableEntity
	one := func(name string, content []byte) []part { return toEnglish(image(name, content)) }
	with := func(parts ...part) []part { return append(one("1.png", good), parts...) }
	many := make([]part, 21)
	for i := range many {
		many[i] = image(fmt.Sprintf("%d.png", i), good)
	}
	return map[string]badRequest{
		"not an image":        {parts: one("1.png", []byte("hello")), status: unprocessable, code: core.CodeInvalidImage, what: "1.png"},
		"truncated image":     {parts: one("1.png", good[:len(good)-13]), status: unprocessable, code: core.CodeInvalidImage, what: "1.png"},
		"empty file":          {parts: one("1.png", nil), status: unprocessable, code: core.CodeInvalidImage, what: "1.png"},
		"strict":              {parts: with(field("strict", "maybe")), status: invalid, code: core.CodeInvalidInput, what: "true or false"},
		"sounds":              {parts: with(field("sounds", "louder")), status: invalid, code: core.CodeInvalidInput, what: "none of replace, annotate, keep"},
		"fast":                {parts: with(field("fast", "maybe")), status: invalid, code: core.CodeInvalidInput, what: "fast is true or false"},
		"strict, no script":   {parts: with(field("strict", "true")), status: invalid, code: core.CodeInvalidInput, what: "needs a script"},
		"too many pixels":     {parts: one("1.png", hugePNG(t)), status: unprocessable, code: core.CodeImageTooLarge, what: "1.png"},
		"page too large":      {parts: one("1.png", make([]byte, 2<<20)), status: http.StatusRequestEntityTooLarge, code: core.CodeTooLarge, what: "1.png"},
		"unsafe name":         {parts: one("b.cbz", zipOf(t, entry{"../1.png", good})), status: unprocessable, code: core.CodeInvalidArchive, what: "../1.png"},
		"unsafe upload name":  {parts: one("../1.png", good), status: invalid, code: core.CodeInvalidInput, what: "../1.png"},
		"zip bomb":            {parts: one("b.cbz", bomb(t, 50)), status: http.StatusRequestEntityTooLarge, code: core.CodeTooLarge, what: "bytes"},
		"empty archive":       {parts: one("b.cbz", zipOf(t)), status: unprocessable, code: core.CodeInvalidArchive, what: "no page"},
		"not an archive":      {parts: one("b.cbz", []byte("PK hello")), status: unprocessable, code: core.CodeInvalidArchive, what: "ZIP"},
		"two of one name":     {parts: with(image("1.png", good)), status: invalid, code: core.CodeInvalidInput, what: `"1.png"`},
		"two in an archive":   {parts: one("b.cbz", zipOf(t, entry{"1.png", good}, entry{"1.PNG", good})), status: unprocessable, code: core.CodeInvalidArchive, what: "1.PNG"},
		"archive and page":    {parts: with(image("b.cbz", zipOf(t, entry{"1.png", good}))), status: invalid, code: core.CodeInvalidInput, what: "b.cbz"},
		"no files":            {parts: toEnglish(), status: invalid, code: core.CodeInvalidInput, what: "no file"},
		"file without name":   {parts: toEnglish(field("file", "x")), status: invalid, code: core.CodeInvalidInput, what: "filename"},
		"too many files":      {parts: toEnglish(many...), status: http.StatusRequestEntityTooLarge, code: core.CodeTooLarge, what: "more than 20 files"},
		"no target":           {parts: []part{image("1.png", good)}, status: invalid, code: core.CodeInvalidInput, what: "(to)"},
		"unknown target":      {parts: []part{field("to", "tlh"), image("1.png", good)}, status: invalid, code: core.CodeUnknownLanguage, what: `"tlh"`},
		"unknown source":      {parts: []part{field("to", "en"), field("from", "xx"), image("1.png", good)}, status: invalid, code: core.CodeUnknownLanguage, what: `"xx"`},
		"unknown mode":        {parts: with(field("mode", "fast")), status: invalid, code: core.CodeInvalidInput, what: "mode"},
		"unknown field":       {parts: with(field("languag", "ja")), status: invalid, code: core.CodeInvalidInput, what: `"languag"`},
		"double field":        {parts: with(field("to", "de")), status: invalid, code: core.CodeInvalidInput, what: "to is given twice"},
		"large field":         {parts: with(field("title", strings.Repeat("x", 2<<20))), status: http.StatusRequestEntityTooLarge, code: core.CodeTooLarge, what: "field title"},
		"long title":          {parts: with(field("title", strings.Repeat("あ", 301))), status: invalid, code: core.CodeInvalidInput, what: "title"},
		"title of odd bytes":  {parts: with(field("title", "a\x00b\xff")), status: invalid, code: core.CodeInvalidInput, what: "title"},
		"script without text": {parts: with(scriptPart("{")), status: unprocessable, code: core.CodeInvalidScript, what: "script"},
		"two scripts":         {parts: with(scriptPart("{}"), scriptPart("{}")), status: invalid, code: core.CodeInvalidInput, what: "script is given twice"},
		"empty script":        {parts: with(part{"script", "s.json", []byte{}}), status: unprocessable, code: core.CodeInvalidScript, what: "empty"},
		"no language":         {parts: []part{field("to", "und"), image("1.png", good)}, status: invalid, code: core.CodeUnknownLanguage, what: "und"},
		"same language":       {parts: []part{field("from", "en-GB"), field("to", "en"), image("1.png", good)}, status: invalid, code: core.CodeInvalidInput, what: "both en"},
		"title with ESC":      {parts: with(field("title", "a\x1b[2J")), status: invalid, code: core.CodeInvalidInput, what: "control character"},
		"title turned around": {parts: with(field("title", "gnp\u202e.exe")), status: invalid, code: core.CodeInvalidInput, what: "control character"},
		"glossary unread":     {parts: with(part{"glossary", "names.csv", []byte("source,target\n太郎,Taro\n犬,\n")}), status: invalid, code: core.CodeInvalidInput, what: "glossary, line 3"},
		"two glossaries":      {parts: with(part{"glossary", "a.csv", []byte("source,target\na,b\n")}, part{"glossary", "b.csv", []byte("source,target\na,b\n")}), status: invalid, code: core.CodeInvalidInput, what: "glossary is given twice"},
		"no priority":         {parts: with(field("priority", "urgent")), status: invalid, code: core.CodeInvalidInput, what: "priority"},
		"priority of nought":  {parts: with(field("priority", "0")), status: invalid, code: core.CodeInvalidInput, what: `priority "0" is not a number from 1 to 5`},
		"sixth priority":      {parts: with(field("priority", "6")), status: invalid, code: core.CodeInvalidInput, what: "priority"},
		"long synopsis":       {parts: with(field("synopsis", strings.Repeat("あ", 2001))), status: invalid, code: core.CodeInvalidInput, what: "synopsis"},
		"no script":           {parts: with(field("translator", "script")), status: invalid, code: core.CodeInvalidInput, what: "script"},
		"unknown translator":  {parts: with(field("translator", "babelfish")), status: invalid, code: core.CodeInvalidInput, what: `"babelfish" is none of openai`},
		"long key":            {parts: with(), header: "Idempotency-Key: " + strings.Repeat("k", 256), status: invalid, code: core.CodeInvalidInput, what: "idempotency key"},
		"odd key":             {parts: with(), header: "Idempotency-Key: ключ", status: invalid, code: core.CodeInvalidInput, what: "idempotency key"},

		"JSON: nothing":          {json: ``, status: invalid, code: core.CodeInvalidInput, what: "not JSON"},
		"JSON: broken":           {json: `{"to":`, status: invalid, code: core.CodeInvalidInput, what: "not JSON"},
		"JSON: array":            {json: `[]`, status: invalid, code: core.CodeInvalidInput, what: "not a JSON object"},
		"JSON: null":             {json: `null`, status: invalid, code: core.CodeInvalidInput, what: "not a JSON object"},
		"JSON: more":             {json: `{"to":"en"} {}`, status: invalid, code: core.CodeInvalidInput, what: "not JSON"},
		"JSON: unknown field":    {json: `{"to":"en","files":[],"languag":"ja"}`, status: invalid, code: core.CodeInvalidInput, what: `"languag"`},
		"JSON: unknown inside":   {json: `{"to":"en","files":[{"name":"1.png","blob":"","size":1}]}`, status: invalid, code: core.CodeInvalidInput, what: `"size"`},
		"JSON: other case":       {json: `{"To":"en","files":[]}`, status: invalid, code: core.CodeInvalidInput, what: `"To"`},
		"JSON: double field":     {json: `{"to":"en","to":"de","files":[]}`, status: invalid, code: core.CodeInvalidInput, what: "to is given twice"},
		"JSON: wrong type":       {json: `{"to":7,"files":[]}`, status: invalid, code: core.CodeInvalidInput, what: "field to is a JSON number where a JSON string is required"},
		"JSON: wrong switch":     {json: `{"to":"en","files":[],"fast":"true"}`, status: invalid, code: core.CodeInvalidInput, what: "field fast is a JSON string where a JSON boolean is required"},
		"JSON: wrong number":     {json: `{"to":"en","files":[],"priority":"3"}`, status: invalid, code: core.CodeInvalidInput, what: "field priority is a JSON string where a JSON number is required"},
		"JSON: wrong files":      {json: `{"to":"en","files":{}}`, status: invalid, code: core.CodeInvalidInput, what: "field files is a JSON object where a JSON array is required"},
		"JSON: priority of 0":    {json: `{"to":"en","files":[],"priority":0}`, status: invalid, code: core.CodeInvalidInput, what: `priority "0"`},
		"JSON: no files":         {json: `{"to":"en"}`, status: invalid, code: core.CodeInvalidInput, what: "no file"},
		"JSON: no name":          {json: `{"to":"en","files":[{"blob":"x"}]}`, status: invalid, code: core.CodeInvalidInput, what: "files[0].name"},
		"JSON: no blob":          {json: `{"to":"en","files":[{"name":"1.png"}]}`, status: invalid, code: core.CodeInvalidInput, what: "files[0].blob is missing"},
		"JSON: not a blob":       {json: `{"to":"en","files":[{"name":"1.png","blob":"../x"}]}`, status: invalid, code: core.CodeInvalidInput, what: "files[0].blob"},
		"JSON: no such blob":     {json: `{"to":"en","files":[{"name":"1.png","blob":"sha256:` + strings.Repeat("0", 64) + `"}]}`, status: invalid, code: core.CodeInvalidInput, what: "files[0].blob: there is no upload"},
		"JSON: too many files":   {json: `{"to":"en","files":[` + strings.Repeat(`{"name":"1"},`, 20) + `{"name":"1"}]}`, status: http.StatusRequestEntityTooLarge, code: core.CodeTooLarge, what: "more than 20 files"},
		"JSON: half a pair":      {json: `{"to":"en","title":"\ud83d!","files":[]}`, status: invalid, code: core.CodeInvalidInput, what: "surrogate"},
		"JSON: not UTF-8":        {json: "{\"to\":\"en\",\"title\":\"\xff\",\"files\":[]}", status: invalid, code: core.CodeInvalidInput, what: "UTF-8"},
		"JSON: no such term":     {json: `{"to":"en","files":[],"glossary":[{"source":"a","targt":"b"}]}`, status: invalid, code: core.CodeInvalidInput, what: `"targt"`},
		"JSON: in UTF-16":        {json: `{}`, header: "Content-Type: application/json; charset=utf-16", status: http.StatusUnsupportedMediaType, code: core.CodeInvalidInput, what: "content type"},
		"JSON: deep":             {json: strings.Repeat(`[`, 100_000), status: invalid, code: core.CodeInvalidInput, what: "not JSON"},
		"another content type":   {json: `<xml/>`, header: "Content-Type: text/xml", status: http.StatusUnsupportedMediaType, code: core.CodeInvalidInput, what: "content type"},
		"form without boundary":  {json: `x`, header: "Content-Type: multipart/form-data", status: invalid, code: core.CodeInvalidInput, what: "boundary"},
		"broken form":            {json: "--b\r\nContent-Disposition: form-data; name=to\r\n\r\nen", header: "Content-Type: multipart/form-data; boundary=b", status: invalid, code: core.CodeInvalidInput, what: "field to did not arrive whole"},
		"no form":                {json: "hello", header: "Content-Type: multipart/form-data; boundary=b", status: invalid, code: core.CodeInvalidInput, what: "multipart form"},
		"more than a form":       {json: "--b--\r\n" + strings.Repeat("x", 20<<10), header: "Content-Type: multipart/form-data; boundary=b", status: invalid, code: core.CodeInvalidInput, what: "more follows"},
		"endless file name":      {json: "--b\r\nContent-Disposition: form-data; name=file; filename=" + strings.Repeat("x", 1<<20) + ".png\r\n\r\nx\r\n--b--", header: "Content-Type: multipart/form-data; boundary=b", status: invalid, code: core.CodeInvalidInput, what: "headers of a part"},
		"form that never begins": {json: strings.Repeat("x\r\n", 1<<18), header: "Content-Type: multipart/form-data; boundary=b", status: invalid, code: core.CodeInvalidInput, what: "headers of a part"},
		"packed body":            {json: `x`, header: "Content-Encoding: gzip", status: http.StatusUnsupportedMediaType, code: core.CodeInvalidInput, what: `"gzip"`},
	}
}

// terms are n entries of a glossary.
func terms(n int) string {
	entries := make([]string, n)
	for i := range entries {
		entries[i] = fmt.Sprintf(`{"source":"s%d","target":"t%d"}`, i, i)
	}
	return strings.Join(entries, ",")
}

// A glossary may have as many entries as the description says.
func TestALargeGlossaryIsTaken(t *testing.T) {
	t.Parallel()
	c := newRig(t).caller("acme")
	var b schema.Blob
	c.do(http.MethodPost, "/v1/blobs", reader(page(t, "はい"))).is(http.StatusCreated).into(&b)
	with := func(n int) string {
		return fmt.Sprintf(`{"to":"en","files":[{"name":"1.png","blob":%q}],"glossary":[%s]}`, b.Blob, terms(n))
	}
	c.postJSON(with(glossary.MaxEntries)).is(http.StatusAccepted)
	c.postJSON(with(glossary.MaxEntries+1)).refused(http.StatusRequestEntityTooLarge, core.CodeTooLarge, "20000 entries")
}

// Each bad request is refused with the thing named, and leaves neither row nor blob nor temporary file behind.
func TestBadRequestsAreRefused(t *testing.T) {
	r := newRig(t)
	t.Setenv("TMPDIR", t.TempDir())
	c := r.caller("acme")
	for name, bad := range badRequests(t) {
		t.Run(name, func(t *testing.T) {
			c := c
			c.rig = &rig{t: t, address: r.address, http: r.http}
			var headers []string
			if bad.header != "" {
				headers = append(headers, bad.header)
			}
			var a answer
			switch {
			case bad.parts != nil:
				a = c.post(bad.parts, headers...)
			case strings.HasPrefix(bad.header, "Content-Type"):
				a = c.do(http.MethodPost, translations, strings.NewReader(bad.json), headers...)
			default:
				a = c.postJSON(bad.json, headers...)
			}
			a.refused(bad.status, bad.code, bad.what)
		})
	}
	c.do(http.MethodPost, "/v1/blobs", http.NoBody).refused(http.StatusBadRequest, core.CodeInvalidInput, "body is empty")
	c.do(http.MethodPost, "/v1/blobs", strings.NewReader("x"), "Content-Type: multipart/form-data; boundary=b").
		refused(http.StatusUnsupportedMediaType, core.CodeInvalidInput, "not a form")
	c.do(http.MethodPost, translations+"?to=en", strings.NewReader("{}"), "Content-Type: application/json").
		refused(http.StatusBadRequest, core.CodeInvalidInput, `"to" is not known`)
	r.nothingLeft()
	left, err := filepath.Glob(filepath.Join(os.TempDir(), "*"))
	require.NoError(t, err)
	require.Empty(t, left)
}

func TestKeys(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	c := r.caller("acme")
	c.get(tasksRoute).is(http.StatusOK)
	for name, key := range map[string]string{"none": "", "short": "plait_x", "made up": "plait_" + strings.Repeat("A", 43), "odd": "plait_\xff"} {
		a := caller{r, "", key}.do(http.MethodPost, translations, strings.NewReader("{}")).refused(http.StatusUnauthorized, core.CodeUnauthorized, "missing")
		require.Equal(t, `Bearer realm="plait"`, a.header.Get("WWW-Authenticate"), name)
	}
	caller{r, "", ""}.get(tasksRoute, "Authorization: Basic "+c.key).refused(http.StatusUnauthorized, core.CodeUnauthorized, "Bearer")
	reads := r.callerOf("acme", records.ScopeRead)
	reads.get(tasksRoute).is(http.StatusOK)
	reads.do(http.MethodHead, tasksRoute, nil).is(http.StatusOK)
	for _, change := range [][2]string{{http.MethodPost, translations}, {http.MethodPost, "/v1/blobs"}, {http.MethodDelete, tasksRoute + "/x"}, {http.MethodPost, tasksRoute + "/x/cancel"}} {
		reads.do(change[0], change[1], strings.NewReader("{}")).refused(http.StatusForbidden, core.CodeForbidden, "the key has the scope read; this needs write")
	}
	keys, err := r.records.ListKeys(t.Context(), "acme")
	require.NoError(t, err)
	require.NoError(t, r.records.RevokeKey(t.Context(), keys[0].ID))
	c.get(tasksRoute).refused(http.StatusUnauthorized, core.CodeUnauthorized, "revoked")
}
