package api_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/sync/errgroup"

	"plait/api/schema"
	"plait/internal/core"
	"plait/internal/records"
	"plait/internal/records/recordstest"
)

// post sends a request with further headers.
type post func(headers ...string) answer

// repeatable has two different requests of each operation that takes an idempotency key, by its operationId. Both succeed.
var repeatable = map[string]func(c caller) (first, other post){
	"createBlob": func(c caller) (first, other post) {
		return c.poster("/v1/blobs", "a file"), c.poster("/v1/blobs", "another file")
	},
	"estimateTranslation": func(c caller) (first, other post) {
		estimate := func(parts ...part) post {
			return func(headers ...string) answer {
				body, kind := formOf(append(parts, field("to", "en"), part{"file", "1.png", page(c.t, "はい")}))
				return c.do(http.MethodPost, "/v1/comic/translations/estimate", body, append(headers, "Content-Type: "+kind)...)
			}
		}
		return estimate(), estimate(field("from", "ja"))
	},
	"estimateDocumentTranslation": func(c caller) (first, other post) { // each form has a boundary of its own
		estimate := func(parts ...part) post {
			return func(headers ...string) answer {
				body, kind := formOf(append(parts, field("to", "de"), part{"file", "paper.pdf", twoPages()}))
				return c.do(http.MethodPost, documentTranslations+"/estimate", body, append(headers, "Content-Type: "+kind)...)
			}
		}
		return estimate(), estimate(field("pages", "2"))
	},
	"estimateVideo":         estimatesOfVideos(generations),
	"estimatePrefixedVideo": estimatesOfVideos("/api" + generations),
	"retryTask": changes("retry", func(c caller, id string) {
		_, err := c.records.FinishTask(c.t.Context(), core.FinishTaskInput{TaskID: id})
		require.NoError(c.t, err)
	}),
	"cancelTask": changes("cancel", nil),
	"pauseTask":  changes("pause", nil),
	"resumeTask": changes("resume", nil),
	"createLink": func(c caller) (first, other post) {
		path := tasksRoute + "/" + c.queuedID() + "/links"
		return c.poster(path, "{}"), c.poster(path, `{"expires_in": 60}`)
	},
	"preparePage": func(c caller) (first, other post) {
		prepare := func() post { return c.poster(c.chapterWithResult("はい")+"/items/0/prepare", "") }
		return prepare(), prepare()
	},
	"drawRegion": func(c caller) (first, other post) {
		path := c.chapterWithResult() + "/items/0/regions"
		return c.poster(path, `{"area": [0, 0, 20, 20]}`), c.poster(path, `{"area": [0, 0, 30, 20]}`)
	},
	"splitRegion": func(c caller) (first, other post) {
		split := func() post {
			return c.poster(c.chapterWithResult("はい、そうです")+"/items/0/regions/split", `{"region_index": 0, "at": 3, "expected": ""}`)
		}
		return split(), split()
	},
	"askAlternatives": func(c caller) (first, other post) {
		path := c.chapterWithResult("はい") + "/items/0/regions/alternatives"
		return c.poster(path, `{"region_index": 0}`), c.poster(path, `{"region_index": 0, "count": 5}`)
	},
	"createEndpoint": func(c caller) (first, other post) {
		return c.poster(endpointsRoute, `{"url": "https://a.example/"}`), c.poster(endpointsRoute, `{"url": "https://b.example/"}`)
	},
	"resumeEndpoint": func(c caller) (first, other post) {
		a, b := c.endpoint("https://a.example/paused"), c.endpoint("https://b.example/paused")
		return c.poster(a.Links["self"]+"/resume", ""), c.poster(b.Links["self"]+"/resume", "")
	},
	"rotateWebhookSecret": func(c caller) (first, other post) {
		return c.poster(secretRoute, ""), c.poster(secretRoute, "something")
	},
	"replayDelivery": func(c caller) (first, other post) {
		c.endpoint("https://a.example/replayed")
		c.endpoint("https://b.example/replayed")
		c.endedTask()
		list := c.deliveries("").Deliveries
		return c.poster(list[0].Links["self"]+"/replay", ""), c.poster(list[1].Links["self"]+"/replay", "")
	},
	"createKey": func(c caller) (first, other post) {
		return c.poster(admin+"/tenants/made/keys", `{"name": "one"}`), c.poster(admin+"/tenants/made/keys", `{"name": "two"}`)
	},
	"rotateKey": func(c caller) (first, other post) {
		_, key, err := c.records.CreateKey(c.t.Context(), records.NewKey{Tenant: "rotated"})
		require.NoError(c.t, err)
		path := fmt.Sprintf("%s/tenants/rotated/keys/%d/rotate", admin, key.ID)
		return c.poster(path, `{"overlap": 60}`), c.poster(path, `{"overlap": 61}`)
	},
}

func estimatesOfVideos(path string) func(caller) (first, other post) {
	return func(c caller) (first, other post) {
		return c.poster(path+"/estimate", `{"model": "motion"}`), c.poster(path+"/estimate", `{"model": "wan"}`)
	}
}

func (c caller) poster(path, body string) post {
	return func(headers ...string) answer {
		return c.do(http.MethodPost, path, strings.NewReader(body), append(headers, "Content-Type: application/json")...)
	}
}

// queuedID is the id of a task that no worker takes up.
func (c caller) queuedID() string {
	c.t.Helper()
	return c.post(toEnglish(image("1.png", page(c.t, "はい")))).is(http.StatusAccepted).task().ID
}

// changes are changes of two tasks, after what prepare does to them.
func changes(change string, prepare func(c caller, id string)) func(caller) (first, other post) {
	return func(c caller) (first, other post) {
		of := func() post {
			id := c.queuedID()
			if prepare != nil {
				prepare(c, id)
			}
			return c.poster(tasksRoute+"/"+id+"/"+change, "")
		}
		return of(), of()
	}
}

// repeats checks that an answer repeats another one.
func (a answer) repeats(first answer) {
	a.t.Helper()
	require.Equal(a.t, "true", a.header.Get(schema.HeaderIdempotentReplayed))
	require.Equal(a.t, first.status, a.status)
	require.Equal(a.t, string(first.body), string(a.body))
	for _, name := range []string{"Content-Type", "Location"} {
		require.Equal(a.t, first.header.Get(name), a.header.Get(name))
	}
}

// Every POST of the description takes an idempotency key, but for the sign-in of a browser, which has no tenant before. Those of new tasks
// have tests of their own.
func TestEveryPostIsRepeatedUnderItsIdempotencyKey(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	var tested []string
	for path, item := range description(t).Paths.Map() {
		if item.Post == nil || item.Post.OperationID == "signIn" {
			continue
		}
		require.NotNil(t, item.Post.Parameters.GetByInAndName("header", schema.HeaderIdempotencyKey), path)
		if strings.HasSuffix(path, "/translations") || strings.HasSuffix(path, "/generations") {
			continue
		}
		tested = append(tested, item.Post.OperationID)
	}
	require.Len(t, repeatable, len(tested))
	c, other := r.callerOf("acme", records.ScopeAdmin), r.callerOf("other", records.ScopeAdmin)
	for _, operation := range tested {
		require.Contains(t, repeatable, operation)
		t.Log(operation)
		conflict := core.CodeConflict
		if strings.HasSuffix(operation, "Video") { // it has words of its own
			conflict = "Conflict"
		}
		repeatsOnce(c, other, conflict, repeatable[operation])
	}
	require.Len(t, recordstest.Rows(t, r.url, `SELECT id FROM api_key WHERE tenant = 'made' AND name = 'one'`), 1)
	require.Len(t, recordstest.Rows(t, r.url, `SELECT id FROM api_key WHERE tenant = 'rotated'`), 5, "three rotations of two keys")
	require.Empty(t, recordstest.Rows(t, r.url, `SELECT key FROM idempotent_request WHERE position('plait_' in encode(answer, 'escape')) > 0`))
}

func repeatsOnce(c, other caller, conflict core.Code, of func(caller) (first, other post)) {
	t := c.t
	first, different := of(c)
	const key = "Idempotency-Key: one of each route"
	answered := first(key)
	require.Equal(t, 2, answered.status/100, "%s", answered.body)
	require.Empty(t, answered.header.Get(schema.HeaderIdempotentReplayed))
	first(key).repeats(answered)
	first(key).repeats(answered)
	different(key).refused(http.StatusConflict, conflict, "belongs to another request")
	require.Equal(t, 2, different("Idempotency-Key: another").status/100)

	// What another tenant does under the key is its own.
	_, same := of(other)
	require.Empty(t, same(key).header.Get(schema.HeaderIdempotentReplayed))
}

// A refused request has no effect, so that its key stays free for a better one.
func TestARefusedRequestKeepsNoIdempotencyKey(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	c := r.callerOf("acme", records.ScopeAdmin)
	const key = "Idempotency-Key: mine"
	keys := admin + "/tenants/made/keys"
	c.poster(keys, `{"scope": "none"}`)(key).is(http.StatusBadRequest)
	made := c.poster(keys, `{"name": "a"}`)(key).is(http.StatusCreated)
	c.poster(keys, `{"name": "a"}`)(key).repeats(made)
	c.poster(keys, `{"name": "a"}`)(key, key).refused(http.StatusBadRequest, core.CodeInvalidInput, "given twice")
	c.poster(keys, `{"name": "a"}`)("Idempotency-Key: "+strings.Repeat("x", 256)).refused(http.StatusBadRequest, core.CodeInvalidInput, "255")

	// After a day the key is free, and sweeps forget it.
	recordstest.Exec(t, r.url, `UPDATE idempotent_request SET expires_at = now()`)
	next := c.poster(keys, `{"name": "b"}`)(key).is(http.StatusCreated)
	require.NotEqual(t, string(made.body), string(next.body))
}

// Of requests that come at once, one is carried out. The others get its answer, or are told to ask again.
func TestRequestsAtOnceUnderOneIdempotencyKey(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	c, beside := r.callerOf("acme", records.ScopeAdmin), newServerBeside(r)
	answers := make([]answer, 16)
	var group errgroup.Group
	for i := range answers {
		group.Go(func() (err error) {
			at := c
			if i%2 == 1 {
				at = beside.as(c)
			}
			answers[i], err = at.try(http.MethodPost, admin+"/tenants/made/keys", strings.NewReader("{}"), "Content-Type: application/json", "Idempotency-Key: at once")
			return err
		})
	}
	require.NoError(t, group.Wait())
	bodies := map[string]bool{}
	for _, a := range answers {
		if a.status == http.StatusCreated {
			bodies[string(a.body)] = true
			continue
		}
		require.Equal(t, "1", a.refused(http.StatusConflict, core.CodeConflict, "under way").header.Get("Retry-After"))
	}
	require.Len(t, bodies, 1)
	require.Len(t, recordstest.Rows(t, r.url, `SELECT id FROM api_key WHERE tenant = 'made'`), 1)
}
