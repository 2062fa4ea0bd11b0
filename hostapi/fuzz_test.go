package hostapi_test

import (
	"bytes"
	"net/http"
	"testing"

	"github.com/stretchr/testify/require"

	"plait/activities/comic/enginetest"
)

func FuzzForm(f *testing.F) {
	body, contentType := imageForm(enginetest.Page("一"), append(toEnglish[:2:2], field{"translated_regions", `[{"region_index":0,"translation":"x"}]`})...)
	f.Add(contentType, body.Bytes())
	f.Add("multipart/form-data; boundary=b", []byte("--b\r\nContent-Disposition: form-data; name=\"image\"\r\n\r\nx\r\n--b--"))
	f.Fuzz(func(t *testing.T, contentType string, body []byte) {
		r := newRig(t)
		for _, path := range []string{"detect", "page"} {
			require.Less(t, post(r.server, path, token, contentType, bytes.NewReader(body)).status, http.StatusInternalServerError)
		}
	})
}

func FuzzRendering(f *testing.F) {
	f.Add([]byte(`{"task_id":"a","image_hash":"sha256:0","translated_regions":[{"region_index":0,"translation":"x"}]}`))
	f.Add([]byte(`{"translated_regions":null,"fallback_used":1}`))
	f.Fuzz(func(t *testing.T, body []byte) {
		got := post(newRig(t).server, "render", token, "application/json", bytes.NewReader(body))
		require.Contains(t, []int{http.StatusNotFound, http.StatusBadRequest}, got.status)
	})
}
