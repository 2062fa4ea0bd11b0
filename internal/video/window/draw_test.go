package window_test

import (
	"bytes"
	"encoding/json"
	"encoding/xml"
	"errors"
	"flag"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"plait/internal/video/window"
)

var update = flag.Bool("update", false, "write the golden drawing")

// The drawing is that of testdata/timeline.svg, for people to look at.
func TestDrawSVG(t *testing.T) {
	t.Parallel()
	p := measured()
	charts := []window.Chart{
		{Title: "sequential", Timeline: p.Predict(window.Sequential, 15, 4, []string{"cuda:0", "cuda:1"})},
		{Title: "aggressive, <half>", Timeline: p.Predict(window.Aggressive, 15, 4, []string{"cuda:0", "cuda:1", "cpu:0"})},
	}
	var drawn bytes.Buffer
	require.NoError(t, window.DrawSVG(&drawn, charts))
	golden := filepath.Join("testdata", "timeline.svg")
	if *update {
		require.NoError(t, os.WriteFile(golden, drawn.Bytes(), 0o600))
	}
	want, err := os.ReadFile(golden)
	require.NoError(t, err)
	require.Equal(t, string(want), drawn.String())

	decoder, rectangles := xml.NewDecoder(&drawn), 0
	for {
		token, err := decoder.Token()
		if errors.Is(err, io.EOF) {
			break
		}
		require.NoError(t, err)
		if element, ok := token.(xml.StartElement); ok && element.Name.Local == "title" {
			rectangles++
		}
	}
	require.Equal(t, 2*4*5, rectangles, "a rectangle for each stage of each window")
}

func TestWriteTrace(t *testing.T) {
	t.Parallel()
	p := measured()
	var written strings.Builder
	require.NoError(t, window.WriteTrace(&written, []window.Chart{{Title: "basic", Timeline: p.Predict(window.Basic, 17, 3, []string{"a", "b"})}}))
	var trace struct {
		TraceEvents []struct {
			Name, Ph string
			Ts, Dur  float64
			Pid, Tid int
		}
	}
	require.NoError(t, json.Unmarshal([]byte(written.String()), &trace))
	require.Len(t, trace.TraceEvents, 3+3*5)
	last := trace.TraceEvents[len(trace.TraceEvents)-1]
	require.Equal(t, "color", last.Name)
	require.Equal(t, 1, last.Tid)
	require.InDelta(t, 1000, last.Dur, 0.1)
}
