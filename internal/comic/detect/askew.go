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

// askew looks again at the cores that are askew and too doubtful to be lines, in the page turned so that they are level, and returns the
// level lines found there.
func (d *Detector) askew(ctx context.Context, img *image.NRGBA, m *probabilityMap, scale float64) ([]Line, error) {
	var views []rectangle
	for _, component := range m.components(d.params.Threshold) {
		core := leastRectangle(hull(component.Runs))
		score := m.mean(core)
		if min(core.width, core.height) < askewSide || math.Abs(core.along.y) < askewTurn || score < askewScore || d.params.isLine(core, score) {
			continue
		}
		// The lines of a core run along its longer side; in one that is nearly square, along either.
		if core.width*diamondRatio > core.height {
			views = append(views, core)
		}
		if core.height*diamondRatio > core.width {
			across := core.along.quarterTurn()
			if across.x < 0 {
				across = across.times(-1)
			}
			views = append(views, rectangle{core.center, across, core.height, core.width})
		}
	}
	views = views[:min(len(views), askewMost)]
	found := make([][]Line, len(views))
	err := d.pool.Each(ctx, len(views), func(ctx context.Context, i int) error {
		var err error
		found[i], err = d.level(ctx, img, scale, views[i])
		return err
	})
	return slices.Concat(found...), err
}

// level finds the level lines in the page turned so that core is level.
func (d *Detector) level(ctx context.Context, img *image.NRGBA, scale float64, core rectangle) ([]Line, error) {
	side := roundUp(int(core.grown(d.params.Unclip).width) + 2*d.params.TileOverlap)
	if side > d.params.TileSide {
		return nil, nil
	}
	view := image.NewNRGBA(image.Rect(0, 0, side, side))
	half, right, down := float64(side)/2, core.along, core.along.quarterTurn()
	draw.BiLinear.Transform(view, f64.Aff3{
		right.x * scale, right.y * scale, half - right.dot(core.center),
		down.x * scale, down.y * scale, half - down.dot(core.center),
	}, img, img.Bounds(), draw.Src, nil)
	m, err := d.look(ctx, view, 1, []tile{{view.Bounds(), view.Bounds()}})
	if err != nil {
		return nil, err
	}
	grown := core.grown(d.params.Unclip)
	var lines []Line
	for _, l := range d.params.lines(m, 1, view.Bounds()) {
		along := vector{l.Quad[1][0] - l.Quad[0][0], l.Quad[1][1] - l.Quad[0][1]}
		middle := vector{(l.Quad[0][0]+l.Quad[2][0])/2 - half, (l.Quad[0][1]+l.Quad[2][1])/2 - half}
		upper, left := sides(l.Quad)
		if math.Abs(along.y) > askewTurn*along.x || upper < left || math.Abs(middle.x) > grown.width/2 || math.Abs(middle.y) > grown.height/2 {
			continue
		}
		for i, p := range l.Quad {
			at := core.center.add(right.times(p[0] - half)).add(down.times(p[1] - half)).times(1 / scale)
			l.Quad[i] = raster.Point{at.x, at.y}
		}
		l.Quad = upperLeftFirst(l.Quad)
		lines = append(lines, l)
	}
	return lines, nil
}
