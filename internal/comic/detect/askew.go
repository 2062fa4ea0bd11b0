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
	// askewScore is the least score, and askewSide the least side in pixels of the scaled page, of a core that is looked at again. At a
	// threshold of 0.1 and without a least score, 44 pages have 6 more marks of art read as text.
	askewScore, askewSide = 0.4, 8
	// askewMost bounds the cores that are looked at again on a page. Measured pages have two at most.
	askewMost = 32
)

// askew reports whether a core is too slanted for the model to be sure of it.
func (c core) askew() bool { return math.Abs(c.along[1]) >= askewTurn }

// askew looks again at the cores that are askew and too doubtful to be lines, in the page turned so that they are level, and returns the
// level lines found there.
func (d *Detector) askew(ctx context.Context, img *image.NRGBA, cores []core, scale float64) ([]Line, error) {
	var views []rectangle
	for _, c := range cores {
		if min(c.width, c.height) < askewSide || !c.askew() || c.score < askewScore || d.params.isLine(c) {
			continue
		}
		// The lines of a core run along its longer side; in one that is nearly square, along either.
		if c.width*singleRatio > c.height {
			views = append(views, c.rectangle)
		}
		if c.height*singleRatio > c.width {
			across := c.along.QuarterTurn()
			if across[0] < 0 {
				across = across.Times(-1)
			}
			views = append(views, rectangle{c.center, across, c.height, c.width})
		}
	}
	views = views[:min(len(views), askewMost)]
	found := make([][]Line, len(views))
	err := d.pool.Each(ctx, len(views), func(ctx context.Context, i int) error {
		var err error
		found[i], err = d.levelLines(ctx, img, scale, views[i].grown(d.params.Unclip))
		return err
	})
	return slices.Concat(found...), err
}

// levelLines finds the level lines inside a rectangle of the scaled page, in the page turned so that the rectangle is level.
func (d *Detector) levelLines(ctx context.Context, img *image.NRGBA, scale float64, r rectangle) ([]Line, error) {
	side := roundUp(int(r.width) + 2*d.params.TileOverlap)
	if side > d.params.TileSide {
		return nil, nil
	}
	view := image.NewNRGBA(image.Rect(0, 0, side, side))
	half, right, down := float64(side)/2, r.along, r.along.QuarterTurn()
	draw.BiLinear.Transform(view, f64.Aff3{
		right[0] * scale, right[1] * scale, half - right.Dot(r.center),
		down[0] * scale, down[1] * scale, half - down.Dot(r.center),
	}, img, img.Bounds(), draw.Src, nil)
	m, err := d.look(ctx, view, 1, []tile{{view.Bounds(), view.Bounds()}})
	if err != nil {
		return nil, err
	}
	cores := slices.DeleteFunc(d.params.cores(m), func(c core) bool {
		return math.Abs(c.along[1]) > askewTurn || c.width < c.height ||
			math.Abs(c.center[0]-half) > r.width/2 || math.Abs(c.center[1]-half) > r.height/2
	})
	lines := d.params.lines(cores, 1, view.Bounds())
	for i := range lines {
		for k, p := range lines[i].Quad {
			lines[i].Quad[k] = r.center.Add(right.Times(p[0] - half)).Add(down.Times(p[1] - half)).Times(1 / scale)
		}
		lines[i].Quad, lines[i].Slack = upperLeftFirst(lines[i].Quad), lines[i].Slack/scale
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
