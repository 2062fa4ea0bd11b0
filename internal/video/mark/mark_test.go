package mark_test

import (
	"bytes"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"plait/internal/assets/assetstest"
	"plait/internal/video/mark"
)

func TestTheSignIsAtTheLowerRight(t *testing.T) {
	t.Parallel()
	m, err := mark.Open(filepath.Join(assetstest.Dir(t), "fonts", "NotoSansSC_700Bold.ttf"))
	require.NoError(t, err)
	const width, height = 832, 480
	plain := bytes.Repeat([]byte{90}, 3*width*height)
	marked := bytes.Clone(plain)
	require.NoError(t, m.Draw(marked, width, height))
	changed, white := 0, 0
	for y := range height {
		for x := range width {
			if at := 3 * (y*width + x); marked[at] != plain[at] {
				changed++
				require.Greater(t, x, width*4/5)
				require.Greater(t, y, height*4/5)
				if marked[at] > 200 {
					white++
				}
			}
		}
	}
	require.Greater(t, changed, 500)
	require.Greater(t, white, 200)
	again := bytes.Clone(plain)
	require.NoError(t, m.Draw(again, width, height))
	require.True(t, bytes.Equal(marked, again))
	require.NoError(t, m.Draw(make([]byte, 3*4*4), 4, 4), "a frame that is smaller than the sign")
}
