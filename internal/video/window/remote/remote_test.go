package remote_test

import (
	"context"
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/require"

	"plait/internal/core"
	"plait/internal/ranks"
	"plait/internal/video/window"
	"plait/internal/video/window/remote"
)

// Whatever a request says, it is refused with a reason, unless a model can be opened for it.
func FuzzApply(f *testing.F) {
	f.Add([]byte(`{"window":0,"cut":1,"size":{"Width":2,"Height":1},"keep":1,"hidden":[1,1],"reference":[1,3,1,2]}`), make([]byte, 4), make([]byte, 24))
	f.Add([]byte(`{"window":1,"hidden":[0,-1],"reference":[9999999999,9999999999]}`), []byte{}, []byte{1})
	f.Add([]byte(`{`), []byte{}, []byte{})
	missing := core.NewError(core.CodeModelMissing, "there is no model")
	f.Fuzz(func(t *testing.T, meta, hidden, reference []byte) {
		w := remote.NewWorker(func(context.Context, json.RawMessage) (window.Manifest, window.Config, error) {
			return window.Manifest{}, window.Config{}, missing
		})
		_, err := w.Apply(t.Context(), ranks.Step{Seq: 1, Meta: meta, Inputs: [][]byte{hidden, reference}})
		require.Contains(t, []core.Code{core.CodeInvalidInput, core.CodeModelMissing, core.CodeHostLost}, core.CodeOf(err))
		require.NoError(t, w.Close())
	})
}

// Samples become the values that frames have.
func TestSamples(t *testing.T) {
	t.Parallel()
	d := remote.Decoders()["samples"]
	size, err := d.Size([]byte{0, 255})
	require.NoError(t, err)
	to := make([]byte, size)
	require.NoError(t, d.Decode(t.Context(), []byte{0, 255}, to))
	require.Equal(t, []byte{0, 0, 0, 0, 0, 0, 0x80, 0x3f}, to)
}
