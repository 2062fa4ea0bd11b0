package layout

import (
	"context"
	"image"
	"math"
	"slices"
	"strings"

	"plait/internal/document"
	"plait/internal/onnx"
)

// The input of PP-PicoDet for layouts: a picture stretched to this size, RGB, normalized by the statistics of ImageNet.
const (
	picoWidth  = 608
	picoHeight = 800
	// picoDPI draws a page at about twice that size: on eleven documents the model was surer of what it saw than at 72 dpi, because letters
	// that are drawn large and then reduced keep more of their shape.
	picoDPI = 144
	// picoBins is the number of bins of a distance: the distance is their expectation, in strides (Li et al., Generalized Focal Loss, 2020).
	picoBins = 8
)

var (
	imageNetMean = [3]float32{0.485, 0.456, 0.406}
	imageNetStd  = [3]float32{0.229, 0.224, 0.225}
)

// picoLevel is one level of the feature pyramid.
type picoLevel struct {
	stride        int
	scores, sides string
}

var picoLevels = []picoLevel{
	{8, "transpose_0.tmp_0", "transpose_1.tmp_0"}, {16, "transpose_2.tmp_0", "transpose_3.tmp_0"},
	{32, "transpose_4.tmp_0", "transpose_5.tmp_0"}, {64, "transpose_6.tmp_0", "transpose_7.tmp_0"},
}

// cells are the columns and rows of a level.
func (l picoLevel) cells() (columns, rows int) {
	return (picoWidth + l.stride - 1) / l.stride, (picoHeight + l.stride - 1) / l.stride
}

// classNames maps the names of a model to classes.
var classNames = map[string]document.Class{
	"text": document.ClassText, "title": document.ClassTitle, "figure": document.ClassFigure, "figure_caption": document.ClassFigureCaption,
	"table": document.ClassTable, "table_caption": document.ClassTableCaption, "header": document.ClassHeader, "footer": document.ClassFooter,
	"reference": document.ClassReference, "equation": document.ClassFormula,
}

// classesOf reads the list of classes of a model, a line each; nil if it has an unknown one.
func classesOf(list string) (classes []document.Class) {
	for line := range strings.Lines(list) {
		class, known := classNames[strings.TrimSpace(line)]
		if !known {
			return nil
		}
		classes = append(classes, class)
	}
	return classes
}

func (d *Detector) runPicoDet(ctx context.Context, picture *image.RGBA, confidence float64) ([]document.Region, error) {
	in := onnx.NewTensor(1, 3, picoHeight, picoWidth)
	stretched := image.NewRGBA(image.Rect(0, 0, picoWidth, picoHeight))
	scale(stretched, stretched.Rect, picture)
	plane := picoWidth * picoHeight
	for i := range plane {
		for c := range 3 {
			in.Data[c*plane+i] = (float32(stretched.Pix[4*i+c])/255 - imageNetMean[c]) / imageNetStd[c]
		}
	}
	outputs := make([]onnx.Tensor, 2*len(picoLevels))
	if err := d.pool.Run(ctx, []onnx.Tensor{in}, outputs); err != nil {
		return nil, err
	}
	scaleX, scaleY := float64(picture.Rect.Dx())/picoWidth, float64(picture.Rect.Dy())/picoHeight
	var found []document.Region
	for i, level := range picoLevels {
		found = append(found, d.decode(level, outputs[i].Data, outputs[len(picoLevels)+i].Data, confidence)...)
	}
	found = suppressed(found)
	for i := range found {
		b := &found[i].Box
		*b = document.Box{X0: b.X0 * scaleX, Y0: b.Y0 * scaleY, X1: b.X1 * scaleX, Y1: b.Y1 * scaleY}
	}
	return found, nil
}

// decode reads the boxes of one level, in pixels of the stretched picture.
func (d *Detector) decode(level picoLevel, scores, sides []float32, confidence float64) (found []document.Region) {
	columns, rows := level.cells()
	classes := len(d.names)
	const values = 4 * picoBins
	for cell := range min(columns*rows, len(scores)/classes, len(sides)/values) {
		of := scores[cell*classes : (cell+1)*classes]
		best := 0
		for c := range of {
			if of[c] > of[best] {
				best = c
			}
		}
		if float64(of[best]) < confidence {
			continue
		}
		stride := float64(level.stride)
		x, y := (float64(cell%columns)+0.5)*stride, (float64(cell/columns)+0.5)*stride
		var far [4]float64
		for side := range far {
			far[side] = stride * expectation(sides[cell*values+side*picoBins:cell*values+(side+1)*picoBins])
		}
		box := document.Box{
			X0: max(x-far[0], 0), Y0: max(y-far[1], 0), X1: min(x+far[2], picoWidth), Y1: min(y+far[3], picoHeight),
		}
		found = append(found, document.Region{Class: d.names[best], Box: box, Confidence: float64(of[best])})
	}
	return found
}

// expectation is the mean bin under the softmax of the values.
func expectation(values []float32) float64 {
	highest := slices.Max(values)
	sum, mean := 0.0, 0.0
	for bin, v := range values {
		p := math.Exp(float64(v - highest))
		sum += p
		mean += p * float64(bin)
	}
	return mean / sum
}

// maxIoU is the overlap, as intersection over union, above which the less confident of two boxes of a class is dropped.
const maxIoU = 0.5

// suppressed drops boxes that overlap a more confident one of their class.
func suppressed(found []document.Region) (kept []document.Region) {
	slices.SortStableFunc(found, func(a, b document.Region) int {
		switch {
		case a.Confidence > b.Confidence:
			return -1
		case a.Confidence < b.Confidence:
			return 1
		}
		return 0
	})
	for _, r := range found {
		if !slices.ContainsFunc(kept, func(k document.Region) bool {
			common := overlap(k.Box, r.Box)
			return k.Class == r.Class && common > maxIoU*(area(k.Box)+area(r.Box)-common)
		}) {
			kept = append(kept, r)
		}
	}
	return kept
}
