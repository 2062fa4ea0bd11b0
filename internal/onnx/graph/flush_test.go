package graph_test

import (
	"bytes"
	"testing"

	"github.com/stretchr/testify/require"

	"plait/internal/onnx/graph"
)

func FuzzFlushTiny(f *testing.F) {
	f.Add([]byte{})
	f.Add([]byte{0x3a, 0x0c, 0x2a, 0x0a, 0x10, 0x01, 0x4a, 0x04, 0x01, 0x00, 0x00, 0x00})
	f.Add([]byte{0x3a, 0xff, 0xff, 0xff, 0xff, 0x0f})
	f.Fuzz(func(t *testing.T, model []byte) {
		once := bytes.Clone(model)
		graph.FlushTiny(once)
		require.Len(t, once, len(model))
		for i := range once {
			// FlushTiny may only clear bytes.
			require.True(t, once[i] == model[i] || once[i] == 0)
		}
	})
}
