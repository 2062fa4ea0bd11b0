package workers_test

import (
	"bytes"
	"compress/gzip"
	"flag"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
	enumspb "go.temporal.io/api/enums/v1"
	historypb "go.temporal.io/api/history/v1"
	"go.temporal.io/api/temporalproto"
)

// recording writes the histories of these tests to testdata/replay, where the tests of the kinds replay them:
//
//	make record
var recording = flag.Bool("record", false, "write the histories of the tests to testdata/replay")

// maxPlain is how long a history may be that is not compressed.
const maxPlain = 1 << 20

func record(t *testing.T, r *rig, in chapter, name string) {
	t.Helper()
	recordRun(t, r, in, "", name)
}

func recordRun(t *testing.T, r *rig, in chapter, runID, name string) {
	t.Helper()
	if !*recording {
		return
	}
	history := &historypb.History{}
	events := r.client.GetWorkflowHistory(t.Context(), in.TaskID, runID, false, enumspb.HISTORY_EVENT_FILTER_TYPE_ALL_EVENT)
	for events.HasNext() {
		event, err := events.Next()
		require.NoError(t, err)
		history.Events = append(history.Events, event)
	}
	data, err := temporalproto.CustomJSONMarshalOptions{Indent: " "}.Marshal(history)
	require.NoError(t, err)
	folder := filepath.Join("..", "testdata", "replay")
	require.NoError(t, os.MkdirAll(folder, 0o750))
	file := filepath.Join(folder, name+".json")
	if len(data) < maxPlain {
		require.NoError(t, os.WriteFile(file, append(data, '\n'), 0o600))
		return
	}
	var packed bytes.Buffer
	w, err := gzip.NewWriterLevel(&packed, gzip.BestCompression)
	require.NoError(t, err)
	_, err = w.Write(data)
	require.NoError(t, err)
	require.NoError(t, w.Close())
	require.NoError(t, os.WriteFile(file+".gz", packed.Bytes(), 0o600))
}
