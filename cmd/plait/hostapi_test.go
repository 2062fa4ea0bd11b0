package main

import (
	"bytes"
	"io"
	"mime/multipart"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"testing"

	"github.com/stretchr/testify/require"

	"plait/hostapi"
)

const hostToken = "a token of sixteen characters, and more"

// overHTTP is a page, taken whole by the GPU host of `plait up`.
func (in *sandbox) overHTTP(path string) []byte {
	in.t.Helper()
	var form bytes.Buffer
	w := multipart.NewWriter(&form)
	part, err := w.CreateFormFile("image", filepath.Base(path))
	require.NoError(in.t, err)
	image, err := os.ReadFile(path)
	require.NoError(in.t, err)
	_, err = part.Write(image)
	require.NoError(in.t, err)
	require.NoError(in.t, w.WriteField("source_language", "ja"))
	require.NoError(in.t, w.WriteField("target_language", "de"))
	require.NoError(in.t, w.Close())
	request, err := http.NewRequestWithContext(in.t.Context(), http.MethodPost, "http://"+in.hostAddress()+"/internal/translate/page", &form)
	require.NoError(in.t, err)
	request.Header.Set("Content-Type", w.FormDataContentType())
	request.Header.Set(hostapi.TokenHeader, hostToken)
	response, err := http.DefaultClient.Do(request)
	require.NoError(in.t, err)
	defer response.Body.Close()
	answer, err := io.ReadAll(response.Body)
	require.NoError(in.t, err)
	require.Equal(in.t, http.StatusOK, response.StatusCode, "%.200s", answer)
	return answer
}

// hostAddress is where the worker of `plait up` serves, as its log says.
func (in *sandbox) hostAddress() (address string) {
	in.t.Helper()
	said := regexp.MustCompile(`serving the split contract.* address=(\S+)`)
	eventually(in.t, func() bool {
		b, err := os.ReadFile(filepath.Join(in.data, "logs", "worker.log"))
		require.NoError(in.t, err)
		found := said.FindSubmatch(b)
		if found != nil {
			address = string(found[1])
		}
		return found != nil
	}, "the host serves")
	return address
}

func TestAHostWithoutATokenDoesNotStart(t *testing.T) {
	t.Parallel()
	in := newInstallation(t, "PLAIT_HOST_API_ADDRESS=127.0.0.1:0", "PLAIT_HOST_API_TOKEN=short",
		"DATABASE_URL=postgres://nobody@127.0.0.1:1/none", "TEMPORAL_ADDRESS=127.0.0.1:1")
	f := in.plait("worker", "--role", "gpu")
	require.NotZero(t, f.status)
	require.Contains(t, f.stderr, "host_api.token")
}
