package main

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/stretchr/testify/require"

	videoschema "plait/api/video/schema"
)

// A page of a client plays a video by its link: the browser decodes the frames, which have the size and the duration that were asked for.
func TestAVideoPlaysInABrowser(t *testing.T) {
	t.Parallel()
	in := newUnwatched(t)
	in.up()
	page, err := os.ReadFile(filepath.Join(example("small"), "01.png"))
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(filepath.Join(in.dir, "page.png"), page, 0o600))
	f := in.plait("video", "generate", "page.png", "--prompt", "slow zoom in", "--seed", "7", "--duration", "3")
	require.Zero(t, f.status, "%s\n%s", f.stdout, f.stderr)
	lines := strings.Fields(f.stdout)
	f = in.plait("video", "status", lines[len(lines)-1], "--json")
	require.Zero(t, f.status, f.stderr)
	var d videoschema.Data
	require.NoError(t, json.Unmarshal([]byte(f.stdout), &d))

	client := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path != "/" {
			w.WriteHeader(http.StatusNoContent) // the icon
			return
		}
		w.Header().Set("Content-Type", "text/html")
		_, _ = io.WriteString(w, fmt.Sprintf(`<video src=%q muted autoplay></video>`, d.Input.VideoURL))
	}))
	t.Cleanup(client.Close)
	b := openBrowser(t)
	defer b.saidNothing()
	b.do(chromedp.Navigate(client.URL))
	b.until(`document.querySelector("video").currentTime > 0 || document.querySelector("video").error`)
	var shown []float64
	b.do(chromedp.Evaluate(`(() => { const v = document.querySelector("video"); return [v.error?.code ?? 0, v.videoWidth, v.videoHeight, v.duration]; })()`, &shown))
	require.Equal(t, []float64{0, 530, 752, 3}, shown)
}
