package window_test

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"plait/internal/core"
	"plait/internal/video/window"
	"plait/internal/video/window/windowtest"
)

// A model whose last blocks run in a tail returns the same, in every schedule, and goes on from a checkpoint.
func TestATailReturnsTheSame(t *testing.T) {
	t.Parallel()
	m := windowtest.Read(t, 1)
	video := randomFrames(61, size)
	want := run(t, m, config(t, window.Sequential, 2, "cpu"), window.Job{Read: video.reader(0)})
	for _, schedule := range window.Schedules {
		t.Run(string(schedule), func(t *testing.T) {
			t.Parallel()
			c := config(t, schedule, 2, "cpu:0,cpu:1")
			part := c
			part.Devices = c.Devices[1:]
			var tail *window.Tail
			c.Tail = func(ctx context.Context, in window.TailInput) (window.TailOutput, error) {
				require.Equal(t, 2, in.Cut)
				require.Equal(t, size, in.Size)
				if in.Window == 0 || in.From != nil {
					if tail != nil {
						require.NoError(t, tail.Close())
					}
					var err error
					tail, err = window.OpenTail(m, part)
					require.NoError(t, err)
				}
				return tail.Run(ctx, in)
			}
			var at []window.Checkpoint
			require.Equal(t, want, run(t, m, c, window.Job{Read: video.reader(0), Every: 3, Reached: func(_ context.Context, c window.Checkpoint) error {
				at = append(at, c)
				return nil
			}}))
			require.Len(t, at, 2)
			from := at[0]
			got := run(t, m, c, window.Job{Read: video.reader(from.Frame), From: &from})
			require.Equal(t, want[from.Frame*len(want)/61:], got)
			_, err := tail.Run(t.Context(), window.TailInput{Window: 2, Keep: 1})
			require.Equal(t, core.CodeInvalidInput, core.CodeOf(err))
			require.NoError(t, tail.Close())
		})
	}
	_, err := window.OpenTail(m, config(t, window.Basic, 2, "cpu:0,cpu:1"))
	require.Equal(t, core.CodeInvalidInput, core.CodeOf(err))
}
