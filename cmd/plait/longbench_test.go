package main

import (
	"bytes"
	"fmt"
	"io"
	"log/slog"
	"os"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"
	enumspb "go.temporal.io/api/enums/v1"
	sdk "go.temporal.io/sdk/client"
	"google.golang.org/protobuf/proto"

	"plait/activities/comic/enginetest"
	"plait/api/client"
	comicclient "plait/api/comic/client"
	comicschema "plait/api/comic/schema"
	"plait/api/schema"
	"plait/installation"
	"plait/internal/benchtest"
	"plait/internal/comic"
	"plait/internal/core"
	"plait/internal/llmtest"
)

// longChapter is the number of pages of the chapter; longMarks are the pages done at which it is looked at.
const longChapter = 1000

var longMarks = []int{100, 500, longChapter}

// longFigures is what BenchmarkLong prints.
type longFigures struct {
	Case    string  `json:"case"`
	Pages   int     `json:"pages"`
	Seconds float64 `json:"seconds"`
	// Runs are those of the workflow, one after the other.
	Runs []runFigures `json:"runs"`
	// Rows are those of each table, and Memory the MiB that each process has to itself, by the pages that are done.
	Rows   map[int]map[string]int `json:"rows"`
	Memory map[int]map[string]int `json:"memory_mib"`
}

type runFigures struct {
	Events int `json:"events"` // at most 4,096
	// Bytes are those of all events, and LargestEvent of one.
	Bytes        int `json:"bytes"`
	LargestEvent int `json:"largest_event_bytes"`
}

// BenchmarkLong takes one chapter of a thousand pages through a whole installation, in which only the engine is a stand-in, and
// prints one JSON line: the workflow's histories, the rows of the database and the memory of the processes on the way. Every page
// must come out with its own image and texts.
//
//	go test ./cmd/plait -run '^$' -bench Long -benchtime 1x -timeout 2h
func BenchmarkLong(b *testing.B) {
	model := llmtest.New(b)
	in := newInstallation(b, append(usingModel(model), withStandIn+"=1", "PLAIT_LOG_LEVEL=error")...)
	address := in.up()
	l := in.located()
	database := in.database(l)
	key, err := os.ReadFile(in.data + "/api-key")
	require.NoError(b, err)
	shared, err := client.New(address, string(bytes.TrimSpace(key)))
	require.NoError(b, err)
	b.Cleanup(shared.CloseIdleConnections)
	api := comicclient.Client{Client: shared}
	b.ResetTimer()

	figures := longFigures{Case: "chapter of many pages", Pages: longChapter, Rows: map[int]map[string]int{}, Memory: map[int]map[string]int{}}
	began := time.Now()
	task, err := api.Translate(b.Context(), longRequest(b))
	require.NoError(b, err)
	for _, mark := range longMarks {
		task = awaitDone(b, api, task.ID, mark)
		figures.Rows[mark], figures.Memory[mark] = rowsOf(b, database), in.memory("RssAnon:")
	}
	figures.Seconds = time.Since(began).Seconds()
	require.Equal(b, core.StatusSuccess, task.Status)
	require.Equal(b, []int{longChapter, 0, 0}, []int{task.SuccessCount, task.FailedCount, comicschema.TaskOf(task).Details.FallbackCount})
	require.Equal(b, longChapter, model.CallCount(), "no page is paid for twice")
	requireLongPages(b, api, task.ID)
	temporal, err := installation.DialTemporal(b.Context(), l, "benchmark", nil, slog.New(slog.DiscardHandler))
	require.NoError(b, err)
	defer temporal.Close()
	figures.Runs = runsOf(b, temporal, task.ID)
	b.ReportMetric(figures.Seconds/longChapter*1000, "ms/page")
	benchtest.Write(b, []string{"stand-in pages of two texts"}, figures)
}

// longLines is what page i says.
func longLines(i int) []string {
	return []string{fmt.Sprintf("ここは%d頁です", i+1), fmt.Sprintf("もう%d頁だ", i+1)}
}

func longRequest(b *testing.B) comicclient.Request {
	b.Helper()
	r := comicclient.Request{From: "ja", To: "en", Mode: comic.ModeSplit, Title: "long"}
	for i := range longChapter {
		image, err := enginetest.Picture(longLines(i)...)
		require.NoError(b, err)
		r.Files = append(r.Files, client.File{
			Name: fmt.Sprintf("%04d.png", i+1),
			Open: func() (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(image)), nil },
		})
	}
	return r
}

// awaitDone polls as a client does until so many pages are done, and the task has ended where these are all.
func awaitDone(b *testing.B, api comicclient.Client, id string, pages int) (task schema.Task) {
	b.Helper()
	require.Eventually(b, func() bool {
		var err error
		task, err = api.Task(b.Context(), id)
		require.NoError(b, err)
		return task.Progress.Done >= pages && (pages < longChapter || task.Status.Ended())
	}, time.Hour, 200*time.Millisecond, "%d pages are done", pages)
	return task
}

// requireLongPages demands of every page its image and its texts.
func requireLongPages(b *testing.B, api comicclient.Client, id string) {
	b.Helper()
	for i := range longChapter {
		lines := longLines(i)
		want, err := enginetest.Picture(string(enginetest.Rendered(llmtest.Mark, lines...)))
		require.NoError(b, err)
		var got bytes.Buffer
		require.NoError(b, api.ItemResult(b.Context(), id, i, &got))
		require.True(b, bytes.Equal(want, got.Bytes()), "page %d says %q", i+1, enginetest.TextOf(got.Bytes()))
		page, err := api.Page(b.Context(), id, i)
		require.NoError(b, err)
		require.Len(b, page.Texts, len(lines))
		for k, line := range lines {
			require.Equal(b, []string{line, llmtest.Mark(line)}, []string{page.Texts[k].Source, page.Texts[k].Translation})
		}
	}
}

// rowsOf counts the rows of every table that has any.
func rowsOf(b *testing.B, database *pgx.Conn) map[string]int {
	b.Helper()
	found, err := database.Query(b.Context(), "SELECT tablename FROM pg_tables WHERE schemaname = 'public' ORDER BY 1")
	require.NoError(b, err)
	tables, err := pgx.CollectRows(found, pgx.RowTo[string])
	require.NoError(b, err)
	rows := map[string]int{}
	for _, table := range tables {
		var n int
		require.NoError(b, database.QueryRow(b.Context(), "SELECT count(*) FROM "+pgx.Identifier{table}.Sanitize()).Scan(&n))
		if n > 0 {
			rows[table] = n
		}
	}
	return rows
}

// runsOf follows a workflow from its first run to its last.
func runsOf(b *testing.B, temporal sdk.Client, id string) (runs []runFigures) {
	b.Helper()
	last, err := temporal.DescribeWorkflowExecution(b.Context(), id, "")
	require.NoError(b, err)
	for run := last.GetWorkflowExecutionInfo().GetFirstRunId(); run != ""; {
		var figures runFigures
		next := ""
		events := temporal.GetWorkflowHistory(b.Context(), id, run, false, enumspb.HISTORY_EVENT_FILTER_TYPE_ALL_EVENT)
		for events.HasNext() {
			event, err := events.Next()
			require.NoError(b, err)
			size := proto.Size(event)
			figures.Events, figures.Bytes, figures.LargestEvent = figures.Events+1, figures.Bytes+size, max(figures.LargestEvent, size)
			next = event.GetWorkflowExecutionContinuedAsNewEventAttributes().GetNewExecutionRunId()
		}
		runs, run = append(runs, figures), next
	}
	return runs
}
