package engine

import (
	"bytes"
	"context"
	"image"
	"image/png"
	"maps"
	"math"
	"slices"
	"strings"

	"plait/internal/assets"
	"plait/internal/comic/detect"
	"plait/internal/comic/ocr"
	"plait/internal/core"
	"plait/internal/document"
	"plait/internal/document/flow"
	"plait/internal/document/pdf"
	"plait/internal/document/scan"
)

// scanner returns the reader of scanned pages, or the error of ctx when that ends first.
func (e *Engine) scanner(ctx context.Context) (*scan.Reader, error) {
	var reader *scan.Reader
	var err error
	loaded := make(chan struct{})
	go func() {
		defer close(loaded)
		reader, err = e.loadScanner()
	}()
	select {
	case <-loaded:
		return reader, err
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// loadScanner loads the models for scanned pages with the first of them, because most documents have none.
func (e *Engine) loadScanner() (*scan.Reader, error) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.scans != nil {
		return e.scans, nil
	}
	if e.closers == nil {
		return nil, core.NewError(core.CodeInternal, "the engine is closed")
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

// scannedBlocks reads the blocks of a page that is a picture of text, as if it had a text layer. It reports false for a page with a text layer
// whose pictures have little text.
func (e *Engine) scannedBlocks(ctx context.Context, f *pdf.File, p document.Page, confidence float64) ([]document.Block, bool, error) {
	reader, err := e.scanner(ctx)
	if err != nil {
		return nil, false, err
	}
	picture, view, err := drawn(ctx, f, p)
	if err != nil {
		return nil, false, err
	}
	text, err := reader.Read(ctx, picture, view)
	if err != nil {
		return nil, false, err
	}
	layer, ok := withScan(&p, text, view)
	if !ok {
		return nil, false, nil
	}
	regions, err := e.regions(ctx, f, p, confidence)
	if err != nil {
		return nil, false, err
	}
	blocks := flow.Build(p, regions).Blocks
	for i := range blocks {
		b := &blocks[i]
		if !slices.ContainsFunc(b.Glyphs, func(glyph int) bool { return glyph >= layer }) && len(b.Glyphs) > 0 {
			continue
		}
		withoutLayer(b)
		b.Slope = text.Skew.Slope()
		dx, dy := text.Skew.Shift(document.Point{X: (b.Box.X0 + b.Box.X1) / 2, Y: (b.Box.Y0 + b.Box.Y1) / 2}, view)
		b.Box, b.Room = b.Box.Moved(dx, dy), b.Room.Moved(dx, dy)
		b.Baseline.X, b.Baseline.Y = b.Baseline.X+dx, b.Baseline.Y+dy
	}
	return blocks, true, nil
}

const (
	// scanRatio is the least number of characters in the pictures of a scan for each one of its text layer, and minScan the least number of a
	// page with a text layer: a figure or the ground of a slide has a few words.
	scanRatio = 3
	minScan   = 100
)

// withScan adds the text of the picture of a page to its text layer, where that has none. It returns the number of glyphs of the layer, and
// false for a page with a layer whose picture has little text.
func withScan(p *document.Page, text scan.Text, view document.View) (layer int, ok bool) {
	visible := slices.DeleteFunc(slices.Clone(p.Glyphs), func(g document.Glyph) bool { return g.Hidden || strings.TrimSpace(g.Text) == "" })
	layer, read := len(p.Glyphs), 0
	for _, g := range text.Glyphs {
		center := document.Point{X: (g.Box.X0 + g.Box.X1) / 2, Y: (g.Box.Y0 + g.Box.Y1) / 2}
		dx, dy := text.Skew.Shift(center, view)
		x, y := center.X+dx, center.Y+dy
		if slices.ContainsFunc(p.Glyphs[:layer], func(v document.Glyph) bool { return !v.Hidden && isAt(v, x, y) }) {
			continue
		}
		if strings.TrimSpace(g.Text) != "" {
			read++
		}
		g.Font += len(p.Fonts)
		p.Glyphs = append(p.Glyphs[:len(p.Glyphs):len(p.Glyphs)], g)
	}
	if len(visible) > 0 && (read < minScan || read < scanRatio*len(visible)) {
		return layer, false
	}
	if p.Images = nil; len(visible) == 0 {
		p.Fonts, p.Glyphs, p.Rules = text.Fonts, text.Glyphs, text.Rules
		return 0, true
	}
	p.Fonts, p.Rules = append(slices.Clone(p.Fonts), text.Fonts...), append(slices.Clone(p.Rules), text.Rules...)
	return layer, true
}

// isAt reports whether a glyph is at a point, or at most a third of its size away: the widths of glyphs that are read are not exact.
func isAt(g document.Glyph, x, y float64) bool {
	near := g.Size / 3
	return x >= g.Box.X0-near && x <= g.Box.X1+near && y >= g.Box.Y0-near && y <= g.Box.Y1+near
}

// withoutLayer takes what a picture does not have from a block: glyphs, rules, and formulas, which cannot move. A text with a formula stays as
// it is.
func withoutLayer(b *document.Block) {
	if b.Untranslated == "" && (len(b.Formulas) > 0 || b.Class == document.ClassFormula) {
		b.Untranslated = document.ReasonFormula
	}
	b.Glyphs, b.Rules, b.Fills = nil, nil, nil
	for n := range b.Formulas {
		b.Formulas[n].Glyphs, b.Formulas[n].Rules = nil, nil
	}
}

// ClearScan completes the edit of a scanned page that [Engine.Set] has made: it clears the ground of the texts in the picture, and removes the
// invisible text that a scanner has put over them.
func (e *Engine) ClearScan(ctx context.Context, f *pdf.File, p document.Page, set document.Edit, blocks []Translated) (document.Edit, error) {
	picture, view, err := drawn(ctx, f, p)
	if err != nil {
		return set, err
	}
	boxes, slopes, changed, layer := map[int]document.Box{}, map[int]float64{}, map[int]bool{}, map[int]bool{}
	for _, b := range blocks {
		if len(b.Glyphs) == 0 {
			boxes[b.Index], slopes[b.Index] = b.Box, b.Slope
		}
		for _, glyph := range b.Glyphs {
			layer[glyph] = true
		}
	}
	var areas []scan.Area
	for _, t := range set.Texts {
		if box, ok := boxes[t.Block]; ok {
			changed[t.Block] = true
			areas = append(areas, scan.Area{Box: view.Pixels(box), Slope: slopes[t.Block]})
		}
	}
	for i, g := range p.Glyphs {
		if block, ok := nearest(boxes, g.Box); ok && changed[block] && !layer[i] {
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
