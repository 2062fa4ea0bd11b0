package hostapi_test

import (
	"net/http"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"plait/activities/comic/enginetest"
	"plait/hostapi"
)

// chosen are the headers of the contract but the one that holds a time.
func chosen(h http.Header) map[string]string {
	all := make(map[string]string)
	for _, name := range slices.Concat(headersOfAll, headersOfModels) {
		if values, ok := h[name]; ok && name != hostapi.HeaderRemoteElapsed {
			all[name] = values[0]
		}
	}
	return all
}

// headersOfAll are those of every answer, and headersOfModels those of render and page besides.
var (
	headersOfAll = []string{
		hostapi.HeaderRegionsCount, hostapi.HeaderStageElapsed, hostapi.HeaderRemoteElapsed, hostapi.HeaderColdStart,
		hostapi.HeaderOutputChanged, hostapi.HeaderFailureStage, hostapi.HeaderPipelineMode,
	}
	headersOfModels = []string{
		hostapi.HeaderSelectedModel, hostapi.HeaderPrimaryModel, hostapi.HeaderFallbackModel, hostapi.HeaderFallbackUsed,
	}
)

// Whatever is answered, and whatever of the request was read before: the headers of the contract are there.
func TestEveryAnswerHasItsHeaders(t *testing.T) {
	t.Parallel()
	ready, loading := newRig(t), newServer()
	for name, c := range map[string]struct {
		got    answer
		status int
		models bool
	}{
		"detect":             {ready.form("detect", enginetest.Page("一")), http.StatusOK, false},
		"page":               {ready.form("page", enginetest.Page("一")), http.StatusOK, true},
		"render":             {ready.render(ready.detect(enginetest.Page("一")).rendering()), http.StatusOK, true},
		"render again":       {ready.render(rendering{TaskID: "unknown"}), http.StatusNotFound, true},
		"detect of nothing":  {ready.form("detect", nil), http.StatusBadRequest, false},
		"page of nothing":    {ready.form("page", nil), http.StatusBadRequest, true},
		"render of nothing":  {post(ready.server, "render", token, "application/json", strings.NewReader("]")), http.StatusBadRequest, true},
		"no token":           {renderOn(t, loading, "", rendering{}), http.StatusUnauthorized, true},
		"no models":          {renderOn(t, loading, token, rendering{}), http.StatusServiceUnavailable, true},
		"a page, no token":   {post(loading, "page", "", "", strings.NewReader("")), http.StatusUnauthorized, true},
		"a detect, no token": {post(loading, "detect", "", "", strings.NewReader("")), http.StatusUnauthorized, false},
	} {
		require.Equal(t, c.status, c.got.status, name)
		for _, header := range headersOfAll {
			require.Len(t, c.got.header[header], 1, "%s: %s", name, header)
		}
		for _, header := range headersOfModels {
			require.Equal(t, c.models, len(c.got.header[header]) == 1, "%s: %s", name, header)
		}
		elapsed, err := strconv.Atoi(c.got.header.Get(hostapi.HeaderRemoteElapsed))
		require.NoError(t, err, name)
		require.GreaterOrEqual(t, elapsed, 0)
	}
}

func TestDetectSaysItsHeaders(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	want := map[string]string{
		hostapi.HeaderRegionsCount: "1", hostapi.HeaderColdStart: "1", hostapi.HeaderOutputChanged: "0",
		hostapi.HeaderFailureStage: "", hostapi.HeaderPipelineMode: "split", hostapi.HeaderStageElapsed: `{"detect":0,"ocr":0}`,
	}
	require.Equal(t, want, chosen(r.form("detect", enginetest.Page("一")).header))
	want[hostapi.HeaderColdStart] = "0"
	require.Equal(t, want, chosen(r.form("detect", enginetest.Page("一")).header))
}
