package main

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"plait/api/client"
	documentclient "plait/api/document/client"
	documentschema "plait/api/document/schema"
	"plait/installation"
	"plait/internal/benchtest"
	"plait/internal/core"
	"plait/internal/document"
	"plait/internal/document/pdftest"
	"plait/internal/llmtest"
)

// tableLatency is the time of an answer.
const tableLatency = time.Second

// tableRows and tableColumns are the size of the table: 200 cells, each with a text of its own.
const tableRows, tableColumns = 25, 8

// drawnTable is a PDF of one page with a table.
func drawnTable() []byte {
	b := pdftest.New()
	const width, height, top = 90, 20, 560
	var s strings.Builder
	s.WriteString("0.5 w ")
	for row := range tableRows + 1 {
		fmt.Fprintf(&s, "40 %d m %d %[1]d l S ", top-row*height, 40+tableColumns*width)
	}
	for column := range tableColumns + 1 {
		fmt.Fprintf(&s, "%d %d m %[1]d %d l S ", 40+column*width, top, top-tableRows*height)
	}
	s.WriteString("BT /F 9 Tf ")
	for i := range tableRows * tableColumns {
		word := string([]byte{'A' + byte(i/26%26), 'a' + byte(i%26), 'n', 'e', 't'})
		fmt.Fprintf(&s, "1 0 0 1 %d %d Tm (%s) Tj ", 44+i%tableColumns*width, top-14-i/tableColumns*height, word)
	}
	s.WriteString("ET")
	b.Page(pdftest.Page{Width: 800, Height: 600, Fonts: map[string]pdftest.Ref{"F": b.Helvetica()}, Content: s.String()})
	return b.Bytes()
}

// press is an installation of its own, of the built program, with a model that takes a fixed time for each answer. It has slots for texts, and as
// many for table cells.
type press struct {
	*sandbox
	api   *client.Client
	model *llmtest.Server
}

func newPress(b *testing.B, latency time.Duration, slots, workers int) press {
	b.Helper()
	program := filepath.Join(moduleRoot(), "build", "plait")
	require.FileExists(b, program, "run make build")
	model := llmtest.New(b, llmtest.WithTranslate(llmtest.StandIn("", 1)), llmtest.WithMatrix(llmtest.Matrix{Latency: llmtest.Latency{Median: latency}}))
	in := newInstallation(b, append(usingModel(model),
		fmt.Sprintf("PLAIT_WORKER_TRANSLATE_SLOTS=%d", slots), fmt.Sprintf("PLAIT_DOCUMENT_TABLE_SLOTS=%d", slots),
		fmt.Sprintf("PLAIT_DOCUMENT_WORKERS=%d", workers))...)
	in.program = program
	address := in.up()
	key, err := os.ReadFile(filepath.Join(in.data, "api-key"))
	require.NoError(b, err)
	api, err := client.New(address, string(bytes.TrimSpace(key)))
	require.NoError(b, err)
	b.Cleanup(api.CloseIdleConnections)
	return press{in, api, model}
}

// post posts a file and returns the id of its task.
func (p press) post(b *testing.B, file []byte, mode core.Mode) string {
	b.Helper()
	r := documentclient.Request{From: "en", To: "de", Mode: mode}.Request()
	r.Files = []client.File{{Name: "drawn.pdf", Open: func() (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(file)), nil }}}
	created, err := p.api.Create(b.Context(), r)
	require.NoError(b, err)
	return created.ID
}

// end waits for the end of a task.
func (p press) end(b *testing.B, id string) {
	b.Helper()
	require.Eventually(b, func() bool {
		task, err := p.api.Task(b.Context(), id)
		return err == nil && task.Status.Ended()
	}, 2*time.Hour, 100*time.Millisecond)
}

// translateDrawn translates a file in an installation of its own, and returns the seconds of its task and of some of its stages.
func translateDrawn(b *testing.B, file []byte, latency time.Duration, slots, workers int, mode core.Mode) (in press, figures map[string]any) {
	b.Helper()
	in = newPress(b, latency, slots, workers)
	id := in.post(b, file, mode)
	in.end(b, id)
	var total, layout, translate float64
	var failed int
	err := in.database(in.located()).QueryRow(b.Context(), `SELECT extract(epoch FROM t.ended_at - t.started_at)::float8, t.failed_count,
			(SELECT extract(epoch FROM max(ended_at) - min(started_at))::float8 FROM stage_run WHERE task_id = t.id AND stage = 'layout'),
			(SELECT extract(epoch FROM max(ended_at) - min(started_at))::float8 FROM stage_run WHERE task_id = t.id AND stage = 'translate')
		FROM task t WHERE id = $1`, id).Scan(&total, &failed, &layout, &translate)
	require.NoError(b, err)
	require.Zero(b, failed)
	return in, map[string]any{
		"mode": mode, "translate_slots": slots, "table_slots": slots, "document_workers": workers, "calls": in.model.CallCount(),
		"seconds": total, "layout_seconds": layout, "translate_seconds": translate,
	}
}

// BenchmarkDocumentTable translates a table of 200 cells by a model that takes a second for each answer: one cell after the other, and with 4
// and 100 slots. It prints one JSON line for each.
//
//	go test ./cmd/plait -run '^$' -bench DocumentTable -benchtime 1x
func BenchmarkDocumentTable(b *testing.B) {
	serial := 0.0
	for _, c := range []struct {
		mode  core.Mode
		slots int
	}{{document.ModeSerial, 1}, {document.ModeConcurrent, 4}, {document.ModeConcurrent, 100}} {
		b.Run(fmt.Sprintf("%s-%d", c.mode, c.slots), func(b *testing.B) {
			_, figures := translateDrawn(b, drawnTable(), tableLatency, c.slots, 0, c.mode)
			took := figures["translate_seconds"].(float64)
			if c.mode == document.ModeSerial {
				serial = took
			}
			figures["case"], figures["cells"], figures["times_as_fast"] = "document table", tableRows*tableColumns, serial/took
			figures["ideal_seconds"] = float64(tableRows*tableColumns) * tableLatency.Seconds() / float64(c.slots)
			b.ReportMetric(serial/took, "times")
			benchtest.Write(b, []string{"drawn table"}, figures)
		})
	}
}

// BenchmarkDocumentWithTables translates 12 drawn pages, each with two paragraphs and seven cells that have a letter: by a model that answers at
// once, which gives the time outside of the model, and by one that takes a second for each answer. It prints one JSON line for each, with the
// time that the calls take in their slots, and the time outside of the model added to it.
//
//	go test ./cmd/plait -run '^$' -bench DocumentWithTables -benchtime 1x
func BenchmarkDocumentWithTables(b *testing.B) {
	const pages, textsOfPage = 12, 2
	outside := 0.0
	for _, c := range []struct {
		mode    core.Mode
		latency time.Duration
		slots   int
	}{{document.ModeConcurrent, 0, 4}, {document.ModeSerial, time.Second, 1}, {document.ModeSerial, time.Second, 4}, {document.ModeConcurrent, time.Second, 4}} {
		b.Run(fmt.Sprintf("%s-%d-%s", c.mode, c.slots, c.latency), func(b *testing.B) {
			in, figures := translateDrawn(b, drawn(pages), c.latency, c.slots, 0, c.mode)
			took := figures["seconds"].(float64)
			if c.latency == 0 {
				outside = took
			}
			calls, texts := in.model.CallCount(), pages*textsOfPage
			longest := calls // of the calls that wait for the same slots: a serial page asks for one text or one cell at a time
			if c.mode == document.ModeConcurrent {
				longest = max(texts, calls-texts)
			}
			figures["case"], figures["pages"], figures["latency_seconds"] = "document with tables", pages, c.latency.Seconds()
			figures["ideal_seconds"] = float64(longest)/float64(c.slots)*c.latency.Seconds() + outside
			b.ReportMetric(took, "s")
			benchtest.Write(b, []string{"drawn pages"}, figures)
		})
	}
}

// newDocumentWorker is a press whose role document has a process of its own, and the number of that process.
func newDocumentWorker(b *testing.B, workers int) (in press, pid int) {
	b.Helper()
	in = newPress(b, 0, 4, workers)
	eventually(b, func() bool { return in.plait("hosts", "drain", installation.HostName(), "--wait").status == 0 }, "the worker of all roles is drained")
	in.oneMoreWorker("control,translate")
	return in, in.oneMoreWorker("document")
}

// BenchmarkDocumentMemory translates 100 and 1,000 drawn pages with a process that has the role document alone, and two workers. It prints one
// JSON line for each, with the memory of that process: its peak, and what it had after each tenth of the pages was laid out.
//
//	go test ./cmd/plait -run '^$' -bench DocumentMemory -benchtime 1x -timeout 2h
func BenchmarkDocumentMemory(b *testing.B) {
	for _, pages := range []int{100, 1000} {
		b.Run(fmt.Sprintf("%d-pages", pages), func(b *testing.B) {
			in, worker := newDocumentWorker(b, 2)
			id := in.post(b, drawn(pages), document.ModeConcurrent)
			var after []int
			require.Eventually(b, func() bool {
				task, err := in.api.Task(b.Context(), id)
				if err == nil && documentschema.TaskOf(task).Details.LaidOut >= (len(after)+1)*pages/10 {
					after = append(after, memoryOf(b, worker, "VmRSS:"))
				}
				return err == nil && task.Status.Ended()
			}, 2*time.Hour, time.Second)
			peak := memoryOf(b, worker, "VmHWM:")
			b.ReportMetric(float64(peak), "MiB")
			benchtest.Write(b, []string{"drawn pages"}, map[string]any{
				"case": "document memory", "pages": pages, "document_worker_peak_mib": peak, "document_worker_mib_after_tenths": after,
			})
		})
	}
}

// BenchmarkDocumentPages translates many drawn pages by a model that answers at once, with one worker and with two. It prints one JSON line for
// each, with the peak memory of the worker process.
//
//	go test ./cmd/plait -run '^$' -bench DocumentPages -benchtime 1x -timeout 1h
func BenchmarkDocumentPages(b *testing.B) {
	for _, c := range []struct{ pages, workers int }{{200, 1}, {200, 2}, {1000, 2}} {
		b.Run(fmt.Sprintf("%d-pages-%d-workers", c.pages, c.workers), func(b *testing.B) {
			in, figures := translateDrawn(b, drawn(c.pages), 0, 4, c.workers, document.ModeConcurrent)
			figures["case"], figures["pages"] = "document pages", c.pages
			figures["layout_pages_per_second"] = float64(c.pages) / figures["layout_seconds"].(float64)
			figures["pages_per_second"] = float64(c.pages) / figures["seconds"].(float64)
			figures["worker_peak_mib"] = in.memory("VmHWM:")["worker of all roles"]
			b.ReportMetric(figures["pages_per_second"].(float64), "pages/s")
			benchtest.Write(b, []string{"drawn pages"}, figures)
		})
	}
}

// BenchmarkDocumentCancel cancels documents while their pages are laid out. It prints one JSON line with the seconds from each cancel to the
// end of the task.
//
//	go test ./cmd/plait -run '^$' -bench DocumentCancel -benchtime 1x
func BenchmarkDocumentCancel(b *testing.B) {
	in := newPress(b, 0, 4, 2)
	records := in.database(in.located())
	var took []float64
	for n := range 5 {
		id := in.post(b, drawn(100+n), document.ModeConcurrent)
		eventually(b, func() bool {
			var running bool
			err := records.QueryRow(b.Context(), `SELECT EXISTS (SELECT FROM stage_run WHERE task_id = $1 AND outcome = 'running')`, id).Scan(&running)
			return err == nil && running
		}, "a page is laid out")
		_, err := in.api.Cancel(b.Context(), id)
		require.NoError(b, err)
		in.end(b, id)
		var seconds float64
		err = records.QueryRow(b.Context(), `SELECT extract(epoch FROM ended_at - cancel_requested_at)::float8 FROM task WHERE id = $1`, id).Scan(&seconds)
		require.NoError(b, err)
		took = append(took, seconds)
	}
	b.ReportMetric(slices.Max(took), "s")
	benchtest.Write(b, []string{"drawn pages"}, map[string]any{"case": "document cancel", "seconds": took, "longest_seconds": slices.Max(took)})
}
