package detect

import (
	"context"
	"image"
	"slices"

	"plait/internal/raster"
)

// How dark lettering with a white rim is told from the strokes of art that it stands on. Lengths are in those of the lines found
// on the page, whose boxes are a third wider than their letters.
const (
	// haloedInk is the brightest channel below which a pixel is ink: the rim of small lettering is gray where it is thin.
	haloedInk = 128
	// haloedMost is the longest side of a piece of a letter. What is longer is a stroke of art, however thin, and all that it
	// touches: speed lines, hatching that crosses, dark tone, the ground of a panel.
	haloedMost = 1.2
	// haloedLeast is the longest side at least of a piece that tells of a letter, and haloedCrowd how many of them stand together
	// beside strokes where there is lettering.
	haloedLeast, haloedCrowd = 0.25, 3
	// haloedStrokes is how many of the nine cells at and around a piece have strokes where it stands on them: the outline of a
	// bubble passes through three.
	haloedStrokes = 5
	// haloedLargest is the quantile of the lines' sizes that is taken: letters up to a third larger than these are still whole.
	haloedLargest = 0.75
	// haloedKnown is the share of a line in those known from which it says nothing new.
	haloedKnown = 0.8
)

// A page is drawn in ink where no more than coloredShare of its pixels, of which one in coloredStep of each row and column is looked
// at, have channels that differ by more than colored levels: on a painted page what is dark is no stroke.
const (
	colored, coloredStep = 24, 8
	coloredShare         = 0.05
)

// Haloed is the dark lettering of a page that stands on strokes of art, from which its white rim parts it.
type Haloed struct {
	// Image has the size of the page and shows nothing else.
	Image *image.NRGBA
	cells *cells
}

// Haloed looks for such lettering, and for its lines: among strokes the model overlooks it. Paper is the page without screentone, and
// known are lines that need no other look and tell the size of lettering. It returns nil for a painted page, for one without such
// lettering, and where pages are not seen whole. It fails as [Detector.Lines].
func (d *Detector) Haloed(ctx context.Context, img, paper *image.NRGBA, known []raster.Quad) (*Haloed, []Line, error) {
	if len(known) == 0 || img.Rect.Empty() || d.params.wholeScale(img.Rect.Dx(), img.Rect.Dy()) == 0 {
		return nil, nil, nil
	}
	found := findHaloed(img, paper, known)
	if found == nil {
		return nil, nil, nil
	}
	lines, err := d.LinesIn(ctx, found.Image, everywhere)
	if err != nil {
		return nil, nil, err
	}
	others := make([]Line, len(known))
	for i, q := range known {
		others[i].Quad = q
	}
	return found, slices.DeleteFunc(lines, func(l Line) bool { return sharedWith(l.Quad, others) >= haloedKnown }), nil
}

// Holds reports whether the middle of a line is among such lettering.
func (r *Haloed) Holds(line raster.Quad) bool {
	x0, y0, x1, y1 := line.Bounds()
	return r.cells.lettered(int(x0+x1)/2, int(y0+y1)/2)
}

// findHaloed finds such lettering; nil for a page without any.
func findHaloed(img, paper *image.NRGBA, known []raster.Quad) *Haloed {
	size := usualSize(known)
	if size < leastLineSide || !isInked(img) {
		return nil
	}
	var pieces []connectedPiece
	g := newCells(img.Rect, size/2)
	for _, c := range componentsOf(img, isInk) {
		p := connectedPiece{c}
		switch {
		case p.size() > haloedMost*size:
			g.strike(p.Runs)
		case p.size() >= haloedLeast*size || !p.isErased(paper):
			pieces = append(pieces, p)
		}
	}
	if len(pieces) > mostOutlined {
		return nil
	}
	for _, p := range pieces {
		g.add(p, p.size() >= haloedLeast*size && !p.isErased(paper) && !inAny(p.center(), known))
	}
	if !g.spread() {
		return nil
	}
	return &Haloed{g.picture(img, pieces), g}
}

func usualSize(lines []raster.Quad) float64 {
	sizes := make([]float64, len(lines))
	for i, q := range lines {
		sizes[i] = thickness(q)
	}
	slices.Sort(sizes)
	return sizes[int(haloedLargest*float64(len(sizes)-1))]
}

// isErased reports whether a piece is not on the page without screentone: a small one is a dot of it.
func (p connectedPiece) isErased(paper *image.NRGBA) bool {
	r := p.Runs[len(p.Runs)/2]
	i := paper.PixOffset((r.X0+r.X1)/2, r.Y)
	return !isInk(paper.Pix[i : i+4 : i+4])
}

func isInk(p []uint8) bool {
	return p[1] < haloedInk && p[0] < haloedInk && p[2] < haloedInk && p[3] == 255
}

// isInked reports whether a page is drawn in black and white.
func isInked(img *image.NRGBA) bool {
	seen, off := 0, 0
	for y := 0; y < img.Rect.Dy(); y += coloredStep {
		for x := 0; x < img.Rect.Dx(); x += coloredStep {
			c := raster.At(img, x, y)
			seen++
			if max(c[0], c[1], c[2])-min(c[0], c[1], c[2]) > colored {
				off++
			}
		}
	}
	return float64(off) <= coloredShare*float64(seen)
}
