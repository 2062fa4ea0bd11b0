package api_test

import (
	"bytes"
	"context"
	"encoding/base64"
	"encoding/json"
	"fmt"
	img "image"
	"image/color"
	"image/png"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"plait/api/schema"
	videoschema "plait/api/video/schema"
	"plait/internal/core"
	"plait/internal/picture"
	"plait/internal/records"
	"plait/internal/records/recordstest"
	videorecords "plait/internal/records/video"
	"plait/internal/video"
)

const generations = "/v1/video/generations"

// testCatalog has a model that makes videos from prompts, of a server that nobody asks.
const testCatalog = `
engines: [{name: gpus, protocol: openai, servers: ["http://gpu-1:8000"]}]
models: [{name: wan, engine: gpus, types: [text_to_video, image_to_video], resolutions: [480P, 720P], durations: [5], multiple: 16, price: {second: 0.05}}]
`

// picture is a PNG of a size.
func pictureOf(tb testing.TB, width, height int, alpha uint8) []byte {
	tb.Helper()
	m := img.NewNRGBA(img.Rect(0, 0, width, height))
	for i := range m.Pix {
		m.Pix[i] = byte(i / 7)
	}
	for y := range height {
		for x := range width {
			c := m.NRGBAAt(x, y)
			m.SetNRGBA(x, y, color.NRGBA{R: c.R, G: c.G, B: c.B, A: alpha})
		}
	}
	var b bytes.Buffer
	require.NoError(tb, png.Encode(&b, m))
	return b.Bytes()
}

func uri(content []byte) string {
	return "data:image/png;base64," + base64.StdEncoding.EncodeToString(content)
}

// videoRequest is a request that is accepted, with changes.
func videoRequest(tb testing.TB, change func(*videoschema.Request)) []byte {
	tb.Helper()
	r := videoschema.Request{
		Model: "motion", Type: "image_to_video",
		Input: &videoschema.Input{Prompt: "slow zoom in", Image: uri(pictureOf(tb, 480, 360, 255))}, Parameters: &videoschema.Parameters{},
	}
	if change != nil {
		change(&r)
	}
	b, err := json.Marshal(r)
	require.NoError(tb, err)
	return b
}

func (c caller) postVideo(path string, body []byte, headers ...string) answer {
	c.t.Helper()
	return c.do(http.MethodPost, path, reader(body), append(headers, "Content-Type: application/json")...)
}

// submitted posts a request and returns the id of its task.
func (c caller) submitted(body []byte, headers ...string) string {
	c.t.Helper()
	var a videoschema.Accepted
	c.postVideo(generations, body, headers...).is(http.StatusOK).into(&a)
	require.NotEmpty(c.t, a.RequestID)
	return a.Output.TaskID
}

func (c caller) video(id string) videoschema.Data {
	c.t.Helper()
	var a videoschema.Answer
	c.get(generations + "/" + id).is(http.StatusOK).into(&a)
	require.True(c.t, a.Success)
	require.False(c.t, a.Failed)
	require.Equal(c.t, "200", a.Code)
	require.NotEmpty(c.t, a.RequestID)
	return a.Data
}

// generating begins the generation of a video, as a worker does.
func (r *rig) generating(tenant, id string) (videorecords.Store, records.StageRun) {
	r.t.Helper()
	store := videorecords.New(r.records)
	_, err := store.Task(r.t.Context(), tenant, id)
	require.NoError(r.t, err)
	item, err := store.Item(r.t.Context(), id, 0)
	require.NoError(r.t, err)
	require.NoError(r.t, store.StartTask(r.t.Context(), core.StartTaskInput{TaskID: id}))
	run := records.StageRun{Item: item.Ref, Stage: video.StageGenerate, Rank: 1, Attempt: 1, Mode: video.ModeGenerate, Host: "host"}
	_, err = store.BeginStage(r.t.Context(), run)
	require.NoError(r.t, err)
	return store, run
}

func (r *rig) finished(store videorecords.Store, run records.StageRun) {
	r.t.Helper()
	content := []byte("\x00\x00\x00\x10ftypmp42\x00\x00\x00\x00")
	ref, _, err := r.blobs.Put(context.WithoutCancel(r.t.Context()), reader(content), int64(len(content)))
	require.NoError(r.t, err)
	require.NoError(r.t, store.Finish(r.t.Context(), run, records.Finished{Mode: run.Mode, Result: ref}, videorecords.File{Width: 2, Height: 2, Frames: 1, Duration: time.Second}))
	_, err = store.FinishTask(r.t.Context(), core.FinishTaskInput{TaskID: run.Item.TaskID})
	require.NoError(r.t, err)
}

// A video from its request to its deletion, by both prefixes.
func TestTheLifeOfAVideo(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	c := r.caller("tenant")
	id := c.submitted(videoRequest(t, func(v *videoschema.Request) {
		v.Input.Prompt, v.Input.NegativePrompt = strings.Repeat("鯨", 900), strings.Repeat("x", 600)
		v.Parameters.Resolution = "720P"
	}))
	d := c.video(id)
	require.Equal(t, []any{id, id, video.StatusQueued, 0, 1}, []any{d.ID, d.TaskID, d.Status, *d.Progress, d.QueuePosition})
	require.Equal(t, strings.Repeat("鯨", 800), d.Input.Prompt, "a character is a rune")
	require.Nil(t, d.Input.ActualPrompt)
	require.Equal(t, []any{video.Resolution720, 5, 1, "motion", video.ImageToVideo, "video/mp4"},
		[]any{d.Input.Resolution, d.Input.Duration, d.Input.VideoCount, d.Model, d.Type, d.MediaType})
	require.Equal(t, d.SubmitTime.UnixMilli(), d.CreatedTimestamp)
	require.Nil(t, d.ScheduledTime)
	require.Contains(t, string(c.get(generations+"/"+id).body), `"actual_prompt":null`)

	store, run := r.generating("tenant", id)
	require.Equal(t, video.StatusQueued, c.video(id).Status, "no engine has taken it up")
	require.NoError(t, store.Claim(t.Context(), run))
	require.NoError(t, store.SavePercent(t.Context(), run, 42))
	d = c.video(id)
	require.Equal(t, []any{video.StatusRunning, 42}, []any{d.Status, *d.Progress})
	require.NotNil(t, d.ScheduledTime)
	c.do(http.MethodDelete, generations+"/"+id, nil).refused(http.StatusConflict, "Conflict", "being made")

	r.finished(store, run)
	d = c.video(id)
	require.Equal(t, []any{video.StatusSucceeded, 100}, []any{d.Status, *d.Progress})
	require.NotNil(t, d.CompletedTime)
	require.GreaterOrEqual(t, d.Input.Seed, int64(0))
	link := strings.TrimPrefix(d.Input.VideoURL, c.address)
	got := caller{r, "", ""}.get(link).is(http.StatusOK)
	require.Equal(t, "video/mp4", got.header.Get("Content-Type"))
	require.Equal(t, "cross-origin", got.header.Get("Cross-Origin-Resource-Policy"), "pages of the client show it")

	var same videoschema.Answer
	c.get("/api/v1/video/generations/tasks/" + id).is(http.StatusOK).into(&same)
	require.Equal(t, d.Status, same.Data.Status)
	c.do(http.MethodDelete, "/api/v1/video/generations/"+id, nil).is(http.StatusOK)
	require.Equal(t, videoschema.Data{ID: id, TaskID: id, Status: video.StatusUnknown}, c.video(id))
	caller{r, "", ""}.get(link).is(http.StatusNotFound)
	r.nothingLeft()
}

func TestVideosThatNobodyHas(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	c := r.caller("tenant")
	id := c.submitted(videoRequest(t, nil))
	require.Equal(t, video.StatusUnknown, r.caller("other").video(id).Status)
	require.Equal(t, video.StatusUnknown, c.video("never-was").Status)
	require.Equal(t, video.StatusUnknown, c.video("%20").Status)
	r.caller("other").do(http.MethodDelete, generations+"/"+id, nil).refused(http.StatusNotFound, "NotFound", id)

	store, run := r.generating("tenant", id)
	require.NoError(t, store.Claim(t.Context(), run))
	require.NoError(t, store.FailItem(t.Context(), run.Item, run.Mode, core.Failure{Stage: video.StageGenerate, Code: core.CodeEngineRefused, Message: "no"}))
	_, err := store.FinishTask(t.Context(), core.FinishTaskInput{TaskID: id})
	require.NoError(t, err)
	d := c.video(id)
	require.Equal(t, []any{video.StatusFailed, "InvalidParameter.DataInspection", "no"}, []any{d.Status, d.Code, d.Message})
	recordstest.Exec(t, r.url, `UPDATE task SET ended_at = now() - interval '24 hours 1 second' WHERE id = $1`, id)
	require.Equal(t, videoschema.Data{ID: id, TaskID: id, Status: video.StatusUnknown}, c.video(id))
	swept, err := r.server.Tasks.Sweep(t.Context())
	require.NoError(t, err)
	require.Equal(t, 1, swept.TasksDeleted)
	r.nothingLeft()
}

func TestAVideoThatWaitsIsCanceled(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	c := r.caller("tenant")
	id := c.submitted(videoRequest(t, nil))
	var d videoschema.Deleted
	c.do(http.MethodDelete, generations+"/tasks/"+id, nil).is(http.StatusOK).into(&d)
	require.Equal(t, video.StatusCanceled, d.Output.Status)
	require.Equal(t, video.StatusCanceled, c.video(id).Status)
	c.do(http.MethodDelete, generations+"/"+id, nil).refused(http.StatusConflict, "Conflict", "24 hours")
}

// The same resources are below both prefixes: each sees what the other has made, with its events as both kinds of streams.
func TestVideosBelowBothPrefixes(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	c := r.caller("tenant")
	const prefixed = "/api" + generations
	for at, other := range map[string]string{generations: prefixed, prefixed: generations} {
		var accepted videoschema.Accepted
		c.postVideo(at, videoRequest(t, nil)).is(http.StatusOK).into(&accepted)
		require.Equal(t, video.StatusQueued, accepted.Output.Status)
		id := accepted.Output.TaskID
		streams := []*stream{c.serverSent(at + "/" + id + "/events"), c.webSocket(at + "/" + id + "/events")}
		store, run := r.generating("tenant", id)
		require.NoError(t, store.Claim(t.Context(), run))
		require.NoError(t, store.SavePercent(t.Context(), run, 42))
		for _, path := range []string{at, at + "/tasks", other, other + "/tasks"} {
			var state videoschema.Answer
			c.get(path + "/" + id).is(http.StatusOK).into(&state)
			require.Equal(t, []any{video.StatusRunning, 42}, []any{state.Data.Status, *state.Data.Progress}, path)
			c.do(http.MethodDelete, path+"/"+id, nil).refused(http.StatusConflict, "Conflict", "being made")
		}
		r.finished(store, run)
		for _, s := range streams {
			events := []schema.Event{s.next()}
			require.Equal(t, schema.EventTaskSnapshot, events[0].Type)
			percent := 0
			for events[len(events)-1].Type != schema.EventTaskEnded {
				e := s.next()
				if e.Data.Item != nil {
					percent = max(percent, e.Data.Item.Percent)
				}
				events = append(events, e)
			}
			require.GreaterOrEqual(t, percent, 42)
			end := events[len(events)-1].Data
			require.Equal(t, core.StatusSuccess, end.Status)
			require.NotEmpty(t, end.Links["result"])
		}
		var deleted videoschema.Deleted
		c.do(http.MethodDelete, at+"/"+id, nil).is(http.StatusOK).into(&deleted)
		require.Equal(t, video.StatusSucceeded, deleted.Output.Status)
		for _, path := range []string{at, at + "/tasks", other, other + "/tasks"} {
			var state videoschema.Answer
			c.get(path + "/" + id).is(http.StatusOK).into(&state)
			require.Equal(t, video.StatusUnknown, state.Data.Status, path)
			c.do(http.MethodDelete, path+"/"+id, nil).refused(http.StatusNotFound, "NotFound", id)
		}
		c.get(at+"/"+id+"/events").refused(http.StatusNotFound, "NotFound", id)
	}
	r.nothingLeft()
}

// A client that sends its image slowly delays no other one.
func TestASlowUploadDelaysNoVideo(t *testing.T) {
	t.Parallel()
	c := newRig(t).caller("tenant")
	body := videoRequest(t, func(v *videoschema.Request) { v.Input.Image = uri(imagesOf(t, colored(480, 360))[picture.BMP]) })
	slow := c.raw(fmt.Sprintf("POST %s HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer %s\r\nContent-Type: application/json\r\nContent-Length: %d\r\nExpect: 100-continue\r\nConnection: close\r\n\r\n",
		generations, c.key, len(body)))
	reads := "HTTP/1.1 100 Continue\r\n\r\n" // the server waits for the body
	got := make([]byte, len(reads))
	_, err := io.ReadFull(slow, got)
	require.NoError(t, err)
	require.Equal(t, reads, string(got))
	c.submitted(body)
	_, err = slow.Write(body)
	require.NoError(t, err)
	require.Equal(t, http.StatusOK, rawStatus(t, slow), "it was not given up either")
}

func TestAVideoIsRequestedOnce(t *testing.T) {
	t.Parallel()
	c := newRig(t).caller("tenant")
	body := videoRequest(t, nil)
	id := c.submitted(body, "Idempotency-Key: one")
	require.Equal(t, id, c.submitted(body, "Idempotency-Key: one"), "although the seed is drawn")
	other := videoRequest(t, func(v *videoschema.Request) { v.Input.Prompt = "another" })
	c.postVideo(generations, other, "Idempotency-Key: one").refused(http.StatusConflict, "Conflict", "idempotency key")
	require.NotEqual(t, id, c.submitted(body))
}

func TestVideosFromPrompts(t *testing.T) {
	t.Parallel()
	c := newRig(t).caller("tenant")
	seed := int64(2147483647)
	id := c.submitted(videoRequest(t, func(v *videoschema.Request) {
		v.Model, v.Type, v.Input.Image, v.Parameters.Seed = "wan", "text_to_video", "", &seed
	}))
	d := c.video(id)
	require.Equal(t, []any{video.TextToVideo, seed, video.Resolution480, 0.25}, []any{d.Type, d.Input.Seed, d.Input.Resolution, d.Price})
	var task schema.Task
	c.get("/v1/tasks/" + id).is(http.StatusOK).into(&task)
	o := videoschema.TaskOf(task)
	require.Equal(t, []any{832, 480, "gpus", video.StatusQueued}, []any{o.Options.Width, o.Options.Height, o.Options.Engine, o.Details.State})
}

// A resolution above those of a model is made in its largest one, and enlarged.
func TestAResolutionAboveThoseOfAModel(t *testing.T) {
	t.Parallel()
	c := newRig(t).caller("tenant")
	id := c.submitted(videoRequest(t, func(v *videoschema.Request) { v.Model, v.Parameters.Resolution = "wan", "1080P" }))
	d := c.video(id)
	require.Equal(t, []any{video.Resolution1080, 0, 0.25}, []any{d.Input.Resolution, d.Input.Scale, d.Price})
	require.Equal(t, &videoschema.Upscale{}, d.Upscale)
	var task schema.Task
	c.get("/v1/tasks/" + id).is(http.StatusOK).into(&task)
	o := videoschema.TaskOf(task).Options
	require.Equal(t, video.Size{Width: 1104, Height: 832}, *o.Generated, "4:3 in 720P, in multiples of 16")
	require.Equal(t, []int{1662, 1248, 2}, []int{o.Width, o.Height, o.Scale})
}

// An estimate says what a video costs and when it would be made; it keeps nothing.
func TestAnEstimateOfAVideo(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	c := r.caller("tenant")
	estimate := func(body string) (e videoschema.Estimated) {
		c.postVideo(generations+"/estimate", []byte(body)).is(http.StatusOK).into(&e)
		require.NotEmpty(t, e.RequestID)
		return e
	}
	e := estimate(`{"model": "wan", "parameters": {"resolution": "720P"}}`)
	require.Equal(t, videoschema.Estimate{Model: "wan", Resolution: video.Resolution720, Duration: 5, Price: 0.25, QueuePosition: 1}, e.Output)
	require.Equal(t, "motion", estimate(string(videoRequest(t, nil))).Output.Model, "the body of a request")
	require.Equal(t, videoschema.Estimate{Model: "realesr-animevideov3", QueuePosition: 1}, estimate(string(upscaleRequest(t, nil))).Output)
	r.nothingLeft()

	ids := []string{c.submitted(videoRequest(t, nil)), c.submitted(videoRequest(t, nil))}
	require.Equal(t, 3, estimate(`{"model": "motion"}`).Output.QueuePosition)
	require.Equal(t, 1, estimate(`{"model": "wan"}`).Output.QueuePosition, "the queue of another engine")
	for i, id := range ids {
		store, run := r.generating("tenant", id)
		require.NoError(t, store.Claim(t.Context(), run))
		if i == 0 {
			recordstest.Exec(t, r.url, `UPDATE video SET claimed_at = now() - interval '20 seconds' WHERE task_id = $1`, id)
			r.finished(store, run) // of one second
		}
	}
	e = estimate(`{"model": "motion", "parameters": {"duration": 10}}`)
	require.InDelta(t, 200, e.Output.ProcessingSeconds, 100, "20 seconds for each")
	require.NotNil(t, e.Output.EstimatedStart)
	require.Zero(t, estimate(`{"model": "motion", "parameters": {"resolution": "1080P"}}`).Output.ProcessingSeconds, "none was made")

	for body, what := range map[string]string{
		`{}`: "model is missing", `{"model": "motion", "type": "text_to_video"}`: "type", `{"model": "motion", "parameters": {"duration": 99}}`: "duration",
		`{"model": "realesr-animevideov3", "parameters": {"scale": 3}}`: "scale", `{"model": "motion", "colour": 1}`: "colour",
	} {
		c.postVideo(generations+"/estimate", []byte(body)).refused(http.StatusBadRequest, "InvalidParameter", what)
	}
	c.postVideo("/api"+generations+"/estimate", []byte(`{"model": "sora"}`)).refused(http.StatusNotFound, "ModelNotFound", "sora")
}

// upscaleRequest is a request for an enlarged video that is accepted, with changes.
func upscaleRequest(tb testing.TB, change func(*videoschema.Request)) []byte {
	tb.Helper()
	content := base64.StdEncoding.EncodeToString([]byte("\x00\x00\x00\x10ftypmp42\x00\x00\x00\x00"))
	r := videoschema.Request{
		Model: "realesr-animevideov3", Type: "video_upscale", Input: &videoschema.Input{Video: "data:video/mp4;base64," + content},
		Parameters: &videoschema.Parameters{},
	}
	if change != nil {
		change(&r)
	}
	b, err := json.Marshal(r)
	require.NoError(tb, err)
	return b
}

// A video to enlarge is sent with the request or before it, and the state says how it is enlarged.
func TestTheLifeOfAnEnlargedVideo(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	c := r.caller("tenant")
	clip := []byte("\x1a\x45\xdf\xa3 more of a Matroska file")
	var uploaded schema.Blob
	c.do(http.MethodPost, "/v1/blobs", reader(clip), "Content-Type: video/x-matroska").is(http.StatusCreated).into(&uploaded)
	four := 4
	request := upscaleRequest(t, func(v *videoschema.Request) { v.Input.Video, v.Parameters.Scale = string(uploaded.Blob), &four })
	id := c.submitted(request, "Idempotency-Key: once")
	require.Equal(t, id, c.submitted(request, "Idempotency-Key: once"))
	d := c.video(id)
	require.Equal(t, []any{video.VideoUpscale, video.StatusQueued, 4, 0, 1}, []any{d.Type, d.Status, d.Input.Scale, d.Input.Duration, d.QueuePosition})
	require.Equal(t, &videoschema.Upscale{}, d.Upscale)
	item, err := r.records.Item(t.Context(), id, 0)
	require.NoError(t, err)
	require.Equal(t, uploaded.Blob, item.Ref.Blob)

	store, run := r.generating("tenant", id)
	require.NoError(t, store.Claim(t.Context(), run))
	require.NoError(t, store.BeginUpscale(t.Context(), run, "basic", false))
	d = c.video(id)
	require.Equal(t, "basic", d.Upscale.Mode)
	require.NotNil(t, d.Upscale.StartedAt)
	content := []byte("\x00\x00\x00\x10ftypmp42\x00\x00\x00\x00")
	ref, _, err := r.blobs.Put(t.Context(), reader(content), int64(len(content)))
	require.NoError(t, err)
	split := 7
	_, err = store.FinishUpscale(t.Context(), run, records.Finished{Mode: run.Mode, Result: ref}, videorecords.File{Width: 2, Height: 2, Frames: 1, Duration: time.Second},
		videorecords.Upscale{Split: &split, Resumed: 3, Processing: 1500, Busy: map[string]int64{"cpu:0": 1250}})
	require.NoError(t, err)
	_, err = store.FinishTask(t.Context(), core.FinishTaskInput{TaskID: id})
	require.NoError(t, err)
	d = c.video(id)
	require.Equal(t, []any{7, 3, 1.5, map[string]float64{"cpu:0": 1.25}}, []any{*d.Upscale.Split, d.Upscale.ResumedFrames, d.Upscale.ProcessingSeconds, d.Upscale.BusySeconds})
	require.NotNil(t, d.Upscale.FinishedAt)
	var task schema.Task
	c.get("/v1/tasks/" + id).is(http.StatusOK).into(&task)
	require.Equal(t, d.Upscale, videoschema.TaskOf(task).Details.Upscale)

	other := c.submitted(upscaleRequest(t, nil))
	require.Equal(t, 2, c.video(other).Input.Scale)
	c.do(http.MethodDelete, generations+"/"+other, nil).is(http.StatusOK)
	c.do(http.MethodDelete, generations+"/"+id, nil).is(http.StatusOK)
}
