package api_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"golang.org/x/sync/errgroup"

	"plait/api/schema"
	videoschema "plait/api/video/schema"
	"plait/internal/benchtest"
)

// BenchmarkVideoLoad measures how many videos a server process accepts, as [BenchmarkLoad] does for tasks of one page: from a prompt alone,
// and from an image of 480x360 pixels, which the server decodes.
func BenchmarkVideoLoad(b *testing.B) {
	const procs = 2
	r := newRig(b)
	most := strconv.Itoa(slices.Max(loadClients))
	r.child(envServeUploads+"="+most, "GOMAXPROCS="+strconv.Itoa(procs))
	c := r.caller("acme")
	image := uri(pictureOf(b, 480, 360, 255))
	for _, from := range []string{"prompt", "image"} {
		for _, clients := range loadClients {
			l := &loadRun{caller: c, http: http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: clients}, Timeout: patience}, status: http.StatusOK}
			l.request = func(name string) (*http.Request, error) {
				v := videoschema.Request{Model: "wan", Type: "text_to_video", Input: &videoschema.Input{Prompt: "a whale, " + name}}
				if from == "image" {
					v.Type, v.Input.Image = "image_to_video", image
				}
				body, err := json.Marshal(v)
				if err != nil {
					return nil, err
				}
				req, err := http.NewRequestWithContext(b.Context(), http.MethodPost, l.address+generations, reader(body))
				if err == nil {
					req.Header.Set("Content-Type", "application/json")
				}
				return req, err
			}
			f := l.figures(clients, fmt.Sprintf("%s-%d", from, clients))
			f.Case, f.Started, f.Procs = "accept a video from "+from, true, procs
			benchtest.Write(b, nil, f)
		}
	}
}

// The load of BenchmarkVideoProgress: an engine tells of each video every second, as most do.
const (
	progressVideos = 50
	progressSteps  = 20
	progressPause  = time.Second
)

// progressFigures are what BenchmarkVideoProgress writes.
type progressFigures struct {
	Case   string  `json:"case"`
	Videos int     `json:"videos"`
	Frames int     `json:"frames"`
	P50    float64 `json:"p50_ms"`
	P99    float64 `json:"p99_ms"`
	Max    float64 `json:"max_ms"`
}

// BenchmarkVideoProgress measures the time from the step of an engine to the frame of the WebSocket that tells the client of it, with a
// client for each of the videos that are made at the same time. The server is a process of its own on the same machine.
func BenchmarkVideoProgress(b *testing.B) {
	r := newRig(b)
	r.child(envServeStreams + "=" + strconv.Itoa(progressVideos))
	c := r.caller("acme")
	var mu sync.Mutex
	var latencies []time.Duration
	var group errgroup.Group
	for n := range progressVideos {
		id := c.submitted(videoRequest(b, func(v *videoschema.Request) {
			v.Model, v.Type, v.Input.Image, v.Input.Prompt = "wan", "text_to_video", "", fmt.Sprintf("whale %d", n)
		}))
		store, run := r.generating("acme", id)
		require.NoError(b, store.Claim(b.Context(), run))
		s := c.webSocket(generations + "/" + id + "/events")
		require.Equal(b, schema.EventTaskSnapshot, s.next().Type)
		pause := time.NewTicker(progressPause + time.Duration(n)*time.Millisecond)
		b.Cleanup(pause.Stop)
		group.Go(func() error {
			for percent := range progressSteps {
				<-pause.C
				began := time.Now()
				if err := store.SavePercent(b.Context(), run, percent+1); err != nil {
					return err
				}
				for e := range s.events {
					if e.Data != nil && e.Data.Item != nil && e.Data.Item.Percent == percent+1 {
						break
					}
				}
				mu.Lock()
				latencies = append(latencies, time.Since(began))
				mu.Unlock()
			}
			return nil
		})
	}
	require.NoError(b, group.Wait())
	require.Len(b, latencies, progressVideos*progressSteps)
	slices.Sort(latencies)
	at := func(share float64) float64 {
		return float64(latencies[int(share*float64(len(latencies)-1))].Microseconds()) / 1000
	}
	benchtest.Write(b, nil, progressFigures{
		Case: "progress over a WebSocket", Videos: progressVideos, Frames: len(latencies), P50: at(0.5), P99: at(0.99), Max: at(1),
	})
}
