package api_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"image/color"
	"math/rand/v2"
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/sync/errgroup"

	videoschema "plait/api/video/schema"
	"plait/internal/fetch/fetchtest"
	"plait/internal/picture"
)

// heavy are bad requests for videos that take as much memory as they can, each with the status that refuses it.
func heavy(t *testing.T, web *fetchtest.Server) map[string]heavyRequest {
	t.Helper()
	with := func(change func(*videoschema.Input)) []byte {
		return videoRequest(t, func(v *videoschema.Request) { change(v.Input) })
	}
	noise := colored(1700, 1700) // 10 MB as a PNG
	random := rand.NewChaCha8([32]byte{})
	_, _ = random.Read(noise.Pix) // it does not fail
	for i := 3; i < len(noise.Pix); i += 4 {
		noise.Pix[i] = 255
	}
	noise.SetNRGBA(1699, 1699, color.NRGBA{A: 254}) // the last pixel is transparent
	large, err := picture.Encode(t.Context(), noise, picture.Info{Format: picture.PNG})
	require.NoError(t, err)
	require.Greater(t, len(large), 9<<20)
	require.Less(t, len(large), 10<<20)
	bytesOnly := make([]byte, 10<<20)
	_, _ = random.Read(bytesOnly)
	bomb := inflated(t, "iCCP", 300<<20)
	bomb = bomb[:len(bomb)-20]
	values, err := json.Marshal(strings.Repeat("{},", 4<<20))
	require.NoError(t, err)
	values = bytes.Trim(values, `"`)
	return map[string]heavyRequest{
		"a prompt of 10 MB":        {with(func(i *videoschema.Input) { i.Prompt = strings.Repeat("x", 10<<20) }), http.StatusBadRequest},
		"10 MB of escapes":         {with(func(i *videoschema.Input) { i.Prompt = strings.Repeat("\n", 6<<20) }), http.StatusBadRequest},
		"millions of values":       {fmt.Appendf(nil, `{"input":[%s{}]}`, values), http.StatusRequestEntityTooLarge},
		"10 MB that are no image":  {with(func(i *videoschema.Input) { i.Image = uri(bytesOnly) }), http.StatusUnprocessableEntity},
		"a transparent image":      {with(func(i *videoschema.Input) { i.Image = uri(large) }), http.StatusUnprocessableEntity},
		"a cut image":              {with(func(i *videoschema.Input) { i.Image = uri(large[:len(large)-1000]) }), http.StatusUnprocessableEntity},
		"a cut image with a bomb":  {with(func(i *videoschema.Input) { i.Image = uri(bomb) }), http.StatusUnprocessableEntity},
		"a transparent one by URL": {with(func(i *videoschema.Input) { i.Image = web.Put("large.png", large) }), http.StatusUnprocessableEntity},
	}
}

type heavyRequest struct {
	body   []byte
	status int
}

// Bad requests for videos that arrive at once, of several tenants as many as each may send, keep the server within its memory.
func TestBadVideosAtOnceKeepWithinMemory(t *testing.T) {
	const each = 4
	r := newRig(t)
	web := fetchtest.NewServer(t)
	cmd := r.child(envServeFetch + "=" + fetchtest.AllowedNetwork().String())
	t.Logf("at rest %d MB", peakMB(t, cmd.Process.Pid))
	var group errgroup.Group
	http1 := http.Client{Transport: &http.Transport{}}
	t.Cleanup(http1.CloseIdleConnections)
	n := 0
	for what, bad := range heavy(t, web) {
		for range each {
			c := r.caller(fmt.Sprintf("tenant-%d", n%8))
			n++
			group.Go(func() error {
				req, err := http.NewRequestWithContext(t.Context(), http.MethodPost, c.address+generations, bytes.NewReader(bad.body))
				if err != nil {
					return err
				}
				req.Header.Set("Authorization", "Bearer "+c.key)
				req.Header.Set("Content-Type", "application/json")
				resp, err := http1.Do(req)
				if err != nil {
					return fmt.Errorf("%s: %w", what, err)
				}
				if resp.StatusCode != bad.status {
					err = fmt.Errorf("%s: %s", what, resp.Status)
				}
				_ = resp.Body.Close()
				return err
			})
		}
	}
	require.Equal(t, 32, n)
	require.NoError(t, group.Wait())
	peak := peakMB(t, cmd.Process.Pid)
	t.Logf("peak %d MB", peak)
	require.Less(t, peak, memoryMB)
	r.nothingLeft()
}
