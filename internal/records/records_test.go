package records_test

import (
	"encoding/json"
	"fmt"
	"os"
	"testing"

	"github.com/stretchr/testify/require"

	"plait/internal/core"
	"plait/internal/records"
	"plait/internal/records/recordstest"
	"plait/internal/stack/stacktest"
)

func TestMain(m *testing.M) {
	if os.Getenv(envLoad) != "" {
		if err := runLoad(); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		os.Exit(0)
	}
	stacktest.Main(m)
}

const tenant = recordstest.Tenant

type fixture struct {
	*records.Store
	recordstest.Fixture
}

func open(t *testing.T) fixture {
	t.Helper()
	t.Parallel()
	store, f := recordstest.NewFixture(t)
	return fixture{store, f}
}

func newTask(n int) records.NewTask {
	return recordstest.NewTask("any", json.RawMessage(`{"size": 1}`), n)
}

func (f fixture) running(n int) records.NewTask { return f.Running(newTask(n)) }

func (f fixture) item(ref core.Item) records.Item {
	f.T.Helper()
	item, err := f.Item(f.T.Context(), ref.TaskID, ref.Index)
	require.NoError(f.T, err)
	return item
}

// The stages of a kind, in their order, and its modes.
const (
	first, second, third core.Stage = "first", "second", "third"

	once, again core.Mode = "once", "again"
)

func runOf(item core.Item, stage core.Stage, attempt int) records.StageRun {
	rank := map[core.Stage]int{first: 0, second: 1, third: 2}[stage]
	return records.StageRun{Item: item, Stage: stage, Rank: rank, Attempt: attempt, Mode: once, Host: "gpu-1"}
}

// finish takes an item through its last stage.
func (f fixture) finish(item core.Item) {
	f.T.Helper()
	run := runOf(item, third, 1)
	f.Begin(run)
	require.NoError(f.T, f.FinishItem(f.T.Context(), run, resultOf(item)))
}

func resultOf(item core.Item) records.Finished {
	return records.Finished{Mode: once, Result: recordstest.BlobOf("result of " + item.String()), Elapsed: core.ElapsedMS{"render": 12, "total": 15}}
}
