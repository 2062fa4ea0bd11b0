package api_test

import (
	"encoding/json"
	"maps"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"plait/internal/records"
)

// exampleBlob stands for an upload in the examples of the description.
const exampleBlob = "sha256:e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"

// example is the path, the method and the example of the body of an operation that takes JSON.
type example struct{ path, method, body string }

// examples are those of the description, by operationId. Every JSON body has one.
func examples(tb testing.TB) map[string]example {
	tb.Helper()
	found := map[string]example{}
	for path, item := range description(tb).Paths.Map() {
		for method, operation := range item.Operations() {
			if operation.RequestBody == nil {
				continue
			}
			media := operation.RequestBody.Value.Content["application/json"]
			if media == nil {
				continue
			}
			require.NotNil(tb, media.Example, operation.OperationID)
			body, err := json.Marshal(media.Example)
			require.NoError(tb, err)
			found[operation.OperationID] = example{path, method, string(body)}
		}
	}
	return found
}

// The examples of the description succeed as they are, but for the names of uploads and of what exists.
func TestTheExamplesOfTheDescriptionSucceed(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	c := r.callerOf("acme", records.ScopeAdmin)
	_, key, err := r.records.CreateKey(t.Context(), records.NewKey{Tenant: "example"})
	require.NoError(t, err)
	inPath := strings.NewReplacer("{id}", c.queuedID(), "{item}", "0", "{name}", "example", "{to}", "en", "{key}", strconv.FormatInt(key.ID, 10))
	picture := uri(pictureOf(t, 480, 360, 255)) // in place of one to fetch
	uploads := map[bool]string{true: c.uploaded(twoPages()), false: c.uploaded(page(t, "はい"))}
	elsewhere := []string{"askAlternatives", "createBlob", "drawRegion", "editRegions", "splitRegion"} // the first fetches, and the others need a finished page
	all := examples(t)
	for _, operation := range slices.Sorted(maps.Keys(all)) {
		if slices.Contains(elsewhere, operation) {
			continue
		}
		e := all[operation]
		body := strings.ReplaceAll(e.body, exampleBlob, uploads[strings.Contains(e.body, ".pdf")])
		body = strings.ReplaceAll(body, "https://files.example.com/lighthouse.png", picture)
		body = strings.ReplaceAll(body, "plait_"+strings.Repeat("0", 43), c.key)
		a := c.do(e.method, inPath.Replace(e.path), strings.NewReader(body), "Content-Type: application/json")
		require.Equal(t, 2, a.status/100, "%s: %s", operation, a.body)
	}
	require.Greater(t, len(all), 9)
	require.Subset(t, slices.Collect(maps.Keys(all)), elsewhere)
}

func exampleOfAnEdit(_ *world, c caller) {
	all := examples(c.t)
	task := c.untilEnded(c.post(toEnglish(image("1.png", page(c.t, "はい、そうです")))).is(http.StatusAccepted).header.Get("Location"))
	first := task.Pages[0]
	c.edit(first, all["editRegions"].body).is(http.StatusAccepted)
	c.untilShown(first.Links["self"])
	for operation, path := range map[string]string{"splitRegion": "/split", "drawRegion": "", "askAlternatives": "/alternatives"} {
		c.do(http.MethodPost, first.Links["regions"]+path, strings.NewReader(all[operation].body), "Content-Type: application/json").is(http.StatusAccepted)
	}
	c.untilShown(first.Links["self"])
}

// TestTheExampleOfAFetch fetches from another host than the example names.
func TestTheExampleOfAFetch(t *testing.T) {
	t.Parallel()
	w := newWeb(t, testConfig())
	body := strings.Replace(examples(t)["createBlob"].body, "https://files.example.com/book.cbz", w.server.Put("book.cbz", zipOf(t, entry{"1.png", page(t)})), 1)
	w.postBody("/v1/blobs", body).is(http.StatusCreated)
}
