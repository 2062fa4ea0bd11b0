package layout_test

import (
	"fmt"
	"image"
	"image/color"
	"image/draw"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/image/font"
	"golang.org/x/image/font/gofont/goregular"
	"golang.org/x/image/font/opentype"
	"golang.org/x/image/math/fixed"

	"plait/internal/assets"
	"plait/internal/document"
	"plait/internal/document/layout"
	"plait/internal/onnx"
	"plait/internal/onnx/onnxtest"
)

// assetsDir is the folder of fetched files.
const assetsDir = "../../../build/assets"

func openRuntime(t *testing.T) (*onnx.Runtime, *assets.Set) {
	t.Helper()
	set, err := assets.Open(assetsDir)
	require.NoError(t, err)
	library, err := set.Path(assets.OnnxRuntime)
	require.NoError(t, err)
	rt, err := onnx.Open(onnx.Config{LibraryPath: library, Device: onnx.CPU, Threads: 1})
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, rt.Close()) })
	return rt, set
}

// The shapes are those of the reference implementation of the contract.
func TestThePictureIsPlacedAsTheModelExpects(t *testing.T) {
	for _, c := range []struct{ width, height, inputHeight, inputWidth int }{
		{595, 842, 832, 608}, {612, 792, 768, 608}, {842, 595, 416, 576}, {40, 20, 32, 32}, {1000, 1000, 992, 992},
	} {
		w, h := layout.InputSize(c.width, c.height)
		require.Equal(t, [2]int{c.inputHeight, c.inputWidth}, [2]int{h, w}, fmt.Sprint(c.width, "x", c.height))
	}
}

// A model that gives back constant boxes shows the conversion from the input to the page.
func TestBoxesOfAYOLOModel(t *testing.T) {
	rt, _ := openRuntime(t)
	path, digest := onnxtest.YOLO(t, []float32{
		9, 4, 599, 828, 0.9, 5, // the picture without its margins of (608-588)/2
		100, 100, 200, 200, 0.2, 1, // not confident
		100, 100, 200, 200, 0.8, 1,
		101, 101, 199, 199, 0.7, 1, // the same again
		10, 10, 20, 20, 0.9, 42, // no such class
	})
	pool, err := rt.Load(layout.Model(onnx.ContractYOLO)("yolo", path, digest), 1)
	require.NoError(t, err)
	defer pool.Close()
	d, err := layout.New(pool, onnx.ContractYOLO)
	require.NoError(t, err)
	found, err := d.Regions(t.Context(), image.NewRGBA(image.Rect(0, 0, 595, 842)), 0.25)
	require.NoError(t, err)
	require.Len(t, found, 2)
	require.Equal(t, document.ClassTable, found[0].Class)
	require.InDelta(t, 0, found[0].Box.X0, 1.5)
	require.InDelta(t, 595, found[0].Box.X1, 1.5)
	require.InDelta(t, 838, found[0].Box.Y1, 1.5)
	require.Equal(t, document.ClassText, found[1].Class)
}

func TestTheModelFindsTextAndTables(t *testing.T) {
	rt, set := openRuntime(t)
	path, err := set.Path(assets.LayoutModel)
	require.NoError(t, err)
	file, err := set.File(assets.LayoutModel)
	require.NoError(t, err)
	pool, err := rt.Load(layout.Model(onnx.ContractPicoDet)("layout", path, file.SHA256), 1)
	require.NoError(t, err)
	defer pool.Close()
	d, err := layout.New(pool, onnx.ContractPicoDet)
	require.NoError(t, err)
	found, err := d.Regions(t.Context(), drawPage(t), 0.4)
	require.NoError(t, err)
	require.True(t, has(found, document.ClassText, image.Pt(600, 500)), "%v", found)
	require.True(t, has(found, document.ClassTable, image.Pt(600, 1200)), "%v", found)
	require.False(t, has(found, document.ClassText, image.Pt(600, 1600)), "%v", found)
}

// has reports whether a region of the class holds the point.
func has(found []document.Region, class document.Class, p image.Point) bool {
	for _, r := range found {
		if r.Class == class && float64(p.X) > r.Box.X0 && float64(p.X) < r.Box.X1 && float64(p.Y) > r.Box.Y0 && float64(p.Y) < r.Box.Y1 {
			return true
		}
	}
	return false
}

// drawPage draws a page of 1190x1684 pixels with a paragraph and a table.
func drawPage(t *testing.T) *image.RGBA {
	t.Helper()
	page := image.NewRGBA(image.Rect(0, 0, 1190, 1684))
	draw.Draw(page, page.Rect, image.White, image.Point{}, draw.Src)
	parsed, err := opentype.Parse(goregular.TTF)
	require.NoError(t, err)
	face, err := opentype.NewFace(parsed, &opentype.FaceOptions{Size: 20, DPI: 72})
	require.NoError(t, err)
	write := func(x, y int, text string) {
		d := font.Drawer{Dst: page, Src: image.Black, Face: face, Dot: fixed.P(x, y)}
		d.DrawString(text)
	}
	for line := range 22 {
		write(150, 260+26*line, "The keeper of the light wrote down what the wind and the sea had done in the night,")
	}
	for row := range 9 {
		y := 1060 + 36*row
		draw.Draw(page, image.Rect(150, y-28, 1040, y-26), image.NewUniform(color.Black), image.Point{}, draw.Src)
		for column := range 5 {
			write(170+180*column, y, fmt.Sprintf("%d.%d units", row*7+3, column))
		}
	}
	for column := range 6 {
		x := 150 + 178*column
		draw.Draw(page, image.Rect(x, 1032, x+2, 1340), image.NewUniform(color.Black), image.Point{}, draw.Src)
	}
	return page
}
