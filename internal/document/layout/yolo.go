package layout

import (
	"context"
	"image"
	"image/color"
	"math"

	"golang.org/x/image/draw"

	"plait/internal/document"
	"plait/internal/onnx"
)

// The contract of DocLayout-YOLO (DocStructBench): pages at 72 dpi; the output is up to 300 boxes of x1, y1, x2, y2, confidence and class.
const (
	yoloStride = 32
	yoloValues = 6
	yoloGray   = 114
)

var yoloClasses = []document.Class{
	document.ClassTitle, document.ClassText, document.ClassAbandoned, document.ClassFigure, document.ClassFigureCaption, document.ClassTable,
	document.ClassTableCaption, document.ClassTableFootnote, document.ClassFormula, document.ClassFormulaNumber,
}

// letterbox is how a picture is placed into the input of the model.
type letterbox struct {
	// Width and Height are those of the input, multiples of the stride. The picture is scaled to ScaledWidth by ScaledHeight, and the rest is
	// divided evenly.
	Width, Height, ScaledWidth, ScaledHeight int
}

// newLetterbox places a picture: its height, rounded down to the stride, is the size of the longer side.
func newLetterbox(width, height int) letterbox {
	size := max(height/yoloStride*yoloStride, yoloStride)
	r := min(float64(size)/float64(height), float64(size)/float64(width))
	l := letterbox{ScaledWidth: max(int(math.RoundToEven(float64(width)*r)), 1), ScaledHeight: max(int(math.RoundToEven(float64(height)*r)), 1)}
	l.Width, l.Height = upTo(l.ScaledWidth), upTo(l.ScaledHeight)
	return l
}

func upTo(n int) int { return (n + yoloStride - 1) / yoloStride * yoloStride }

// offset is the space at the left and at the top.
func (l letterbox) offset() (x, y int) {
	half := func(space int) int { return int(math.RoundToEven(float64(space)/2 - 0.1)) }
	return half(l.Width - l.ScaledWidth), half(l.Height - l.ScaledHeight)
}

// back converts a box of the input to a picture of the size.
func (l letterbox) back(b document.Box, width, height int) document.Box {
	gain := min(float64(l.Height)/float64(height), float64(l.Width)/float64(width))
	half := func(space float64) float64 { return math.RoundToEven(space/2 - 0.1) }
	x, y := half(float64(l.Width)-float64(width)*gain), half(float64(l.Height)-float64(height)*gain)
	clip := func(v float64, most int) float64 { return min(max(v, 0), float64(most)) }
	return document.Box{
		X0: clip((b.X0-x)/gain, width), Y0: clip((b.Y0-y)/gain, height),
		X1: clip((b.X1-x)/gain, width), Y1: clip((b.Y1-y)/gain, height),
	}
}

func (d *Detector) runYOLO(ctx context.Context, picture *image.RGBA, confidence float64) ([]document.Region, error) {
	width, height := picture.Rect.Dx(), picture.Rect.Dy()
	l := newLetterbox(width, height)
	canvas := image.NewRGBA(image.Rect(0, 0, l.Width, l.Height))
	draw.Draw(canvas, canvas.Rect, image.NewUniform(color.Gray{Y: yoloGray}), image.Point{}, draw.Src)
	x, y := l.offset()
	scale(canvas, image.Rect(x, y, x+l.ScaledWidth, y+l.ScaledHeight), picture)
	in := onnx.NewTensor(1, 3, int64(l.Height), int64(l.Width))
	plane := l.Width * l.Height
	for i := range plane {
		for c := range 3 {
			in.Data[c*plane+i] = float32(canvas.Pix[4*i+c]) / 255
		}
	}
	outputs := make([]onnx.Tensor, 1)
	if err := d.pool.Run(ctx, []onnx.Tensor{in}, outputs); err != nil {
		return nil, err
	}
	var found []document.Region
	for rows := outputs[0].Data; len(rows) >= yoloValues; rows = rows[yoloValues:] {
		class := int(rows[5])
		if float64(rows[4]) <= confidence || class < 0 || class >= len(d.names) {
			continue
		}
		box := l.back(document.Box{X0: float64(rows[0]), Y0: float64(rows[1]), X1: float64(rows[2]), Y1: float64(rows[3])}, width, height)
		found = append(found, document.Region{Class: d.names[class], Box: box, Confidence: float64(rows[4])})
	}
	return found, nil
}
