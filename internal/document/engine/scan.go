package engine

import (
	"bytes"
	"context"
	"image"
	"image/png"
	"maps"
	"math"
	"slices"

	"plait/internal/assets"
	"plait/internal/comic/detect"
	"plait/internal/comic/ocr"
	"plait/internal/core"
	"plait/internal/document"
	"plait/internal/document/flow"
	"plait/internal/document/pdf"
	"plait/internal/document/scan"
)

// scanner returns the reader of scanned pages. Its models are loaded for the first of them, because most documents have none.
func (e *Engine) scanner() (*scan.Reader, error) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.scans != nil {
		return e.scans, nil
	}
	detector, err := e.load(assets.DetectModel, detect.Model)
	if err != nil {
		return nil, err
	}
	recognizer, err := e.load(assets.RecognizeModel, ocr.Model)
	if err != nil {
		return nil, err
	}
	e.scans, err = scan.New(detector, recognizer)
	return e.scans, err
}

// drawn returns the picture of a page that is read.
func drawn(ctx context.Context, f *pdf.File, p document.Page) (*image.NRGBA, document.View, error) {
	picture, scale, err := f.Render(ctx, p.Index, scan.DPI)
	if err != nil {
		return nil, document.View{}, err
	}
	// The picture of a page is opaque, so that both kinds of pixels are the same.
	opaque := &image.NRGBA{Pix: picture.Pix, Stride: picture.Stride, Rect: picture.Rect}
	return opaque, document.View{Scale: scale, Crop: p.Crop, Rotate: p.Rotate}, nil
}

// scannedBlocks reads the blocks of a page that is a picture of text, as if it had a text layer.
func (e *Engine) scannedBlocks(ctx context.Context, f *pdf.File, p document.Page, confidence float64) ([]document.Block, error) {
	reader, err := e.scanner()
	if err != nil {
		return nil, err
	}
	picture, view, err := drawn(ctx, f, p)
	if err != nil {
		return nil, err
	}
	text, err := reader.Read(ctx, picture, view)
	if err != nil {
		return nil, err
	}
	p.Fonts, p.Glyphs, p.Rules, p.Images = text.Fonts, text.Glyphs, text.Rules, nil
	regions, err := e.regions(ctx, f, p, confidence)
	if err != nil {
		return nil, err
	}
	blocks := withoutLayer(flow.Build(p, regions).Blocks)
	for i := range blocks {
		b := &blocks[i]
		dx, dy := text.Skew.Shift(document.Point{X: (b.Box.X0 + b.Box.X1) / 2, Y: (b.Box.Y0 + b.Box.Y1) / 2}, view)
		b.Box, b.Room = b.Box.Moved(dx, dy), b.Room.Moved(dx, dy)
		b.Baseline.X, b.Baseline.Y = b.Baseline.X+dx, b.Baseline.Y+dy
	}
	return blocks, nil
}

// withoutLayer takes what a scanned page does not have from its blocks: glyphs, rules, and formulas, which cannot move. A text with a formula
// stays as it is.
func withoutLayer(blocks []document.Block) []document.Block {
	for i := range blocks {
		b := &blocks[i]
		if b.Untranslated == "" && (len(b.Formulas) > 0 || b.Class == document.ClassFormula) {
			b.Untranslated = document.ReasonFormula
		}
		b.Glyphs, b.Rules = nil, nil
		for n := range b.Formulas {
			b.Formulas[n].Glyphs, b.Formulas[n].Rules = nil, nil
		}
	}
	return blocks
}

// ClearScan completes the edit of a scanned page that [Engine.Set] has made: it clears the ground of the texts, and removes the invisible text
// that a scanner has put over them.
func (e *Engine) ClearScan(ctx context.Context, f *pdf.File, p document.Page, set document.Edit, blocks []Translated) (document.Edit, error) {
	picture, view, err := drawn(ctx, f, p)
	if err != nil {
		return set, err
	}
	boxes, changed := map[int]document.Box{}, map[int]bool{}
	for _, b := range blocks {
		boxes[b.Index] = b.Box
	}
	var areas []image.Rectangle
	for _, t := range set.Texts {
		changed[t.Block] = true
		areas = append(areas, view.Pixels(boxes[t.Block]))
	}
	for i, g := range p.Glyphs {
		if block, ok := nearest(boxes, g.Box); ok && changed[block] {
			set.Remove = append(set.Remove, i)
		}
	}
	for _, patch := range scan.Clear(picture, areas, scan.Rules(picture)) {
		var encoded bytes.Buffer
		if err := png.Encode(&encoded, upright(patch.Pixels, p.Rotate)); err != nil {
			return set, core.Wrap(core.CodeInternal, err, "the ground of a text cannot be encoded")
		}
		box := document.Box{X0: float64(patch.Rect.Min.X), Y0: float64(patch.Rect.Min.Y), X1: float64(patch.Rect.Max.X), Y1: float64(patch.Rect.Max.Y)}
		set.Patches = append(set.Patches, document.Patch{Box: view.Box(box), PNG: encoded.Bytes()})
	}
	return set, nil
}

// maxAway is how far invisible text may be from the text in the picture that it stands for, in points.
const maxAway = 18

// nearest returns the block to which invisible text belongs.
func nearest(blocks map[int]document.Box, glyph document.Box) (block int, ok bool) {
	x, y := (glyph.X0+glyph.X1)/2, (glyph.Y0+glyph.Y1)/2
	least := float64(maxAway)
	for _, index := range slices.Sorted(maps.Keys(blocks)) {
		b := blocks[index]
		away := math.Hypot(max(b.X0-x, x-b.X1, 0), max(b.Y0-y, y-b.Y1, 0))
		if away < least {
			least, block, ok = away, index, true
		}
	}
	return block, ok
}

// upright turns a part of the picture of a page, which a viewer shows rotated clockwise, so that it stands as in user space.
func upright(shown *image.NRGBA, rotate int) *image.NRGBA {
	if rotate == 0 {
		return shown
	}
	w, h := shown.Rect.Dx(), shown.Rect.Dy()
	size := image.Rect(0, 0, h, w)
	if rotate == 180 {
		size = shown.Rect
	}
	out := image.NewNRGBA(size)
	for y := range h {
		for x := range w {
			to := image.Pt(w-1-x, h-1-y)
			switch rotate {
			case 90:
				to = image.Pt(y, w-1-x)
			case 270:
				to = image.Pt(h-1-y, x)
			}
			out.SetNRGBA(to.X, to.Y, shown.NRGBAAt(x, y))
		}
	}
	return out
}
