package upscale_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"plait/internal/core"
	"plait/internal/video/upscale"
)

// The folder of a job gives the next run what the last one saved, and belongs to one process at a time.
func TestWorkGoesOnWhereItWasLeft(t *testing.T) {
	t.Parallel()
	folder := filepath.Join(t.TempDir(), "clip.mp4.part")
	w, err := upscale.OpenWork(t.Context(), folder)
	require.NoError(t, err)
	job := w.Keeps(upscale.Job{Source: "clip.mp4"})
	require.Equal(t, "clip.mp4", job.Source)
	require.Nil(t, job.From)
	_, err = upscale.OpenWork(t.Context(), folder)
	require.Equal(t, core.CodeConflict, core.CodeOf(err))
	saved := upscale.Progress{Job: "a", Frames: 48, Windows: 12, Total: 100}
	require.NoError(t, job.Saved(t.Context(), saved))
	require.NoError(t, w.Close())

	w, err = upscale.OpenWork(t.Context(), folder)
	require.NoError(t, err)
	require.Equal(t, &saved, w.Keeps(upscale.Job{}).From)
	require.NoError(t, w.Close())

	require.NoError(t, os.WriteFile(filepath.Join(folder, "progress.json"), []byte("{"), 0o600))
	_, err = upscale.OpenWork(t.Context(), folder)
	require.ErrorContains(t, err, "remove the folder to start again")
	require.NoError(t, os.WriteFile(filepath.Join(folder, "progress.json"), []byte("{}"), 0o600))
	w, err = upscale.OpenWork(t.Context(), folder)
	require.NoError(t, err, "a folder that cannot be read is left open to others")
	require.NoError(t, w.Remove())
	require.NoDirExists(t, folder)
}
