package hostapi_test

import (
	"net/http"
	"testing"

	"github.com/stretchr/testify/require"

	"plait/activities/comic/enginetest"
	"plait/hostapi"
	"plait/internal/core"
	"plait/internal/lease"
)

// attempt is a render that is to be spoilt.
type attempt struct {
	rig    *rig
	server *hostapi.Server
	token  string
	in     rendering
}

// condition is one thing that a render is refused for.
type condition struct {
	code   core.Code
	status int
	spoil  func(*attempt)
}

// inOrder are the conditions in the order in which they answer.
var inOrder = []condition{
	{core.CodeUnauthorized, http.StatusUnauthorized, func(a *attempt) { a.token += "!" }},
	{core.CodeNotReady, http.StatusServiceUnavailable, func(a *attempt) { a.server = newServer() }},
	{core.CodeCacheMiss, http.StatusNotFound, func(a *attempt) { a.in.TaskID = "unknown" }},
	{core.CodeTaskExpired, http.StatusGone, func(a *attempt) { a.rig.clock.advance(lease.DefaultTTL) }},
	{core.CodeImageHashMismatch, http.StatusUnprocessableEntity, func(a *attempt) { a.in.ImageHash = hashOf(nil) }},
	{core.CodeRenderInputInvalid, http.StatusBadRequest, func(a *attempt) { a.in.Translations = a.in.Translations[1:] }},
}

func TestTheFirstConditionOfEveryPairAnswers(t *testing.T) {
	t.Parallel()
	for i, first := range inOrder {
		for _, second := range inOrder[i:] {
			t.Run(string(first.code)+" before "+string(second.code), func(t *testing.T) {
				t.Parallel()
				r := newRig(t)
				a := &attempt{rig: r, server: r.server, token: token, in: r.detect(enginetest.Page("一", "二")).rendering()}
				// Of an unknown context nothing can be said, so both of a pair hold: the unknown one is also expired.
				first.spoil(a)
				if first.code != second.code {
					second.spoil(a)
				}
				got := renderOn(t, a.server, a.token, a.in)
				require.Equal(t, first.code, got.code(t))
				require.Equal(t, first.status, got.status)
				require.Equal(t, "render", got.header.Get(hostapi.HeaderFailureStage))
				require.Equal(t, "0", got.header.Get(hostapi.HeaderOutputChanged))
				require.Zero(t, r.engine.Renders())
			})
		}
	}
}

// detection is a detect that is to be spoilt.
type detection struct {
	rig    *rig
	server *hostapi.Server
	token  string
	image  []byte
}

// detectionsInOrder are what a detect is refused for, in the order in which it is checked.
var detectionsInOrder = []struct {
	name   string
	code   core.Code
	status int
	spoil  func(*detection)
}{
	{"a wrong token", core.CodeUnauthorized, http.StatusUnauthorized, func(d *detection) { d.token += "!" }},
	{"models loading", core.CodeNotReady, http.StatusServiceUnavailable, func(d *detection) { d.server = newServer() }},
	{"no room", core.CodeNotReady, http.StatusServiceUnavailable, func(d *detection) { d.rig.fill() }},
	{"no image", core.CodeInvalidImage, http.StatusBadRequest, func(d *detection) { d.image = enginetest.BrokenPage() }},
}

func TestTheFirstConditionOfEveryPairAnswersADetect(t *testing.T) {
	t.Parallel()
	for i, first := range detectionsInOrder {
		for _, second := range detectionsInOrder[i:] {
			t.Run(first.name+" before "+second.name, func(t *testing.T) {
				t.Parallel()
				r := newRig(t)
				d := &detection{rig: r, server: r.server, token: token, image: enginetest.Page("一")}
				first.spoil(d)
				if first.name != second.name {
					second.spoil(d)
				}
				body, contentType := imageForm(d.image, toEnglish...)
				unread := body.Len()
				got := post(d.server, "detect", d.token, contentType, body)
				require.Equal(t, first.code, got.code(t))
				require.Equal(t, first.status, got.status)
				require.Equal(t, "detect", got.header.Get(hostapi.HeaderFailureStage))
				if first.status != http.StatusBadRequest {
					require.Equal(t, unread, body.Len(), "nothing of the body is read")
				}
				require.Equal(t, first.status == http.StatusServiceUnavailable, got.header.Get("Retry-After") != "")
			})
		}
	}
}

func TestADetectHasTheRoomThatOthersLeave(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	for range 2 * lease.DefaultCapacity {
		require.Equal(t, http.StatusBadRequest, r.form("detect", enginetest.BrokenPage()).status)
		require.Empty(t, r.detect(enginetest.Page()).TaskID, "a page without text leaves nothing")
	}
	found := r.fill()
	require.Equal(t, core.CodeNotReady, r.form("detect", enginetest.Page("一")).code(t))
	require.Equal(t, http.StatusOK, r.form("page", enginetest.Page("一")).status, "a page leaves no context")
	require.Equal(t, http.StatusOK, r.render(found.rendering()).status)
	require.Equal(t, http.StatusOK, r.form("detect", enginetest.Page("一")).status)
	require.Zero(t, r.contexts.Stats().Evicted)
}

func TestDetectAndPageAskForTokenAndModels(t *testing.T) {
	t.Parallel()
	for _, path := range []string{"detect", "page"} {
		r := newRig(t)
		body, contentType := imageForm(enginetest.Page("一"), toEnglish...)
		got := post(newServer(), path, "", contentType, body)
		require.Equal(t, core.CodeUnauthorized, got.code(t), "before readiness")
		require.Positive(t, body.Len(), "nothing of the body is read before")
		got = post(newServer(), path, token, contentType, body)
		require.Equal(t, core.CodeNotReady, got.code(t))
		require.NotEmpty(t, got.header.Get("Retry-After"))
		r.server.Drain()
		require.Equal(t, core.CodeNotReady, r.form(path, enginetest.Page("一")).code(t))
		require.Zero(t, r.engine.Detects())
	}
}

func TestAContextOfADrainingHostIsRendered(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	f := r.detect(enginetest.Page("一"))
	r.server.Drain()
	require.Equal(t, http.StatusOK, r.render(f.rendering()).status)
}
