package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"plait/internal/llmtest"
	"plait/internal/stack/port"
)

// heldLatency is how long the model takes for a page; heldPages is how many pages of each folder below -pages go through.
const (
	heldLatency = 30 * time.Second
	heldPages   = 2
)

// BenchmarkHeld translates pages on the real engine by a model of heldLatency, and prints one JSON line: for how many seconds a
// page holds the device, and for how many it would where the device is held while the model answers.
//
//	go test ./cmd/plait -run '^$' -bench Held -benchtime 1x -pages $PWD/examples
func BenchmarkHeld(b *testing.B) {
	program := filepath.Join(moduleRoot(), "build", "plait")
	require.FileExists(b, program, "run make build")
	require.NotEmpty(b, *benchPagesFlag, "-pages names the folder of the pages")
	metrics, err := port.Choose(b.Context())
	require.NoError(b, err)
	address := fmt.Sprintf("127.0.0.1:%d", metrics)
	model := llmtest.New(b, llmtest.WithMatrix(llmtest.Matrix{Latency: llmtest.Latency{Median: heldLatency}}))
	in := newInstallation(b, append(usingModel(model), "PLAIT_HTTP_METRICS_ADDRESS="+address)...)
	in.program = program
	in.up()
	b.ResetTimer()
	pages := 0.0
	for folder, all := range benchPages(b, *benchPagesFlag) {
		some := all[:min(heldPages, len(all))]
		f := in.plait(append([]string{"translate", "--to", "de", "-o", filepath.Join(in.dir, "out", folder)}, some...)...)
		require.Zero(b, f.status, "%s%s", f.stdout, f.stderr)
		pages += float64(len(some))
	}
	held := metric(b, address, "plait_device_busy_seconds_total") / pages
	asked := metric(b, address, "plait_model_call_seconds_sum") / pages
	b.ReportMetric((held+asked)/held, "ratio")
	require.NoError(b, json.NewEncoder(os.Stderr).Encode(map[string]any{
		"case": "device held", "pages": pages, "model_seconds_per_page": asked,
		"held_seconds_per_page": held, "held_with_model_seconds_per_page": held + asked, "ratio": (held + asked) / held,
	}))
}

// metric is the sum of a metric of a worker over its labels.
func metric(b *testing.B, address, name string) (sum float64) {
	b.Helper()
	response, err := http.Get("http://" + address + "/metrics")
	require.NoError(b, err)
	defer response.Body.Close()
	for lines := bufio.NewScanner(response.Body); lines.Scan(); {
		series, value, _ := strings.Cut(lines.Text(), " ")
		if label := strings.IndexByte(series, '{'); label >= 0 {
			series = series[:label]
		}
		if series == name {
			v, err := strconv.ParseFloat(value, 64)
			require.NoError(b, err)
			sum += v
		}
	}
	return sum
}
