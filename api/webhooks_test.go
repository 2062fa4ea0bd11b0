package api_test

import (
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"plait/api/schema"
	"plait/internal/core"
	"plait/internal/fetch"
	"plait/internal/records"
)

const (
	endpointsRoute  = "/v1/webhooks/endpoints"
	deliveriesRoute = "/v1/webhooks/deliveries"
	secretRoute     = "/v1/webhooks/secret"
)

func (c caller) postBody(path, body string) answer {
	c.t.Helper()
	return c.do(http.MethodPost, path, strings.NewReader(body), "Content-Type: application/json")
}

func (c caller) endpoint(url string) (e schema.Endpoint) {
	c.t.Helper()
	c.postBody(endpointsRoute, fmt.Sprintf(`{"url": %q}`, url)).into(&e)
	return e
}

func (c caller) deliveries(query string) (list schema.DeliveryList) {
	c.t.Helper()
	c.get(deliveriesRoute + query).is(http.StatusOK).into(&list)
	return list
}

// endedTask is a task that was canceled before a worker took it up.
func (c caller) endedTask(fields ...string) chapter {
	c.t.Helper()
	body := fmt.Sprintf(`{"to": "en", "files": [{"name": "1.png", "blob": %q}]%s}`, c.uploaded(page(c.t, "はい")), strings.Join(fields, ""))
	task := c.postJSON(body).is(http.StatusAccepted).task()
	_, err := c.records.FinishTask(c.t.Context(), core.FinishTaskInput{TaskID: task.ID, Canceled: true})
	require.NoError(c.t, err)
	return task
}

func (c caller) uploaded(file []byte) string {
	c.t.Helper()
	var upload schema.Blob
	c.do(http.MethodPost, "/v1/blobs", reader(file)).is(http.StatusCreated).into(&upload)
	return string(upload.Blob)
}

func TestEndpointsAreManaged(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	c, other := r.caller("owner"), r.caller("stranger")
	first := c.endpoint("https://a.example/hook?key=1")
	require.Equal(t, "https://a.example/hook?key=1", first.URL)
	created := c.postBody(endpointsRoute, `{"url": "https://a.example/2"}`).is(http.StatusCreated)
	again := c.postBody(endpointsRoute, `{"url": "https://a.example/2"}`).is(http.StatusOK)
	require.Equal(t, created.header.Get("Location"), again.header.Get("Location"))
	require.Equal(t, created.body, again.body)

	var list schema.EndpointList
	c.get(endpointsRoute).is(http.StatusOK).into(&list)
	require.Len(t, list.Endpoints, 2)
	require.Equal(t, first, list.Endpoints[0])
	c.get(first.Links["self"]).is(http.StatusOK)
	c.get(first.Links["deliveries"]).is(http.StatusOK)
	c.do(http.MethodPost, first.Links["self"]+"/resume", nil).is(http.StatusOK)

	other.get(endpointsRoute).is(http.StatusOK).into(&list)
	require.Empty(t, list.Endpoints)
	for _, id := range []string{first.Links["self"], endpointsRoute + "/none", endpointsRoute + "/a..b"} {
		other.get(id).refused(http.StatusNotFound, core.CodeNotFound, "there is no endpoint")
		other.do(http.MethodPost, id+"/resume", nil).refused(http.StatusNotFound, core.CodeNotFound, "there is no endpoint")
		other.do(http.MethodDelete, id, nil).refused(http.StatusNotFound, core.CodeNotFound, "there is no endpoint")
	}
	c.do(http.MethodDelete, first.Links["self"], nil).is(http.StatusNoContent)
	c.get(first.Links["self"]).is(http.StatusNotFound)

	for i := range records.MaxEndpoints {
		c.endpoint(fmt.Sprintf("https://b.example/%d", i))
	}
	c.postBody(endpointsRoute, `{"url": "https://c.example"}`).refused(http.StatusConflict, core.CodeConflict, "20 endpoints")
}

func TestURLsOfWebhooksAreChecked(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	c := r.caller("owner")
	blob := c.uploaded(page(t, "はい"))
	for url, what := range map[string]string{
		"":                      "missing or empty",
		"nonsense":              "only http and https URLs are allowed",
		"ftp://a.example":       "only http and https URLs are allowed",
		"https://":              "no host",
		"https://u:p@a.example": "user name or password",
		"http://2130706433/":    "neither a name nor an address",
		"https://a.example:22/": "this port is not used for HTTP",
		"https://a.example/%zz": "cannot be read",
		"https://" + strings.Repeat("a", fetch.MaxURL): "more than",
	} {
		c.postBody(endpointsRoute, fmt.Sprintf(`{"url": %q}`, url)).refused(http.StatusBadRequest, core.CodeInvalidInput, what)
		c.postJSON(fmt.Sprintf(`{"to": "en", "callback_url": %q, "files": [{"name": "1.png", "blob": %q}]}`, url, blob)).
			refused(http.StatusBadRequest, core.CodeInvalidInput, "callback_url")
	}
	c.postBody(endpointsRoute, `{"url": "https://a.example", "events": []}`).refused(http.StatusBadRequest, core.CodeInvalidInput, "events")
	c.postBody(endpointsRoute, `{}`).refused(http.StatusBadRequest, core.CodeInvalidInput, "url is missing")
	c.get(deliveriesRoute+"?status=lost").refused(http.StatusBadRequest, core.CodeInvalidInput, "lost")
	c.get(deliveriesRoute+"?task=a%20b").refused(http.StatusBadRequest, core.CodeInvalidInput, "not an id")
	c.get(deliveriesRoute+"?after=x").refused(http.StatusBadRequest, core.CodeInvalidInput, "cursor")
	c.get(deliveriesRoute+"?limit=0").refused(http.StatusBadRequest, core.CodeInvalidInput, "limit")
}

func TestTheCallbackURLIsAPartOfTheRequest(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	c := r.caller("owner")
	request := func(url string) answer {
		return c.post(toEnglish(image("1.png", page(t, "はい")), field("callback_url", url)), "Idempotency-Key: k")
	}
	task := request("https://a.example/1").is(http.StatusAccepted).task()
	require.Equal(t, "https://a.example/1", task.CallbackURL)
	require.Equal(t, task.ID, request("https://a.example/1").is(http.StatusOK).task().ID)
	request("https://a.example/2").refused(http.StatusConflict, core.CodeConflict, "another request")
	require.Equal(t, "https://a.example/1", c.get(tasksRoute+"/"+task.ID).is(http.StatusOK).task().CallbackURL)
}

func TestDeliveriesAreListedAndReplayed(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	c, other := r.caller("owner"), r.caller("stranger")
	e := c.endpoint("https://a.example/hook")
	c.endpoint("https://b.example/hook")
	first := c.endedTask(`, "callback_url": "https://c.example/call"`)
	second := c.endedTask()

	all := c.deliveries("")
	require.Len(t, all.Deliveries, 5)
	require.Empty(t, all.Next)
	page := c.deliveries("?limit=3")
	require.Equal(t, all.Deliveries, append(page.Deliveries, c.deliveries("?limit=3&after="+page.Next).Deliveries...))
	require.Len(t, c.deliveries("?task="+second.ID).Deliveries, 2)
	require.Len(t, c.deliveries("?endpoint="+e.ID).Deliveries, 2)
	require.Len(t, c.deliveries("?status=pending&task="+first.ID).Deliveries, 3)
	require.Empty(t, c.deliveries("?status=failed").Deliveries)
	of := all.Deliveries[slices.IndexFunc(all.Deliveries, func(d schema.Delivery) bool { return d.URL == "https://c.example/call" })]
	require.Empty(t, of.EndpointID)
	require.Equal(t, first.ID, of.TaskID)
	require.Equal(t, schema.EventTaskEnded, of.Type)
	c.get(of.Links["task"]).is(http.StatusOK)

	var d schema.Delivery
	replay := of.Links["self"] + "/replay"
	c.do(http.MethodPost, replay, nil).is(http.StatusAccepted).into(&d)
	require.Equal(t, of, d, "it is still being tried")
	round := records.Round{DeliveryID: of.ID}
	require.NoError(t, r.records.RecordAttempt(t.Context(), round, records.Attempt{Delivered: true, Status: 200}))
	c.get(of.Links["self"]).is(http.StatusOK).into(&d)
	require.Equal(t, "delivered", d.Status)
	c.do(http.MethodPost, replay, nil).is(http.StatusAccepted).into(&d)
	require.Equal(t, "pending", d.Status)

	lost := c.deliveries("?endpoint=" + e.ID).Deliveries[0]
	c.do(http.MethodDelete, e.Links["self"], nil).is(http.StatusNoContent)
	c.get(lost.Links["self"]).is(http.StatusOK).into(&d)
	require.Equal(t, "failed", d.Status)
	c.do(http.MethodPost, lost.Links["self"]+"/replay", nil).refused(http.StatusConflict, core.CodeConflict, "deleted")

	require.Empty(t, other.deliveries("").Deliveries)
	require.Empty(t, other.deliveries("?task="+first.ID).Deliveries)
	other.get(of.Links["self"]).refused(http.StatusNotFound, core.CodeNotFound, "there is no delivery")
	other.do(http.MethodPost, replay, nil).refused(http.StatusNotFound, core.CodeNotFound, "there is no delivery")
}

func TestTheSecretIsRotated(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	c := r.caller("owner")
	var first, same, second, foreign schema.WebhookSecret
	c.get(secretRoute).is(http.StatusOK).into(&first)
	c.get(secretRoute).is(http.StatusOK).into(&same)
	require.Equal(t, first, same)
	require.Regexp(t, "^whsec_", first.Secret)
	require.Nil(t, first.PreviousExpiresAt)
	c.do(http.MethodPost, secretRoute, nil).is(http.StatusOK).into(&second)
	require.NotEqual(t, first.Secret, second.Secret)
	require.NotNil(t, second.PreviousExpiresAt)
	c.get(secretRoute).is(http.StatusOK).into(&same)
	require.Equal(t, second, same)

	r.caller("stranger").get(secretRoute).is(http.StatusOK).into(&foreign)
	require.NotContains(t, []string{first.Secret, second.Secret}, foreign.Secret)
	// Who can sign can pretend to be Plait.
	r.callerOf("owner", records.ScopeRead).get(secretRoute).refused(http.StatusForbidden, core.CodeForbidden, "write")
	for range records.MaxWebhookSecrets - 2 {
		c.do(http.MethodPost, secretRoute, nil).is(http.StatusOK)
	}
	c.do(http.MethodPost, secretRoute, nil).refused(http.StatusConflict, core.CodeConflict, "secrets")
}
