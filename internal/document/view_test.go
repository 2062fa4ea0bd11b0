package document_test

import (
	"image"
	"testing"

	"github.com/stretchr/testify/require"

	"plait/internal/document"
)

func TestAViewIsTheRotatedPage(t *testing.T) {
	crop := document.Box{X0: 10, Y0: 20, X1: 110, Y1: 220} // 100 wide and 200 high
	for rotate, c := range map[int]struct{ shown, want document.Box }{
		0:   {document.Box{X0: 0, Y0: 0, X1: 20, Y1: 40}, document.Box{X0: 10, Y0: 200, X1: 20, Y1: 220}},
		90:  {document.Box{X0: 0, Y0: 0, X1: 40, Y1: 20}, document.Box{X0: 10, Y0: 20, X1: 20, Y1: 40}},
		180: {document.Box{X0: 0, Y0: 0, X1: 20, Y1: 40}, document.Box{X0: 100, Y0: 20, X1: 110, Y1: 40}},
		270: {document.Box{X0: 0, Y0: 0, X1: 40, Y1: 20}, document.Box{X0: 100, Y0: 200, X1: 110, Y1: 220}},
	} {
		view := document.View{Scale: 2, Crop: crop, Rotate: rotate}
		require.Equal(t, c.want, view.Box(c.shown), "%d degrees", rotate)
		require.Equal(t, image.Rect(int(c.shown.X0), int(c.shown.Y0), int(c.shown.X1), int(c.shown.Y1)), view.Pixels(c.want), "%d degrees", rotate)
	}
}
