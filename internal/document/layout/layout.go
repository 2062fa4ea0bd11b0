// Package layout finds the regions of a page with an ONNX model: text, titles, figures, tables, formulas and what else the model knows.
//
// Two contracts of models are known. [ContractPicoDet] is that of the model that the installation fetches, PP-PicoDet trained on CDLA
// (Apache-2.0). [ContractYOLO] is that of DocLayout-YOLO trained on DocStructBench. Both see a picture of the page; [Detector.DPI] is the
// resolution at which it is drawn.
package layout

import (
	"cmp"
	"context"
	"image"
	"slices"

	"plait/internal/core"
	"plait/internal/document"
	"plait/internal/onnx"
)

// Detector finds regions. It is safe for concurrent use.
type Detector struct {
	pool  *onnx.Pool
	yolo  bool
	names []document.Class
}

// The contracts of layout models.
const (
	ContractPicoDet = "picodet"
	ContractYOLO    = "yolo"
)

// Model is the manifest entry of a layout model of the contract.
func Model(contract, name, path, sha256 string) onnx.Model {
	m := onnx.Model{Name: name, Path: path, SHA256: sha256}
	if contract == ContractYOLO {
		m.Inputs = []onnx.Port{{Name: "images", Shape: []int64{onnx.OfFile, 3, onnx.Any, onnx.Any}}}
		m.Outputs = []onnx.Port{{Name: "output0", Shape: []int64{onnx.Any, onnx.Any, yoloValues}}}
		return m
	}
	m.Inputs = []onnx.Port{{Name: "image", Shape: []int64{onnx.OfFile, 3, picoHeight, picoWidth}}}
	for _, l := range picoLevels {
		m.Outputs = append(m.Outputs, onnx.Port{Name: l.scores, Shape: []int64{onnx.Any, onnx.Any, onnx.Any}})
	}
	for _, l := range picoLevels {
		m.Outputs = append(m.Outputs, onnx.Port{Name: l.sides, Shape: []int64{onnx.Any, onnx.Any, onnx.Any}})
	}
	return m
}

// New makes a detector from a pool that was loaded from [Model]. It fails with CodeModelMissing for a file that does not name its classes.
func New(pool *onnx.Pool, contract string) (*Detector, error) {
	d := &Detector{pool: pool, yolo: contract == ContractYOLO}
	if d.yolo {
		d.names = yoloClasses
		return d, nil
	}
	list, _ := pool.Metadata("character")
	if d.names = classesOf(list); len(d.names) == 0 {
		return nil, core.Errorf(core.CodeModelMissing, "model %q does not name its classes", pool.Name())
	}
	return d, nil
}

// DPI is the resolution at which pages are drawn for the model, in dots per inch.
func (d *Detector) DPI() float64 {
	if d.yolo {
		return 72
	}
	return picoDPI
}

// Regions finds the regions of a picture whose confidence is at least the given one, 0..1. Boxes are in pixels, y downward, sorted by
// falling confidence. It fails with the error of ctx, and with CodeDevice.
func (d *Detector) Regions(ctx context.Context, picture *image.RGBA, confidence float64) ([]document.Region, error) {
	var found []document.Region
	var err error
	if d.yolo {
		found, err = d.runYOLO(ctx, picture, confidence)
	} else {
		found, err = d.runPicoDet(ctx, picture, confidence)
	}
	if err != nil {
		return nil, err
	}
	slices.SortStableFunc(found, func(a, b document.Region) int { return cmp.Compare(b.Confidence, a.Confidence) })
	return settled(found), nil
}

// OnPage converts regions from pixels of a picture, as a viewer shows the page, to the user space of the page. Scale is the number of pixels
// per point.
func OnPage(regions []document.Region, scale float64, crop document.Box, rotate int) []document.Region {
	list := make([]document.Region, len(regions))
	for i, r := range regions {
		r.Box = onPage(r.Box, scale, crop, rotate)
		list[i] = r
	}
	return list
}

// onPage takes back the rotation: a viewer shows the crop box rotated clockwise, with its upper left corner at the origin.
func onPage(b document.Box, scale float64, crop document.Box, rotate int) document.Box {
	x0, y0, x1, y1 := b.X0/scale, b.Y0/scale, b.X1/scale, b.Y1/scale
	switch rotate {
	case 90:
		return document.Box{X0: crop.X0 + y0, Y0: crop.Y0 + x0, X1: crop.X0 + y1, Y1: crop.Y0 + x1}
	case 180:
		return document.Box{X0: crop.X1 - x1, Y0: crop.Y0 + y0, X1: crop.X1 - x0, Y1: crop.Y0 + y1}
	case 270:
		return document.Box{X0: crop.X1 - y1, Y0: crop.Y1 - x1, X1: crop.X1 - y0, Y1: crop.Y1 - x0}
	}
	return document.Box{X0: crop.X0 + x0, Y0: crop.Y1 - y1, X1: crop.X0 + x1, Y1: crop.Y1 - y0}
}

// inside is the share of the smaller box above which two regions are one.
const inside = 0.8

// settled drops regions that lie within a better one of the same class, and texts within a table, whose cells are found by other means.
func settled(found []document.Region) []document.Region {
	var kept []document.Region
	for _, r := range found {
		if !slices.ContainsFunc(kept, func(k document.Region) bool { return covers(k, r) }) {
			kept = append(kept, r)
		}
	}
	return kept
}

func covers(k, r document.Region) bool {
	share := overlap(k.Box, r.Box) / max(min(area(k.Box), area(r.Box)), 1e-9)
	if k.Class == r.Class {
		return share > inside
	}
	// Two classes for one box: the more confident one.
	return overlap(k.Box, r.Box)/max(area(k.Box), area(r.Box), 1e-9) > inside
}

func area(b document.Box) float64 { return (b.X1 - b.X0) * (b.Y1 - b.Y0) }

func overlap(a, b document.Box) float64 {
	return max(0, min(a.X1, b.X1)-max(a.X0, b.X0)) * max(0, min(a.Y1, b.Y1)-max(a.Y0, b.Y0))
}
