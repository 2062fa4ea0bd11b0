package workers_test

import (
	"context"
	"log/slog"
	"path/filepath"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	sdktemporal "go.temporal.io/sdk/temporal"

	"plait/activities/comic/enginetest"
	"plait/internal/comic"
	"plait/internal/records/recordstest"
	"plait/internal/stack/port"
	"plait/internal/stack/stacktest"
	"plait/internal/stack/temporal"
	"plait/internal/translate"
	"plait/workflows"
)

// outage is longer than the SDK keeps trying to send a heartbeat.
const outage = 3 * time.Second

// ownTemporal is a server that a test can kill and start again.
type ownTemporal struct {
	t      *testing.T
	config temporal.Config
	server *temporal.Server
}

func newOwnTemporal(t *testing.T) *ownTemporal {
	t.Helper()
	chosen, err := port.Choose(t.Context())
	require.NoError(t, err)
	folder := t.TempDir()
	o := &ownTemporal{t: t, config: temporal.Config{
		Binary: stacktest.TemporalBinary(t), Port: chosen, Namespace: "default",
		Database: filepath.Join(folder, "temporal.db"), SearchAttributes: workflows.SearchAttributes(),
		LogFile: filepath.Join(folder, "temporal.log"), PIDFile: filepath.Join(folder, "temporal.pid"),
		Logger: slog.New(slog.DiscardHandler),
	}}
	o.start()
	t.Cleanup(func() { require.NoError(t, o.server.Stop(context.WithoutCancel(t.Context()))) })
	return o
}

func (o *ownTemporal) start() {
	o.t.Helper()
	server, err := temporal.Start(o.t.Context(), o.config)
	require.NoError(o.t, err)
	o.server = server
}

// breakOff kills the server, and starts it again after the outage.
func (o *ownTemporal) breakOff() {
	o.t.Helper()
	require.NoError(o.t, syscall.Kill(o.server.Process().PID(), syscall.SIGKILL))
	await(o.t, o.server.Process().Done(), "the end of Temporal")
	await(o.t, time.After(outage), "the outage")
	o.start()
}

func TestAnOutageOfTemporalBreaksOffNoModelCall(t *testing.T) {
	server := newOwnTemporal(t)
	r := newRigAt(t, recordstest.Database(t), server.server.Address())
	asked, answer := make(chan struct{}), make(chan struct{})
	r.model.Before = func(ctx context.Context, _ translate.Request) error {
		close(asked)
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-answer:
			return nil
		}
	}
	r.host(hostOptions{})
	in := r.task(comic.ModeSplit, hello(0))
	r.start(in)
	await(t, asked, "a model call")
	server.breakOff()
	close(answer)

	result, err := r.wait(in)
	require.NoError(t, err)
	require.Equal(t, 1, result.SuccessCount)
	require.Equal(t, []int{0}, r.model.Pages(), "paid for once")
}

// A step whose heartbeat failed still hears that its task is canceled.
func TestACancelReachesAStepAfterAnOutageOfTemporal(t *testing.T) {
	server := newOwnTemporal(t)
	r := newRigAt(t, recordstest.Database(t), server.server.Address())
	holding := newHoldingDevices(10)
	r.host(hostOptions{engine: holding.engine()})
	in := r.task(comic.ModeSplit, enginetest.Page(heldLine))
	r.start(in)
	await(t, holding.held, "a step that keeps the device")
	server.breakOff()

	require.NoError(t, workflows.Cancel(t.Context(), r.client, in.TaskID))
	await(t, holding.freed, "a free device")
	_, err := r.wait(in)
	require.True(t, sdktemporal.IsCanceledError(err), "%v", err)
}
