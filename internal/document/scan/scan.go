// Package scan reads pages that are pictures of text, such as scans, and clears the ground on which their translations stand.
//
// [Reader.Read] finds the lines of text in the picture of a page and reads them with the models of package ocr. It returns them as glyphs
// and rules, as if the page had a text layer, so that package flow joins them to paragraphs and tables. The glyphs have no operators in the
// content of the page. Their size and baseline come from the ink of their line: which letters a line has says how far its ink reaches above
// and below the baseline. Their widths share out the length of the line.
//
// [Clear] returns patches that cover the ink of texts with the paper around it. Everything else in the picture stays: rules, stamps, pictures.
//
// Not read are columns of vertical text, lines at an angle of more than a few degrees, and lines that the model reads with little certainty.
package scan

import (
	"context"
	"image"
	"math"
	"strings"

	"plait/internal/comic/detect"
	"plait/internal/comic/ocr"
	"plait/internal/document"
	"plait/internal/onnx"
	"plait/internal/raster"
)

const (
	// DPI is the resolution of the picture that is read, in dots per inch: text of 6 points has 17 pixels, and the model reads lines of 48.
	DPI = 200
	// minProb is the least mean probability of the characters of a line.
	minProb = 0.6
	// maxSlope is the largest slope of a line: a page that lies askew in a scanner, by 4 degrees.
	maxSlope = 0.07
)

// Reader reads pictures of pages. It is safe for concurrent use.
type Reader struct {
	detector   *detect.Detector
	recognizer *ocr.Recognizer
}

// New makes a reader from pools that were loaded from [detect.Model] and [ocr.Model]. It fails with CodeModelMissing.
func New(detector, recognizer *onnx.Pool) (*Reader, error) {
	r, err := ocr.New(recognizer)
	if err != nil {
		return nil, err
	}
	return &Reader{detect.New(detector, params()), r}, nil
}

// params look at a page at its own size, and at all of it: documents have more and smaller text than comics.
func params() detect.Params {
	p := detect.DefaultParams()
	p.PageWidth, p.MaxPageWidth, p.StripRatio, p.WholeWidth = 1, math.MaxInt32, math.Inf(1), 0
	return p
}

// Text is what a picture of a page shows.
type Text struct {
	// Fonts and Glyphs are as in [document.Page]; the operators of all glyphs are -1.
	Fonts  []document.Font
	Glyphs []document.Glyph
	// Rules are straight lines in the picture.
	Rules []document.Rule
	// Skew is the rotation of the picture. Glyphs and rules are where they are when the picture is turned back.
	Skew Skew
}

// Read reads the picture of a page. It fails with the error of ctx, and with CodeDevice.
func (r *Reader) Read(ctx context.Context, picture *image.NRGBA, view document.View) (Text, error) {
	found, err := r.detector.Lines(ctx, picture)
	if err != nil {
		return Text{}, err
	}
	var level []raster.Quad
	for _, l := range found {
		if !slanted(l.Quad) {
			level = append(level, l.Quad)
		}
	}
	skew := skewOf(level, picture.Rect.Size())
	var quads []raster.Quad
	for _, quad := range level {
		quads = append(quads, divide(picture, quad, skew.Slope())...)
	}
	read, err := r.recognizer.Read(ctx, picture, quads)
	if err != nil {
		return Text{}, err
	}
	var lines []line
	for i, reading := range read {
		text := strings.Join(strings.Fields(reading.Text), " ")
		if reading.Vertical || reading.Turns != 0 || reading.Prob < minProb || text == "" {
			continue
		}
		if l, ok := measure(picture, quads[i], skew.Slope(), text); ok {
			lines = append(lines, l)
		}
	}
	settle(lines)
	t := Text{Fonts: []document.Font{{Serif: true, Mapped: true}}, Skew: skew}
	t.Skew.straighten(lines)
	for _, l := range lines {
		t.Glyphs = append(t.Glyphs, l.glyphs(view)...)
	}
	for _, r := range Rules(picture) {
		box := document.Box{X0: float64(r.Min.X), Y0: float64(r.Min.Y), X1: float64(r.Max.X), Y1: float64(r.Max.Y)}
		x, y := (box.X0+box.X1)/2, (box.Y0+box.Y1)/2
		toX, toY := t.Skew.straight(x, y)
		t.Rules = append(t.Rules, document.Rule{Box: view.Box(box.Moved(toX-x, toY-y)), Op: -1})
	}
	return t, nil
}

// slanted reports whether a line is at an angle.
func slanted(q raster.Quad) bool {
	dx, dy := q[1][0]-q[0][0], q[1][1]-q[0][1]
	return dx <= 0 || math.Abs(dy) > maxSlope*dx
}
