// Package layout finds the regions of a page with an ONNX model: text, titles, figures, tables, formulas and what else the model knows.
//
// Two contracts of models are known. [onnx.ContractPicoDet] is that of the model that the installation fetches, PP-PicoDet trained on CDLA
// (Apache-2.0). [onnx.ContractYOLO] is that of DocLayout-YOLO trained on DocStructBench. Both see a picture of the page; [Detector.DPI] is the
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

// Model returns the model of a contract in a file.
func Model(contract string) func(name, path, sha256 string) onnx.Model {
	return func(name, path, sha256 string) onnx.Model {
		m := ports(contract)
		m.Name, m.Path, m.SHA256 = name, path, sha256
		return m
	}
}

// ports are the inputs and outputs of a contract.
func ports(contract string) (m onnx.Model) {
	if contract == onnx.ContractYOLO {
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
	d := &Detector{pool: pool, yolo: contract == onnx.ContractYOLO}
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

// OnPage converts regions from pixels of a picture to the user space of the page.
func OnPage(regions []document.Region, view document.View) []document.Region {
	list := make([]document.Region, len(regions))
	for i, r := range regions {
		r.Box = view.Box(r.Box)
		list[i] = r
	}
	return list
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
