package workers_test

import (
	"context"
	"log/slog"
	"path/filepath"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

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

func TestAnOutageOfTemporalBreaksOffNoModelCall(t *testing.T) {
	chosen, err := port.Choose(t.Context())
	require.NoError(t, err)
	folder := t.TempDir()
	config := temporal.Config{
		Binary: stacktest.TemporalBinary(t), Port: chosen, Namespace: "default",
		Database: filepath.Join(folder, "temporal.db"), SearchAttributes: workflows.SearchAttributes(),
		LogFile: filepath.Join(folder, "temporal.log"), PIDFile: filepath.Join(folder, "temporal.pid"),
		Logger: slog.New(slog.DiscardHandler),
	}
	server, err := temporal.Start(t.Context(), config)
	require.NoError(t, err)

	r := newRigAt(t, recordstest.Database(t), server.Address())
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

	require.NoError(t, syscall.Kill(server.Process().PID(), syscall.SIGKILL))
	await(t, server.Process().Done(), "the end of Temporal")
	await(t, time.After(outage), "the outage")
	server, err = temporal.Start(t.Context(), config)
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, server.Stop(context.WithoutCancel(t.Context()))) })
	close(answer)

	result, err := r.wait(in)
	require.NoError(t, err)
	require.Equal(t, 1, result.SuccessCount)
	require.Equal(t, []int{0}, r.model.Pages(), "paid for once")
}
