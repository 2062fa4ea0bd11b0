package api_test

import (
	"encoding/json"
	"net/http"
	"path"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"plait/api/schema"
	"plait/internal/core"
	"plait/internal/records"
	"plait/internal/translate/glossary"
)

func (c caller) glossary(path string) (g schema.Glossary) {
	c.t.Helper()
	c.get(path).is(http.StatusOK).into(&g)
	return g
}

// taskWithResult is the path of a task of one page with these texts.
func (c caller) taskWithResult(texts ...string) string {
	c.t.Helper()
	return "/v1/tasks/" + path.Base(c.chapterWithResult(texts...))
}

func (c caller) editGlossary(path string, changes ...glossary.Change) answer {
	c.t.Helper()
	body, err := json.Marshal(schema.EditGlossary{Changes: changes})
	require.NoError(c.t, err)
	return c.do(http.MethodPatch, path, strings.NewReader(string(body)), "Content-Type: application/json")
}

func TestGlossariesAreEdited(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	c := r.caller("acme")
	task := c.get(c.taskWithResult("太郎さんはどこ?", "太郎さんだ!", "犬")).is(http.StatusOK).task()
	own := task.Links["glossary"]
	const all = "/v1/glossaries/en"
	require.Equal(t, schema.Glossary{To: "en", Entries: []glossary.Entry{}}, c.glossary(own))

	taro, rex := glossary.Entry{Source: "太郎", Target: "Taro", PartOfSpeech: "name"}, glossary.Entry{Source: "犬", Target: "Rex", Case: true, Note: "his dog"}
	var after schema.Glossary
	c.editGlossary(own, glossary.Change{After: &taro}).is(http.StatusOK).into(&after)
	require.Equal(t, schema.Glossary{To: "en", Entries: []glossary.Entry{taro}}, after)
	c.editGlossary(all, glossary.Change{After: &rex}).is(http.StatusOK).into(&after)
	require.Equal(t, schema.Glossary{To: "en", Entries: []glossary.Entry{taro}, TenantEntries: []glossary.Entry{rex}}, c.glossary(own))
	require.Equal(t, []glossary.Entry{rex}, c.glossary(all).Entries)
	require.Empty(t, c.glossary("/v1/glossaries/de").Entries)
	require.Equal(t, "zh-Hans", c.glossary("/v1/glossaries/zh-CN").To, "in its canonical form")

	// Two people change one entry: the second is refused and loses nothing of the first. The same change again is none.
	ann, bob := glossary.Entry{Source: "太郎", Target: "Tarō"}, glossary.Entry{Source: "太郎", Target: "Tarou"}
	for range 2 {
		c.editGlossary(own, glossary.Change{Before: &taro, After: &ann}).is(http.StatusOK)
	}
	more := glossary.Entry{Source: "猫", Target: "Tama"}
	c.editGlossary(own, glossary.Change{After: &more}, glossary.Change{Before: &taro, After: &bob}).refused(http.StatusConflict, core.CodeConflict, "太郎")
	require.Equal(t, []glossary.Entry{ann}, c.glossary(own).Entries, "of a request that is refused, nothing is done")
	c.editGlossary(own, glossary.Change{Before: &ann}).is(http.StatusOK)
	require.Empty(t, c.glossary(own).Entries)

	for body, what := range map[string]string{
		`{}`: "changes is missing", `{"changes":[{}]}`: "change 1", `{"changes":[{"after":{"source":"a"}}]}`: "change 1",
		`{"changes":[{"after":{"source":"a","target":"b","x":1}}]}`: "not known", `{"changes":[{"after":{"source":"a\u0000","target":"b"}}]}`: "several lines",
	} {
		c.do(http.MethodPatch, own, strings.NewReader(body), "Content-Type: application/json").refused(http.StatusBadRequest, core.CodeInvalidInput, what)
	}
	c.get("/v1/glossaries/xx").refused(http.StatusBadRequest, core.CodeUnknownLanguage, `"xx"`)

	other := r.caller("other")
	other.get(own).refused(http.StatusNotFound, core.CodeNotFound, "no task")
	other.editGlossary(own, glossary.Change{After: &taro}).refused(http.StatusNotFound, core.CodeNotFound, "no task")
	require.Empty(t, other.glossary(all).Entries)
	reader := r.callerOf("acme", records.ScopeRead)
	require.Equal(t, []glossary.Entry{rex}, reader.glossary(all).Entries)
	reader.editGlossary(all, glossary.Change{After: &taro}).refused(http.StatusForbidden, core.CodeForbidden, "scope")
}

// What a chapter has called a name is suggested until a glossary has it.
func TestEntriesAreSuggested(t *testing.T) {
	t.Parallel()
	c := newRig(t).caller("acme")
	task := c.get(c.taskWithResult("太郎さんはどこ?", "太郎さんだ!", "犬")).is(http.StatusOK).task()
	suggested := func() []glossary.Entry {
		var s schema.GlossarySuggestions
		c.get(task.Links["glossary"] + "/suggestions").is(http.StatusOK).into(&s)
		require.NotNil(t, s.Entries)
		return s.Entries
	}
	require.Empty(t, suggested())
	c.edit(task.Pages[0], `{"regions":[{"region_index":0,"translation":"Where is Taro?"},{"region_index":1,"translation":"It is Taro!"}]}`).is(http.StatusAccepted)
	taro := glossary.Entry{Source: "太郎", Target: "Taro", PartOfSpeech: "name"}
	require.Equal(t, []glossary.Entry{taro}, suggested())
	c.editGlossary("/v1/glossaries/en", glossary.Change{After: &glossary.Entry{Source: "太郎", Target: "Tarou"}}).is(http.StatusOK)
	require.Empty(t, suggested())
}

// Documents have glossaries as chapters do; videos translate nothing.
func TestGlossariesOfOtherKinds(t *testing.T) {
	t.Parallel()
	c := newRig(t).caller("acme")
	own := c.postDocument(documentTranslations, twoPages()).is(http.StatusAccepted).header.Get("Location") + "/glossary"
	entry := glossary.Entry{Source: "words", Target: "Wörter"}
	c.editGlossary(own, glossary.Change{After: &entry}).is(http.StatusOK)
	require.Equal(t, schema.Glossary{To: "de", Entries: []glossary.Entry{entry}}, c.glossary(own))
	c.get(own + "/suggestions").is(http.StatusOK)
	video := c.submitted(videoRequest(t, nil))
	c.get("/v1/tasks/"+video+"/glossary").refused(http.StatusNotFound, core.CodeNotFound, "translates nothing")
}
