package engine

import (
	"testing"

	"github.com/stretchr/testify/require"

	"plait/internal/onnx"
)

func TestThreadsOfAPageAreRunsSideBySide(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		device                        onnx.Device
		slots, threads                int
		wantedPlaces, wantedRunThread int
	}{
		"a page alone on two cores":       {onnx.CPU, 1, 2, 2, 1},
		"two pages on two cores":          {onnx.CPU, 2, 1, 2, 1},
		"a page alone on sixteen cores":   {onnx.CPU, 1, 16, 4, 4},
		"four pages on sixteen cores":     {onnx.CPU, 4, 4, 4, 4},
		"more pages than cores":           {onnx.CPU, 8, 1, 8, 1},
		"a page alone on one core":        {onnx.CPU, 1, 1, 1, 1},
		"a page alone on a graphics card": {onnx.CUDA, 1, 16, 4, 4},
		"DirectML takes one at a time":    {onnx.DirectML, 1, 16, 1, 16},
	} {
		places, threads := runs(c.device, c.slots, c.threads)
		require.Equal(t, c.wantedPlaces, places, name)
		require.Equal(t, c.wantedRunThread, threads, name)
	}
}
