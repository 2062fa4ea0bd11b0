package engine_test

import (
	"fmt"
	"image"
	"math"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"plait/internal/document"
	"plait/internal/document/engine"
	"plait/internal/document/pdf"
	"plait/internal/document/pdftest"
	"plait/internal/llmtest"
)

// letter is a page of two columns with a heading, below a rule.
func letter() []byte {
	b := pdftest.New()
	column := "BT /F 10 Tf 12 TL %d 620 Td (The keeper of the light wrote down what) Tj T* (the wind and the sea had done in the) Tj T* (night, and then he slept until noon.) Tj ET "
	b.Page(pdftest.Page{Fonts: map[string]pdftest.Ref{"F": b.Helvetica()}, Content: "0.5 w 60 700 m 520 700 l S BT /F 20 Tf 60 660 Td (A letter home) Tj ET " +
		fmt.Sprintf(column, 60) + fmt.Sprintf(column, 265)})
	return b.Bytes()
}

// stampedScan is a file with the picture of the first page of another one, and a line of text over it.
func stampedScan(t *testing.T, e *engine.Engine, file []byte, line string) []byte {
	t.Helper()
	b := pdftest.New()
	use(t, e, file, func(f *pdf.File) {
		shown, _, err := f.Render(t.Context(), 0, 200)
		require.NoError(t, err)
		b.Page(pdftest.Page{
			Width: 595, Height: 842, XObjects: map[string]pdftest.Ref{"I": b.Picture(shown)}, Fonts: map[string]pdftest.Ref{"F": b.Helvetica()},
			Content: fmt.Sprintf("q 595 0 0 842 0 0 cm /I Do Q BT /F 9 Tf 60 800 Td (%s) Tj ET", line),
		})
	})
	return b.Bytes()
}

// A stamp on a scan is no reason to leave the text in the picture, and keeps its own text.
func TestAScanWithAStampIsTranslated(t *testing.T) {
	t.Parallel()
	e := open(t)
	const paragraph = "The keeper of the light wrote down what the wind and the sea had done in the night, and then he slept until noon."
	const stamp = "Copy of the library of Illyria"
	standIn := llmtest.StandIn("", 1)
	written, edit := result(t, e, stampedScan(t, e, letter(), stamp), standIn)
	got := text(t, e, written)
	for _, want := range []string{standIn("A letter home"), standIn(paragraph), standIn(stamp)} {
		require.Contains(t, got, want)
	}
	require.Len(t, edit.Texts, 4)
	require.Len(t, edit.Patches, 3, "the stamp has no ground of its own")
	require.Len(t, edit.Remove, len(strings.ReplaceAll(stamp, " ", "")))
}

// The text over the picture of a slide is its text.
func TestAPageOverAPictureIsNoScan(t *testing.T) {
	t.Parallel()
	e := open(t)
	b := pdftest.New()
	b.Page(pdftest.Page{Content: "0.5 w 60 700 m 520 700 l S"})
	use(t, e, stampedScan(t, e, b.Bytes(), "The lamp"), func(f *pdf.File) {
		l, err := e.Layout(t.Context(), f, 0, 0)
		require.NoError(t, err)
		require.False(t, l.Scanned)
		require.Len(t, l.Blocks, 1)
		require.NotEmpty(t, l.Blocks[0].Glyphs)
	})
}

// scanOf is a file with the picture of the first page of another one, which lies askew by degrees, on a page that is rotated. A scanner has
// put an invisible text over it.
func scanOf(t *testing.T, e *engine.Engine, file []byte, degrees float64, rotate int) []byte {
	t.Helper()
	b := pdftest.New()
	use(t, e, file, func(f *pdf.File) {
		shown, _, err := f.Render(t.Context(), 0, 200)
		require.NoError(t, err)
		picture := b.Picture(shown)
		sin, cos := math.Sincos((degrees + float64(rotate)) * math.Pi / 180)
		w, h := float64(shown.Rect.Dx())*72/200, float64(shown.Rect.Dy())*72/200
		page := pdftest.Page{
			Width: 595, Height: 842, Rotate: rotate, XObjects: map[string]pdftest.Ref{"I": picture}, Fonts: map[string]pdftest.Ref{"F": b.Helvetica()},
			Content: fmt.Sprintf("%.5f %.5f %.5f %.5f %.2f %.2f cm q %.2f 0 0 %.2f %.2f %.2f cm /I Do Q BT 3 Tr /F 20 Tf %.2f %.2f Td (A 1etter h0me) Tj ET",
				cos, sin, -sin, cos, 297.5, 421.0, w, h, -w/2, -h/2, 60-w/2, 660-h/2),
		}
		b.Page(page)
	})
	return b.Bytes()
}

func TestAScannedPageIsTranslated(t *testing.T) {
	t.Parallel()
	e := open(t)
	standIn := llmtest.StandIn("", 1)
	const paragraph = "The keeper of the light wrote down what the wind and the sea had done in the night, and then he slept until noon."
	want := standIn("A letter home") + " " + standIn(paragraph) + " " + standIn(paragraph)
	for name, c := range map[string]struct {
		degrees float64
		rotate  int
	}{"straight": {0, 0}, "askew": {-1.2, 0}, "rotated": {0.4, 180}} {
		written, edit := result(t, e, scanOf(t, e, letter(), c.degrees, c.rotate), standIn)
		require.Equal(t, want, text(t, e, written), name)
		require.Len(t, edit.Patches, 3, name)
		use(t, e, written, func(f *pdf.File) {
			page, err := f.Content(t.Context(), 0)
			require.NoError(t, err)
			for _, g := range page.Glyphs {
				require.False(t, g.Hidden, "%s: the invisible text is gone", name)
			}
		})
	}
}

func TestClearedGroundIsPaper(t *testing.T) {
	t.Parallel()
	e := open(t)
	source := scanOf(t, e, letter(), 0, 0)
	blank, _ := result(t, e, source, func(string) string { return "." })
	use(t, e, blank, func(f *pdf.File) {
		shown, scale, err := f.Render(t.Context(), 0, 100)
		require.NoError(t, err)
		view := document.View{Scale: scale, Crop: document.Box{X1: 595, Y1: 842}}
		ink := func(b document.Box) (n int) {
			r := view.Pixels(b).Intersect(image.Rect(0, 0, shown.Rect.Dx(), shown.Rect.Dy()))
			for y := r.Min.Y; y < r.Max.Y; y++ {
				for x := r.Min.X; x < r.Max.X; x++ {
					if shown.RGBAAt(x, y).G < 200 {
						n++
					}
				}
			}
			return n
		}
		require.Zero(t, ink(document.Box{X0: 90, Y0: 640, X1: 500, Y1: 690}), "the heading is gone but for its full stop")
		require.Greater(t, ink(document.Box{X0: 60, Y0: 698, X1: 520, Y1: 702}), 500, "the rule stays")
	})
}
