package detect

import (
	"context"
	"image"
	"math"
	"slices"

	"plait/internal/raster"
)

// How lettering with an outline is told from art. Lengths are in widths of the page; of a spread, in those of one of its pages.
const (
	// outlinedLeast and outlinedMost are the sizes of a piece of it: a letter, or a part of one.
	outlinedLeast, outlinedMost = 0.01, 0.4
	// strokesAlike is how many times as wide the strokes of one piece may be as those of another beside it, and piecesApart how
	// far apart the two are at most, in sizes of the larger.
	strokesAlike, piecesApart = 2.5, 1
	// leastBent is how many bent pieces are together at least: art in white with a dark outline (teeth, windows, highlights) is
	// seldom bent, and rarely twice side by side.
	leastBent = 2
	// mostOutlined bounds the pieces of a page: more are a texture.
	mostOutlined = 4096
)

// How its lines are found. Nothing but lettering is in the picture, so that the model is believed sooner than on a page.
const (
	outlinedTile, outlinedOverlap = 256, 64
	outlinedScore                 = 0.45
)

// Outlined is the lettering of a page that is drawn in white, or nearly, with a dark outline: sounds and shouts, which the model
// overlooks among art.
type Outlined struct {
	// Image has the size of the page and shows nothing else: black on white.
	Image  *image.NRGBA
	pieces []outlinedPiece
}

// Outlined looks for such lettering, and for its lines of which none of others has a part. It returns nil for a page without any,
// and where pages are not seen whole. It fails as [Detector.Lines].
func (d *Detector) Outlined(ctx context.Context, img *image.NRGBA, others []raster.Quad) (*Outlined, []Line, error) {
	coarse := d.params.wholeScale(img.Rect.Dx(), img.Rect.Dy())
	if coarse == 0 || img.Rect.Empty() {
		return nil, nil, nil
	}
	o := findOutlined(img)
	if o == nil {
		return nil, nil, nil
	}
	params := d.params
	params.TileSide, params.TileOverlap, params.MinScore = outlinedTile, outlinedOverlap, outlinedScore
	lines, err := (&Detector{pool: d.pool, params: params}).look(ctx, o.Image, coarse, everywhere)
	if err != nil {
		return nil, nil, err
	}
	found := make([]Line, len(others))
	for i, q := range others {
		found[i].Quad = q
	}
	return o, slices.DeleteFunc(lines, func(l Line) bool {
		return !o.Holds(l.Quad) || sharedWith(l.Quad, found) >= largeFound
	}), nil
}

// findOutlined finds the pieces of such lettering; nil for a page without any.
func findOutlined(img *image.NRGBA) *Outlined {
	pieces := outlinedPieces(img)
	if len(pieces) < leastBent || len(pieces) > mostOutlined {
		return nil
	}
	pieces = inCompany(pieces)
	if len(pieces) == 0 {
		return nil
	}
	o := &Outlined{Image: image.NewNRGBA(img.Rect), pieces: pieces}
	for i := range o.Image.Pix {
		o.Image.Pix[i] = 255
	}
	for _, p := range pieces {
		for _, r := range p.Runs {
			for x := r.X0; x < r.X1; x++ {
				copy(o.Image.Pix[r.Y*o.Image.Stride+4*x:], []uint8{0, 0, 0})
			}
		}
	}
	for i, p := range o.pieces {
		o.pieces[i].ended = o.isEnded(img, p)
	}
	return o
}

// Holds reports whether bent pieces of the lettering lie in a line, and its pieces take most of its length. Nil holds nothing.
func (o *Outlined) Holds(q raster.Quad) bool {
	if o == nil {
		return false
	}
	from, to := math.Inf(1), math.Inf(-1)
	start, along := cutMiddle(q)
	bent := false
	for _, p := range o.pieces {
		if !p.standsIn(q) {
			continue
		}
		bent = bent || p.bent
		at, half := p.center().sub(start).dot(along), p.size()/2
		from, to = min(from, at-half), max(to, at+half)
	}
	return bent && to-from >= length(q)/2
}

// cutMiddle is the middle of a line's beginning, and the direction of the line.
func cutMiddle(q raster.Quad) (start, along vector) {
	a, b := cutAcross(q, 0)
	c, d := cutAcross(q, 1)
	start = a.add(b).times(0.5)
	along = c.add(d).times(0.5).sub(start)
	return start, along.times(1 / max(along.length(), 1))
}
