package detect

import (
	"context"
	"image"
	"math"
	"slices"

	"golang.org/x/image/draw"
	"golang.org/x/image/math/f64"

	"plait/internal/raster"
)

const (
	// askewTurn is the sine of the angle from which lettering is askew: the model was trained with level text, and is less sure of it.
	askewTurn = 0.26
	// askewScore is the least score of a core that is looked at again. At a threshold of 0.1 and without a least score, 44 pages have 6 more
	// marks of art read as text.
	askewScore = 0.4
	// askewMost bounds the cores that are looked at again on a page. Measured pages have two at most.
	askewMost = 32
)

// askew reports whether a core is too slanted for the model to be sure of it.
func (c core) askew() bool { return math.Abs(along(c.Quad)[1]) >= askewTurn }

// along is the unit vector along the first side of an outline, from its first corner on.
func along(q raster.Quad) raster.Point {
	side := q[1].Sub(q[0])
	return side.Times(1 / side.Length())
}

// askew looks again at the cores that are askew and too doubtful to be lines, in the page turned so that they are level, and returns the
// level lines found there.
func (d *Detector) askew(ctx context.Context, img *image.NRGBA, cores []core, scale float64) ([]Line, error) {
	var views []raster.Quad
	for _, c := range cores {
		if !c.askew() || c.score < askewScore || d.params.isLine(c) {
			continue
		}
		// The lines of a core run along its longer side; in one that is nearly square, along either.
		width, height := c.Sides()
		grown := c.Inset(-d.params.growth(c))
		if width*singleRatio > height {
			views = append(views, grown)
		}
		if height*singleRatio > width {
			across := grown.From(1)
			if across[1][0] < across[0][0] {
				across = grown.From(3)
			}
			views = append(views, across)
		}
	}
	views = views[:min(len(views), askewMost)]
	found := make([][]Line, len(views))
	err := d.pool.Each(ctx, len(views), func(ctx context.Context, i int) error {
		var err error
		found[i], err = d.levelLines(ctx, img, scale, views[i])
		return err
	})
	return slices.Concat(found...), err
}

// levelLines finds the level lines inside a rectangle of the scaled page, in the page turned so that the rectangle is level.
func (d *Detector) levelLines(ctx context.Context, img *image.NRGBA, scale float64, q raster.Quad) ([]Line, error) {
	width, height := q.Sides()
	side := roundUp(int(width) + 2*d.params.TileOverlap)
	if side > d.params.TileSide {
		return nil, nil
	}
	view := image.NewNRGBA(image.Rect(0, 0, side, side))
	half, middle, right := float64(side)/2, q.Middle(), along(q)
	down := right.QuarterTurn()
	draw.BiLinear.Transform(view, f64.Aff3{
		right[0] * scale, right[1] * scale, half - right.Dot(middle),
		down[0] * scale, down[1] * scale, half - down.Dot(middle),
	}, img, img.Bounds(), draw.Src, nil)
	m, err := d.look(ctx, view, 1, []tile{{view.Bounds(), view.Bounds()}})
	if err != nil {
		return nil, err
	}
	level := raster.QuadOf(half-width/2, half-height/2, half+width/2, half+height/2)
	cores := slices.DeleteFunc(d.params.cores(m), func(c core) bool {
		long, high := c.Sides()
		return c.askew() || long < high || !level.Contains(c.Middle())
	})
	lines := d.params.lines(cores, 1, view.Bounds())
	for i := range lines {
		lines[i].Quad = upperLeftFirst(lines[i].Quad.Mapped(func(p raster.Point) raster.Point {
			return middle.Add(right.Times(p[0] - half)).Add(down.Times(p[1] - half)).Times(1 / scale)
		}))
		lines[i].Slack /= scale
	}
	return lines, nil
}

// upperLeftFirst rotates the corners of a clockwise quad until the first is the one nearest to the upper left.
func upperLeftFirst(q raster.Quad) raster.Quad {
	first := 0
	for i, p := range q {
		if p[0]+p[1] < q[first][0]+q[first][1] {
			first = i
		}
	}
	return q.From(first)
}
