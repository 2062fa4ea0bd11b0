package api_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"plait/api/client"
	comicclient "plait/api/comic/client"
)

// The client submits files by URL, and finds the task of an earlier run without a second fetch.
func TestClientSubmitsURLs(t *testing.T) {
	t.Parallel()
	w := newWeb(t, testConfig())
	first := w.server.Put("1.png", page(t, "はい"))
	c, err := client.New(w.address, w.key)
	require.NoError(t, err)
	t.Cleanup(c.CloseIdleConnections)
	request := comicclient.Request{From: "ja", To: "en", URLs: []string{first}}.Request()
	task, err := c.Submit(t.Context(), request, [32]byte{}, false)
	require.NoError(t, err)
	require.Equal(t, 1, task.TotalCount)
	again, err := c.Submit(t.Context(), request, [32]byte{}, false)
	require.NoError(t, err)
	require.True(t, again.Continued)
	require.Equal(t, task.ID, again.ID)
	require.Equal(t, 1, w.server.Requests())
	request.URLs = append(request.URLs, w.server.Put("2.png", page(t)))
	other, err := c.Submit(t.Context(), request, [32]byte{}, false)
	require.NoError(t, err)
	require.NotEqual(t, task.ID, other.ID)
	require.Equal(t, 2, other.TotalCount)
}
