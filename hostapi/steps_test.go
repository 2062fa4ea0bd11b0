package hostapi_test

import (
	"context"
	"encoding/json"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	comicsteps "plait/activities/comic"
	"plait/activities/comic/enginetest"
	"plait/hostapi"
	"plait/internal/comic"
	"plait/internal/core"
)

func rendered(lines ...string) string { return string(enginetest.Rendered(bracketed, lines...)) }

func TestAPageInTwoSteps(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	image := enginetest.Page("一", "二")
	f := r.detect(image)
	require.Equal(t, 2, f.RegionsCount)
	require.Equal(t, 300, f.TTLSeconds)
	require.Equal(t, hashOf(image), f.ImageHash)
	require.Equal(t, "ja", f.FromLang)
	require.Equal(t, "en", f.Regions[0].TargetLang)

	in := f.rendering()
	in.Selected, in.FallbackUsed = "模型 a", true
	got := r.render(in)
	require.Equal(t, http.StatusOK, got.status)
	require.Equal(t, rendered("一", "二"), string(got.body))
	require.Equal(t, map[string]string{
		hostapi.HeaderRegionsCount: "2", hostapi.HeaderColdStart: "0", hostapi.HeaderOutputChanged: "1",
		hostapi.HeaderFailureStage: "", hostapi.HeaderPipelineMode: "split", hostapi.HeaderStageElapsed: `{"render":1}`,
		hostapi.HeaderSelectedModel: "%E6%A8%A1%E5%9E%8B%20a", hostapi.HeaderPrimaryModel: "", hostapi.HeaderFallbackModel: "",
		hostapi.HeaderFallbackUsed: "1",
	}, chosen(got.header))
	require.Zero(t, r.contexts.Stats().Leases)
	require.Equal(t, core.CodeCacheMiss, r.render(in).code(t), "a finished context is unknown")
}

// The steps that Temporal delivers may have the device while the page of a request is decoded or encoded.
func TestTheDeviceIsFreeWhileARequestIsDecodedOrEncoded(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	parts := r.parts()
	r.server.Ready(parts)
	var beside []core.Stage
	r.engine.Beside = func(ctx context.Context, stage core.Stage, _ []byte) error {
		beside = append(beside, stage)
		ctx, cancel := context.WithTimeout(ctx, 20*time.Second)
		defer cancel()
		_, _, err := parts.Device.Take(ctx, stage, nil, func(comicsteps.Decoded) (comicsteps.Lettered, error) { return nil, nil })
		return err
	}
	image := enginetest.Page("一", "二")
	require.Equal(t, http.StatusOK, r.render(r.detect(image).rendering()).status)
	require.Equal(t, http.StatusOK, r.form("page", image).status)
	decode, encode := comic.StageDetect, comic.StageRender
	require.Equal(t, []core.Stage{decode, encode, decode, encode}, beside)
}

func TestAPageWithoutText(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	f := r.detect(enginetest.Page())
	require.Empty(t, f.TaskID)
	require.NotNil(t, f.Regions)
	require.Zero(t, r.contexts.Stats().Leases)
	for _, more := range [][]field{nil, {{"translated_regions", "[]"}}} {
		got := r.form("page", enginetest.Page(), more...)
		require.Equal(t, http.StatusOK, got.status)
		require.Equal(t, enginetest.Page(), got.body)
		require.Equal(t, "0", got.header.Get(hostapi.HeaderOutputChanged))
	}
	require.Zero(t, r.asked)
}

func TestAWholePage(t *testing.T) {
	t.Parallel()
	given := `[{"region_index":1,"translation":"[二]"},{"region_index":0,"translation":"[一]"}]`
	for mode, more := range map[core.Mode][]field{
		comic.ModeUnified: nil, comic.ModeFallback: {{"translated_regions", given}},
	} {
		r := newRig(t)
		got := r.form("page", enginetest.Page("一", "二"), more...)
		require.Equal(t, http.StatusOK, got.status, "%s", got.body)
		require.Equal(t, rendered("一", "二"), string(got.body))
		require.Equal(t, string(mode), got.header.Get(hostapi.HeaderPipelineMode))
		require.Equal(t, `{"context":1,"render":1}`, got.header.Get(hostapi.HeaderStageElapsed))
		require.Equal(t, "0", got.header.Get(hostapi.HeaderFallbackUsed))
		require.Zero(t, r.contexts.Stats().Leases)
		require.Equal(t, mode == comic.ModeUnified, r.asked == 1, "what was paid for is not asked again")
	}
}

func TestAFailedRenderLeavesTheContext(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	f := r.detect(enginetest.Page("一"))
	broken := true
	r.engine.Before = func(context.Context, core.Stage, []byte) error {
		switch {
		case broken:
			return core.NewError(core.CodeDevice, "out of memory")
		default:
			return nil
		}
	}
	got := r.render(f.rendering())
	require.Equal(t, http.StatusInternalServerError, got.status)
	require.Equal(t, core.CodeDevice, got.code(t))
	got = r.form("detect", enginetest.Page("一"))
	require.Equal(t, http.StatusInternalServerError, got.status, "not a fault of the image")
	require.Equal(t, "detect", got.header.Get(hostapi.HeaderFailureStage))
	broken = false
	require.Equal(t, rendered("一"), string(r.render(f.rendering()).body))
}

func TestAPanicIsOneRequests(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	r.engine.Before = func(context.Context, core.Stage, []byte) error { panic("an index out of range") }
	require.Equal(t, core.CodeInternal, r.form("detect", enginetest.Page("一")).code(t))
	r.engine.Before = nil
	r.detect(enginetest.Page("一"))
}

func TestRequestsTakeTurnsAndHaveABound(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	release := make(chan struct{})
	r.engine.Before = func(context.Context, core.Stage, []byte) error {
		<-release
		return nil
	}
	answers := make(chan answer, 8)
	for range 8 {
		go func() { answers <- r.form("detect", enginetest.Page("一")) }()
	}
	for range 4 {
		refused := <-answers
		require.Equal(t, http.StatusTooManyRequests, refused.status)
		require.NotEmpty(t, refused.header.Get("Retry-After"))
	}
	close(release)
	for range 4 {
		require.Equal(t, http.StatusOK, (<-answers).status)
	}
	require.Equal(t, 1, r.engine.MostAtOnce(), "the device has one slot")
	require.Equal(t, 4, r.contexts.Stats().Leases)
}

func TestBadRequests(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	page := enginetest.Page("一")
	for name, c := range map[string]struct {
		got  answer
		code core.Code
	}{
		"no image":          {r.form("detect", nil), core.CodeInvalidInput},
		"not an image":      {r.form("detect", enginetest.BrokenPage()), core.CodeInvalidImage},
		"a large image":     {r.form("detect", make([]byte, maxImage+1)), core.CodeTooLarge},
		"a larger request":  {r.form("detect", make([]byte, maxImage+(5<<20))), core.CodeTooLarge},
		"a field twice":     {r.form("detect", page, field{"target_language", "de"}), core.CodeInvalidInput},
		"an unknown field":  {r.form("page", page, field{"traget", "de"}), core.CodeInvalidInput},
		"no JSON":           {r.form("page", page, field{"translated_regions", "{"}), core.CodeRenderInputInvalid},
		"null":              {r.form("page", page, field{"translated_regions", "null"}), core.CodeRenderInputInvalid},
		"too few":           {r.form("page", page, field{"translated_regions", "[]"}), core.CodeRenderInputInvalid},
		"no form":           {post(r.server, "detect", token, "application/json", strings.NewReader("{}")), core.CodeInvalidInput},
		"half a form":       {post(r.server, "detect", token, "multipart/form-data; boundary=b", strings.NewReader("--b\r\nConte")), core.CodeInvalidInput},
		"render no JSON":    {post(r.server, "render", token, "application/json", strings.NewReader("]")), core.CodeRenderInputInvalid},
		"render two bodies": {post(r.server, "render", token, "application/json", strings.NewReader("{}{}")), core.CodeRenderInputInvalid},
		"render a lot":      {post(r.server, "render", token, "application/json", strings.NewReader(`"`+strings.Repeat("a", 5<<20))), core.CodeTooLarge},
	} {
		require.Equal(t, c.code, c.got.code(t), name)
		require.Less(t, c.got.status, 500, name)
	}
	body, contentType := imageForm(page, field{"target_language", "Klingon"})
	require.Equal(t, core.CodeUnknownLanguage, post(r.server, "detect", token, contentType, body).code(t))
}

func TestTheCodesOfTheContractsExamplesAreLanguages(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	for code, want := range map[string]string{"CHS": "zh-Hans", "CHT": "zh-Hant", "jpn": "ja", "ENG": "en"} {
		body, contentType := imageForm(enginetest.Page("一"), field{"target_language", code})
		got := post(r.server, "detect", token, contentType, body)
		var f found
		require.NoError(t, json.Unmarshal(got.body, &f), "%s", got.body)
		require.Equal(t, want, f.Regions[0].TargetLang)
	}
}
