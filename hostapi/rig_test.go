package hostapi_test

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/json"
	"io"
	"log/slog"
	"mime/multipart"
	"net/http"
	"net/http/httptest"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"plait/activities"
	comicsteps "plait/activities/comic"
	"plait/activities/comic/enginetest"
	"plait/hostapi"
	"plait/internal/comic"
	"plait/internal/core"
	"plait/internal/lease"
)

const (
	token    = "a secret of the house"
	maxImage = 1 << 10
)

// rig is a GPU host whose engine reads text.
type rig struct {
	t        testing.TB
	server   *hostapi.Server
	contexts *lease.Cache
	engine   *enginetest.Engine
	clock    *clock
	asked    int
}

type clock struct {
	mu  sync.Mutex
	now time.Time
}

func (c *clock) Now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.now
}

func (c *clock) advance(d time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.now = c.now.Add(d)
}

func newRig(tb testing.TB) *rig {
	tb.Helper()
	r := &rig{t: tb, engine: &enginetest.Engine{}, clock: &clock{now: time.Unix(0, 0)}}
	r.contexts = lease.New(lease.Config{Now: r.clock.Now})
	r.server = newServer()
	r.server.Ready(r.parts())
	return r
}

func newServer() *hostapi.Server {
	return hostapi.New(hostapi.Config{Token: token, MaxImageBytes: maxImage, MaxRequests: 4, Timeout: time.Minute},
		slog.New(slog.DiscardHandler))
}

func (r *rig) parts() hostapi.Parts {
	return hostapi.Parts{
		Contexts: r.contexts, Device: comicsteps.New(comicsteps.Deps{Host: activities.New(activities.Deps{}), Engine: comicsteps.EngineOf(r.engine)}).Device(),
		Translate: func(_ context.Context, in comic.TranslateInput) (out comic.TranslateOutput, err error) {
			r.asked++
			for _, region := range in.Regions {
				out.Translations = append(out.Translations, core.Translation{Index: region.Index, Text: bracketed(region.Text)})
			}
			return out, nil
		},
	}
}

func bracketed(text string) string { return "[" + text + "]" }

// field of a form.
type field struct{ name, value string }

func imageForm(image []byte, more ...field) (body *bytes.Buffer, contentType string) {
	body = &bytes.Buffer{}
	w := multipart.NewWriter(body)
	part, err := w.CreateFormFile("image", "page.png")
	if err == nil {
		_, err = part.Write(image)
	}
	for _, f := range more {
		if err == nil {
			err = w.WriteField(f.name, f.value)
		}
	}
	if err == nil {
		err = w.Close()
	}
	if err != nil {
		panic(err)
	}
	return body, w.FormDataContentType()
}

var toEnglish = []field{{"source_language", "ja"}, {"target_language", "en"}}

// answer is what came back.
type answer struct {
	status int
	header http.Header
	body   []byte
}

func (a answer) code(tb testing.TB) core.Code {
	tb.Helper()
	var refused struct {
		Code    core.Code `json:"code"`
		Message string    `json:"message"`
	}
	require.NoError(tb, json.Unmarshal(a.body, &refused), "%s", a.body)
	require.NotEmpty(tb, refused.Message)
	return refused.Code
}

func post(server *hostapi.Server, path, token, contentType string, body io.Reader) answer {
	request := httptest.NewRequest(http.MethodPost, "/internal/translate/"+path, body)
	request.Header.Set("Content-Type", contentType)
	request.Header.Set(hostapi.TokenHeader, token)
	w := httptest.NewRecorder()
	server.Handler().ServeHTTP(w, request)
	return answer{status: w.Code, header: w.Header(), body: w.Body.Bytes()}
}

func (r *rig) form(path string, image []byte, more ...field) answer {
	body, contentType := imageForm(image, append(toEnglish[:2:2], more...)...)
	return post(r.server, path, token, contentType, body)
}

// found is the part of detect's answer that render needs.
type found struct {
	TaskID       string         `json:"task_id"`
	TTLSeconds   int            `json:"ttl_seconds"`
	ImageHash    string         `json:"image_hash"`
	RegionsCount int            `json:"regions_count"`
	Regions      []comic.Region `json:"regions"`
	FromLang     string         `json:"from_lang"`
}

func (r *rig) detect(image []byte) (f found) {
	r.t.Helper()
	a := r.form("detect", image)
	require.Equal(r.t, http.StatusOK, a.status, "%s", a.body)
	require.NoError(r.t, json.Unmarshal(a.body, &f))
	return f
}

// fill makes contexts for as long as there is room, and returns the last.
func (r *rig) fill() (last found) {
	r.t.Helper()
	for range r.contexts.Stats().Room {
		last = r.detect(enginetest.Page("一"))
	}
	return last
}

// rendering is the request of render.
type rendering struct {
	TaskID       string             `json:"task_id"`
	ImageHash    string             `json:"image_hash"`
	Translations []core.Translation `json:"translated_regions"`
	Selected     string             `json:"selected_model,omitempty"`
	FallbackUsed bool               `json:"fallback_used,omitempty"`
}

func (f found) rendering() rendering {
	in := rendering{TaskID: f.TaskID, ImageHash: f.ImageHash}
	for _, region := range f.Regions {
		in.Translations = append(in.Translations, core.Translation{Index: region.Index, Text: bracketed(region.Text)})
	}
	return in
}

func renderOn(tb testing.TB, server *hostapi.Server, token string, in rendering) answer {
	tb.Helper()
	body, err := json.Marshal(in)
	require.NoError(tb, err)
	return post(server, "render", token, "application/json", bytes.NewReader(body))
}

func (r *rig) render(in rendering) answer {
	r.t.Helper()
	return renderOn(r.t, r.server, token, in)
}

func hashOf(image []byte) string { return string(core.NewBlobRef(sha256.Sum256(image))) }
