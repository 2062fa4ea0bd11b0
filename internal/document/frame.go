package document

// The frame of a direction is the user space of a page, turned so that text in the direction runs to the right. A direction other than 90,
// 180 and 270 has the user space itself as its frame.

// In converts a point of the user space to the frame.
func (d Direction) In(x, y float64) (float64, float64) {
	switch d {
	case 90:
		return y, -x
	case 180:
		return -x, -y
	case 270:
		return -y, x
	default:
		return x, y
	}
}

// Out converts a point of the frame to the user space.
func (d Direction) Out(x, y float64) (float64, float64) {
	switch d {
	case 90:
		return -y, x
	case 180:
		return -x, -y
	case 270:
		return y, -x
	default:
		return x, y
	}
}

// BoxIn converts a box of the user space to the frame, and BoxOut back.
func (d Direction) BoxIn(b Box) Box { return turned(b, d.In) }

// BoxOut converts a box of the frame to the user space.
func (d Direction) BoxOut(b Box) Box { return turned(b, d.Out) }

func turned(b Box, turn func(x, y float64) (float64, float64)) Box {
	x0, y0 := turn(b.X0, b.Y0)
	x1, y1 := turn(b.X1, b.Y1)
	return Box{X0: min(x0, x1), Y0: min(y0, y1), X1: max(x0, x1), Y1: max(y0, y1)}
}

// Union is the smallest box around both.
func (b Box) Union(o Box) Box {
	return Box{X0: min(b.X0, o.X0), Y0: min(b.Y0, o.Y0), X1: max(b.X1, o.X1), Y1: max(b.Y1, o.Y1)}
}

// Moved is the box at another place.
func (b Box) Moved(dx, dy float64) Box {
	return Box{X0: b.X0 + dx, Y0: b.Y0 + dy, X1: b.X1 + dx, Y1: b.Y1 + dy}
}

// Overlap is the area that both boxes cover.
func (b Box) Overlap(o Box) float64 {
	return max(0, min(b.X1, o.X1)-max(b.X0, o.X0)) * max(0, min(b.Y1, o.Y1)-max(b.Y0, o.Y0))
}
