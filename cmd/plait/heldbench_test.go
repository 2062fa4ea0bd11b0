package main

import (
	"bufio"
	"bytes"
	"fmt"
	"maps"
	"net/http"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"plait/internal/benchtest"
	"plait/internal/llmtest"
	"plait/internal/stack/port"
)

// heldLatency is how long the model takes for an answer; heldPages is how many pages of each folder below -pages go through at
// most.
const (
	heldLatency = 30 * time.Second
	heldPages   = 6
)

// BenchmarkHeld translates pages on the real engine by a model of heldLatency, and prints one JSON line: for how many seconds a
// page holds the device, and how many times as long it would if it were held through the answer too. The device takes one page at a
// time, as by default all but processors do: two that share the cores hold it for longer, and no more is done. The chapters go side
// by side and wait for no model call but their own, so that it is over soon.
//
//	go test ./cmd/plait -run '^$' -bench Held -benchtime 1x -pages $PWD/examples
func BenchmarkHeld(b *testing.B) {
	program := filepath.Join(moduleRoot(), "build", "plait")
	require.FileExists(b, program, "run make build")
	require.NotEmpty(b, *benchPagesFlag, "-pages names the folder of the pages")
	books := benchPages(b, *benchPagesFlag)
	metrics, err := port.Choose(b.Context())
	require.NoError(b, err)
	address := fmt.Sprintf("127.0.0.1:%d", metrics)
	model := llmtest.New(b, llmtest.WithMatrix(llmtest.Matrix{Latency: llmtest.Latency{Median: heldLatency}}))
	in := newInstallation(b, append(usingModel(model), "PLAIT_HTTP_METRICS_ADDRESS="+address,
		"PLAIT_WORKER_DEVICE_SLOTS=1", fmt.Sprintf("PLAIT_WORKER_TRANSLATE_SLOTS=%d", 2*len(books)))...)
	in.program = program
	in.up()
	b.ResetTimer()
	pages := in.translateHeld(books)
	var names []string
	for _, folder := range slices.Sorted(maps.Keys(books)) {
		names = append(names, books[folder][:min(heldPages, len(books[folder]))]...)
	}

	held := metric(b, address, "plait_device_busy_seconds_total") / pages
	asked := metric(b, address, "plait_model_call_seconds_sum")
	answer := asked / metric(b, address, "plait_model_call_seconds_count")
	ratio := (held + answer) / held
	onDevice, beside := in.parts(pages)
	b.ReportMetric(ratio, "ratio")
	benchtest.Write(b, names, map[string]any{
		"case": "device held", "pages": pages, "held_seconds_per_page": held, "answer_seconds": answer, "ratio": ratio,
		// With the calls for shorter texts, through which a device would be held as well.
		"model_seconds_per_page": asked / pages, "ratio_of_all_calls": (held + asked/pages) / held,
		"held_ms_per_page_by_part": onDevice, "beside_ms_per_page_by_part": beside,
	})
}

// translateHeld has some pages of each book translated, all books at once, and counts them.
func (in *sandbox) translateHeld(books map[string][]string) (pages float64) {
	in.t.Helper()
	var commands []*exec.Cmd
	for folder, all := range books {
		some := all[:min(heldPages, len(all))]
		cmd := in.command(append([]string{"translate", "--to", "de", "-o", filepath.Join(in.dir, "out", folder)}, some...)...)
		cmd.Stdout = &bytes.Buffer{}
		require.NoError(in.t, cmd.Start())
		commands = append(commands, cmd)
		pages += float64(len(some))
	}
	for _, cmd := range commands {
		require.NoError(in.t, cmd.Wait(), "%s", cmd.Stdout)
	}
	return pages
}

// parts are the milliseconds of a page by what the engine did in them, detect and render together: on the device, and beside it.
func (in *sandbox) parts(pages float64) (onDevice, beside map[string]float64) {
	in.t.Helper()
	found, err := in.database(in.located()).Query(in.t.Context(), `SELECT part.key, sum(part.value::float8)
		FROM stage_run, jsonb_each_text(stage_run.elapsed_ms) part
		WHERE stage_run.stage IN ('detect', 'render', 'page') AND part.key <> 'total' GROUP BY 1`)
	require.NoError(in.t, err)
	onDevice, beside = map[string]float64{}, map[string]float64{}
	var part string
	var spent float64
	_, err = pgx.ForEachRow(found, []any{&part, &spent}, func() error {
		if part == "decode" || part == "encode" {
			beside[part] = spent / pages
		} else {
			onDevice[part] = spent / pages
		}
		return nil
	})
	require.NoError(in.t, err)
	return onDevice, beside
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
