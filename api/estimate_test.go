package api_test

import (
	"encoding/json"
	"net/http"
	"testing"

	"github.com/stretchr/testify/require"

	comicschema "plait/api/comic/schema"
	"plait/internal/core"
)

// An estimate counts the pages of a chapter, keeps nothing, and grows with the pages and with what is sent with each of them.
func TestAnEstimateOfAChapter(t *testing.T) {
	t.Parallel()
	c := newRig(t).caller("press")
	of := func(parts ...part) (e comicschema.Estimate) {
		body, kind := formOf(toEnglish(parts...))
		a := c.do(http.MethodPost, "/v1/comic/translations/estimate", body, "Content-Type: "+kind).is(http.StatusOK)
		require.NoError(t, json.Unmarshal(a.body, &e))
		return e
	}
	pages := func(n int) (parts []part) {
		for i := range n {
			parts = append(parts, image(string(rune('a'+i))+".png", page(t, "はい")))
		}
		return parts
	}
	one, six, seven, eight := of(pages(1)...), of(pages(6)...), of(pages(7)...), of(pages(8)...)
	require.Equal(t, []any{1, 8, 1, false, "openai", "test-model"}, []any{one.PageCount, one.RegionCount, one.Calls, one.Analyzed, one.Provider, one.Model})
	require.Equal(t, []any{8, 64, 8}, []any{eight.PageCount, eight.RegionCount, eight.Calls})
	require.Greater(t, six.InputTokens, 6*one.InputTokens, "later pages have earlier ones as context")
	require.InDelta(t, seven.InputTokens-six.InputTokens, eight.InputTokens-seven.InputTokens, 2, "all have as many of them")
	require.Equal(t, int64(eight.InputTokens+eight.OutputTokens), *eight.CostMicros)
	require.Greater(t, eight.Seconds, one.Seconds)
	require.Greater(t, of(append(pages(1), field("synopsis", "A cat and a girl count the stars."))...).InputTokens, one.InputTokens)

	script := of(append(pages(2), part{"script", "s.json", []byte(`{"pages": []}`)})...)
	require.Equal(t, []any{2, 0, int64(0)}, []any{script.PageCount, script.Calls, *script.CostMicros})
	body, kind := formOf(toEnglish(part{"file", "a.cbz", []byte("PK no archive")}))
	c.do(http.MethodPost, "/v1/comic/translations/estimate", body, "Content-Type: "+kind).refused(http.StatusUnprocessableEntity, core.CodeInvalidArchive, "")
	var list struct{ Tasks []any }
	require.NoError(t, json.Unmarshal(c.get("/v1/tasks").body, &list))
	require.Empty(t, list.Tasks)
}
