package content

import (
	"math"

	"plait/internal/document"
)

func (f *frame) resetPath() {
	f.path, f.rectangles, f.clipping = Path{Start: -1}, true, false
}

// executePath runs the operators that build and paint paths; it returns false for any other operator.
func (f *frame) executePath(op Operator) bool {
	switch op.Name {
	case "m", "l", "c", "v", "y", "h", "re":
		if f.path.Start < 0 {
			f.path.Start = op.Start
		}
		f.build(op)
	case "S", "s", "f", "F", "f*", "B", "B*", "b", "b*", "n":
		f.paint(op)
	case "W", "W*":
		f.clipping = true
		if f.path.Start < 0 {
			f.path.Start = op.Start
		}
	default:
		return false
	}
	return true
}

func (f *frame) build(op Operator) {
	n := len(f.path.Subpaths)
	if n >= maxSubpaths {
		return
	}
	switch op.Name {
	case "re":
		f.rectangle(number(op, 0), number(op, 1), number(op, 2), number(op, 3))
	case "m":
		f.rectangles = false
		f.path.Subpaths = append(f.path.Subpaths, Subpath{Points: []document.Point{f.point(number(op, 0), number(op, 1))}})
	case "h":
		if n > 0 {
			f.path.Subpaths[n-1].Closed = true
		}
	case "l":
		f.line(number(op, 0), number(op, 1), false)
	case "c":
		f.line(number(op, 4), number(op, 5), true)
	case "v", "y":
		f.line(number(op, 2), number(op, 3), true)
	}
}

func (f *frame) point(x, y float64) document.Point {
	px, py := f.CTM.Apply(x, y)
	return document.Point{X: px, Y: py}
}

func (f *frame) rectangle(x, y, w, h float64) {
	if f.CTM.B != 0 && f.CTM.A != 0 {
		f.rectangles = false
	}
	f.path.Subpaths = append(f.path.Subpaths, Subpath{
		Points: []document.Point{f.point(x, y), f.point(x+w, y), f.point(x+w, y+h), f.point(x, y+h)}, Closed: true,
	})
}

func (f *frame) line(x, y float64, curved bool) {
	f.rectangles = false
	n := len(f.path.Subpaths)
	if n == 0 {
		return
	}
	s := &f.path.Subpaths[n-1]
	if len(s.Points) >= maxSubpaths {
		return
	}
	s.Points = append(s.Points, f.point(x, y))
	s.Curved = s.Curved || curved
}

func (f *frame) paint(op Operator) {
	p := f.path
	switch op.Name {
	case "S", "s":
		p.Stroke = true
	case "f", "F", "f*":
		p.Fill = true
	case "B", "B*", "b", "b*":
		p.Fill, p.Stroke = true, true
	}
	if n := len(p.Subpaths); n > 0 && (op.Name == "s" || op.Name == "b" || op.Name == "b*") {
		p.Subpaths[n-1].Closed = true
	}
	p.Clips = f.clipping
	p.Width = f.LineWidth * math.Sqrt(math.Abs(f.CTM.A*f.CTM.D-f.CTM.B*f.CTM.C))
	if p.Start < 0 {
		p.Start = op.Start
	}
	if op.Name != "n" {
		f.emit(Drawing{Operator: op, Path: &p}, true)
	}
	if f.clipping {
		f.clipTo(p)
	}
	f.resetPath()
}

// clipTo narrows the clip to the box of a path.
func (f *frame) clipTo(p Path) {
	if len(p.Subpaths) == 0 {
		return
	}
	f.Clip = intersect(f.Clip, p.Box())
	f.ClipExact = f.ClipExact && f.rectangles && len(p.Subpaths) == 1
}

// Box is the bounding box of the points of a path.
func (p Path) Box() document.Box {
	b := document.Box{X0: math.Inf(1), Y0: math.Inf(1), X1: math.Inf(-1), Y1: math.Inf(-1)}
	for _, s := range p.Subpaths {
		for _, q := range s.Points {
			b = document.Box{X0: min(b.X0, q.X), Y0: min(b.Y0, q.Y), X1: max(b.X1, q.X), Y1: max(b.Y1, q.Y)}
		}
	}
	return b
}
