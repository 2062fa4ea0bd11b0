package api_test

import (
	"bytes"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"plait/activities/comic/enginetest"
	comicschema "plait/api/comic/schema"
	"plait/internal/comic"
	"plait/internal/core"
)

// edit asks for other translations on a page.
func (c caller) edit(page comicschema.Page, body string) answer {
	c.t.Helper()
	return c.do(http.MethodPatch, page.Links["regions"], strings.NewReader(body), "Content-Type: application/json")
}

// untilShown waits until the image of a page shows its edits, or cannot.
func (c caller) untilShown(path string) (page comicschema.Page) {
	c.t.Helper()
	require.Eventually(c.t, func() bool {
		page = c.get(path).is(http.StatusOK).page()
		require.NotNil(c.t, page.Edit)
		return page.Edit.Status != core.StatusRunning
	}, patience, 20*time.Millisecond)
	return page
}

func editPages(_ *world, c caller) {
	t := c.t
	path := c.post(toEnglish(image("1.png", page(t, "はい", "いいえ")), image("2.png", page(t, "後で")))).is(http.StatusAccepted).header.Get("Location")
	task := c.untilEnded(path)
	first := task.Pages[0]
	require.Nil(t, first.Edit)
	before := c.get(first.Links["result"]).is(http.StatusOK)

	second := task.Pages[1]
	prepare := strings.TrimSuffix(second.Links["regions"], "regions") + "prepare"
	c.do(http.MethodPost, prepare, nil).is(http.StatusAccepted)
	require.Nil(t, c.get(second.Links["self"]).is(http.StatusOK).page().Edit, "nothing is edited")
	c.do(http.MethodPost, strings.Replace(prepare, "/1/", "/9/", 1), nil).refused(http.StatusNotFound, core.CodeNotFound, "items 0 to 1")

	edited := c.edit(first, `{"regions":[{"region_index":1,"translation":" No way! "}]}`).is(http.StatusAccepted).page()
	require.Equal(t, core.StatusRunning, edited.Edit.Status)
	require.Equal(t, "No way!", edited.Texts[1].Translation)
	shown := c.untilShown(first.Links["self"])
	require.Equal(t, core.StatusSuccess, shown.Edit.Status)
	require.Equal(t, core.StatusSuccess, shown.Status)
	require.Nil(t, shown.Texts[0].EditedAt)
	require.Equal(t, []any{"test", shown.Edit.EditedAt}, []any{shown.Texts[1].EditedBy, *shown.Texts[1].EditedAt})
	after := c.get(first.Links["result"]).is(http.StatusOK)
	require.Equal(t, "はい -> [はい]\nいいえ -> No way!\n", enginetest.TextOf(after.body))
	require.NotEqual(t, before.header.Get("ETag"), after.header.Get("ETag"))

	// The same edit twice is one.
	again := c.edit(first, `{"regions":[{"region_index":1,"translation":"No way!"},{"region_index":0,"translation":"[はい]"}]}`).is(http.StatusOK).page()
	require.Equal(t, shown.Edit.EditedAt, again.Edit.EditedAt)

	// The chapter and the script have it too, and the rest is as it was.
	files := unzip(t, c.get(task.Links["result"]).is(http.StatusOK).body)
	require.Equal(t, after.body, files[0].content)
	require.Equal(t, "後で -> [後で]\n", enginetest.TextOf(files[1].content))
	require.Contains(t, string(c.get(task.Links["script"]).is(http.StatusOK).body), `"No way!"`)
	require.Nil(t, c.get(path).task().Pages[1].Edit)

	// Edits follow each other on the page that its host keeps; what a person takes back is drawn as it was.
	c.edit(first, `{"regions":[{"region_index":1,"translation":""}]}`).is(http.StatusAccepted)
	c.edit(first, `{"regions":[{"region_index":0,"translation":"Yes"}]}`).is(http.StatusAccepted)
	require.Equal(t, core.StatusSuccess, c.untilShown(first.Links["self"]).Edit.Status)
	require.Equal(t, "はい -> Yes\nいいえ -> \n", enginetest.TextOf(c.get(first.Links["result"]).is(http.StatusOK).body))

	refuseEdits(t, c, first)
	c.do(http.MethodDelete, path, nil).is(http.StatusNoContent)
	c.edit(first, `{"regions":[{"region_index":0,"translation":"x"}]}`).refused(http.StatusNotFound, core.CodeNotFound, "there is no task")
}

func refuseEdits(tb testing.TB, c caller, page comicschema.Page) {
	tb.Helper()
	for body, what := range map[string]string{
		`{"regions":[{"region_index":2,"translation":"x"}]}`:                                      "the page has 2 regions",
		`{"regions":[{"region_index":-1,"translation":"x"}]}`:                                     "the page has 2 regions",
		`{"regions":[{"region_index":0,"translation":"x"},{"region_index":0,"translation":"x"}]}`: "given twice",
		`{"regions":[{"translation":"x"}]}`:                                                       "region_index is missing",
		`{"regions":[{"region_index":0}]}`:                                                        "nothing to change",
		`{"regions":[]}`:                                                                          "missing or empty",
		`{"regions":[{"region_index":0,"translation":"` + strings.Repeat("x", 50_001) + `"}]}`:    "more than 50000 characters",
		`{"regions":[{"region_index":0,"translation":"x","author":"me"}]}`:                        "not known",
		`{"regions":[{"region_index":0,"translation":"a\u0000b"}]}`:                               "control character",
		`{"regions":[{"region_index":0,"translation":"a\udc00b"}]}`:                               "surrogate",
		"{\"regions\":[{\"region_index\":0,\"translation\":\"a\xffb\"}]}":                         "not UTF-8",
		`{"regions":[{"region_index":0,"kind":"shouting"}]}`:                                      "kind is dialogue",
		`{"regions":[{"region_index":0,"area":[10,10,12,40]}]}`:                                   "at least 8 pixels",
		`{"regions":[{"region_index":0,"area":[10,10,120,40]}]}`:                                  "beyond the page, which has 100 x 200 pixels",
		`{"regions":[{"region_index":0,"area":[10,-10,90,40]}]}`:                                  "beyond the page",
		`{"regions":[{"region_index":0,"area":"all"}]}`:                                           "a JSON array is required",
		`{"regions":[{"region_index":0,"style":{"color":"red"}}]}`:                                "style.color is #rrggbb",
		`{"regions":[{"region_index":0,"style":{"size":1e9}}]}`:                                   "style.size is from 4 to 1000",
		`{"regions":[{"region_index":0,"style":{"font":"comic sans"}}]}`:                          "style.font is dialogue",
		`{"regions":[{"region_index":0,"style":{"alignment":"top"}}]}`:                            "style.alignment is left",
		`{"regions":[{"region_index":0,"style":{"blink":true}}]}`:                                 "not known",
		`{"regions":{}}`: "a JSON array is required",
		`[]`:             "not a JSON object",
		``:               "not JSON",
	} {
		c.edit(page, body).refused(http.StatusBadRequest, core.CodeInvalidInput, what)
	}
	c.edit(page, `"`+strings.Repeat("x", 2<<20)+`"`).refused(http.StatusRequestEntityTooLarge, core.CodeTooLarge, "1048576 bytes")
	c.do(http.MethodPatch, page.Links["regions"], bytes.NewReader(nil), "Content-Type: text/plain").
		refused(http.StatusUnsupportedMediaType, core.CodeInvalidInput, "content type")
	c.do(http.MethodPatch, strings.Replace(page.Links["regions"], "/0/", "/9/", 1), strings.NewReader("{}"), "Content-Type: application/json").
		refused(http.StatusNotFound, core.CodeNotFound, "items 0 to 1")
	stranger := c.caller("stranger_" + c.tenant)
	stranger.edit(page, `{"regions":[{"region_index":0,"translation":"x"}]}`).refused(http.StatusNotFound, core.CodeNotFound, "there is no task")
}

// People choose how regions are lettered, and what is no text; a later task on the image does as they chose.
func overrides(_ *world, c caller) {
	t := c.t
	picture := page(t, "はい", "いいえ", "あ")
	path := c.post(toEnglish(image("1.png", picture))).is(http.StatusAccepted).header.Get("Location")
	first := c.untilEnded(path).Pages[0]
	require.Equal(t, comic.KindDialogue, c.get(first.Links["self"]).page().Texts[0].Kind)
	body := `{"regions":[{"region_index":0,"style":{"font":"shout","size":20.5,"color":"#ff0080","bold":true,"alignment":"left"},"area":[10,10,60,50],"kind":"free"},
		{"region_index":1,"erased":true},{"region_index":2,"deleted":true}]}`
	c.edit(first, body).is(http.StatusAccepted)
	shown := c.untilShown(first.Links["self"])
	require.Equal(t, core.StatusSuccess, shown.Edit.Status)
	require.Equal(t, "はい -> shout:[はい]\nいいえ -> erased\nあ -> deleted\n", enginetest.TextOf(c.get(first.Links["result"]).is(http.StatusOK).body))
	text := shown.Texts[0]
	require.Equal(t, comic.Style{Font: comic.FontShout, Size: 20.5, Color: "#ff0080", Bold: new(true), Alignment: comic.AlignLeft}, text.Style)
	require.Equal(t, []any{comic.Area{10, 10, 60, 50}, comic.KindFree, "[はい]", "test"}, []any{text.Area, text.Kind, text.Translation, text.EditedBy})
	require.Equal(t, []bool{true, false, false, true}, []bool{shown.Texts[1].Erased, shown.Texts[1].Deleted, shown.Texts[2].Erased, shown.Texts[2].Deleted})
	c.edit(first, body).is(http.StatusOK)

	for _, mode := range []string{"split", "unified"} {
		later := c.untilEnded(c.post(toEnglish(field("mode", mode), image("one.png", picture))).is(http.StatusAccepted).header.Get("Location"))
		require.Equal(t, c.get(first.Links["result"]).body, c.get(later.Pages[0].Links["result"]).is(http.StatusOK).body, mode)
	}

	// What was found comes back, one after another.
	c.edit(first, `{"regions":[{"region_index":0,"style":{},"area":[0,0,0,0],"kind":""},{"region_index":1,"erased":false}]}`).is(http.StatusAccepted)
	c.edit(first, `{"regions":[{"region_index":2,"deleted":false}]}`).is(http.StatusAccepted)
	shown = c.untilShown(first.Links["self"])
	require.Equal(t, "はい -> [はい]\nいいえ -> [いいえ]\nあ -> [あ]\n", enginetest.TextOf(c.get(first.Links["result"]).is(http.StatusOK).body))
	require.Equal(t, comic.KindDialogue, shown.Texts[0].Kind)
	require.Zero(t, shown.Texts[0].Area)
}

// A later task takes what was edited, wherever the page is in it, and asks for the rest; a script goes before.
func editsAreKept(_ *world, c caller) {
	t := c.t
	path := c.post(toEnglish(image("1.png", page(t, "はい", "いいえ", "はい")))).is(http.StatusAccepted).header.Get("Location")
	first := c.untilEnded(path).Pages[0]
	c.edit(first, `{"regions":[{"region_index":2,"translation":"Yes?"},{"region_index":1,"translation":""}]}`).is(http.StatusAccepted)
	c.untilShown(first.Links["self"])
	edited := c.get(first.Links["result"]).is(http.StatusOK).body

	for _, mode := range []string{"split", "unified"} {
		later := c.untilEnded(c.post(toEnglish(field("mode", mode), image("0.png", page(t, "前")), image("one.png", page(t, "はい", "いいえ", "はい")))).
			is(http.StatusAccepted).header.Get("Location"))
		require.Equal(t, edited, c.get(later.Pages[1].Links["result"]).is(http.StatusOK).body, mode)
		require.Nil(t, later.Pages[1].Edit, "nobody edited this task")
	}
	script := `{"pages":[{"page":"1.png","regions":[{"source":"はい","translation":"A"},{"source":"いいえ","translation":"B"},{"source":"はい","translation":"C"}]}]}`
	scripted := c.untilEnded(c.post(toEnglish(scriptPart(script), image("1.png", page(t, "はい", "いいえ", "はい")))).is(http.StatusAccepted).header.Get("Location"))
	require.Equal(t, "はい -> C\nいいえ -> B\nはい -> C\n", enginetest.TextOf(c.get(scripted.Pages[0].Links["result"]).is(http.StatusOK).body))

	stranger := c.caller("other_" + c.tenant)
	other := stranger.untilEnded(stranger.post(toEnglish(image("1.png", page(t, "はい", "いいえ", "はい")))).is(http.StatusAccepted).header.Get("Location"))
	require.NotContains(t, enginetest.TextOf(stranger.get(other.Pages[0].Links["result"]).is(http.StatusOK).body), "Yes?")
}

// What has no result has nothing to edit.
func TestEditsWaitForAResult(t *testing.T) {
	t.Parallel()
	c := newRig(t).caller("early")
	path := c.post(toEnglish(image("1.png", page(t, "はい")))).is(http.StatusAccepted).header.Get("Location")
	c.do(http.MethodPatch, strings.Replace(path, tasksRoute, translations, 1)+"/items/0/regions", strings.NewReader(`{"regions":[{"region_index":0,"translation":"x"}]}`), "Content-Type: application/json").
		refused(http.StatusConflict, core.CodeConflict, "it is queued")
}
