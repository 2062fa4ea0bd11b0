package comic_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"plait/internal/comic"
	"plait/internal/core"
	"plait/internal/records"
	comicrecords "plait/internal/records/comic"
)

// A result is kept with its layers, whatever way the page goes; those of an edited page take their place, also when there are none.
func TestAPageIsKeptWithItsLayers(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	layersOf := func(p core.Item) (kept []string) {
		files, err := r.records.Files(t.Context(), p.TaskID, comicrecords.RoleLayers)
		require.NoError(t, err)
		for _, f := range files {
			require.Equal(t, records.File{Role: comicrecords.RoleLayers, Position: p.Index, Name: comicrecords.RoleLayers, Blob: f.Blob}, f)
			kept = append(kept, r.bytes(f.Blob))
		}
		return kept
	}
	edit := func(p core.Item, text string) {
		r.say(p, text)
		_, err := call[comic.EditOutput](r.env, comic.StepEdit, comic.EditInput{Page: p, Options: options})
		require.NoError(t, err)
	}
	r.engine.Layers = []byte("first")
	split := r.page(twoLines)
	found := r.detect(split)
	_, err := call[comic.PageOutput](r.env, comic.StepRender, renderInput(split, found, r.translate(split, found).Translations))
	require.NoError(t, err)
	require.Equal(t, []string{"first"}, layersOf(split))
	unified := r.page(twoLines)
	_, err = call[comic.PageOutput](r.env, comic.StepPage, comic.PageInput{Page: unified, Options: options, Mode: comic.ModeUnified})
	require.NoError(t, err)
	require.Equal(t, []string{"first"}, layersOf(unified))

	r.engine.Layers = []byte("second")
	edit(unified, "Yes")
	require.Equal(t, []string{"second"}, layersOf(unified))
	require.Equal(t, []string{"first"}, layersOf(split), "another task with the same page keeps its own")
	r.engine.Layers = nil
	edit(unified, "No")
	require.Empty(t, layersOf(unified))
}
