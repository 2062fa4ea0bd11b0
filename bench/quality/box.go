package main

// box is a rectangle in pixels: left, top, right, bottom.
type box [4]float64

func (b box) area() float64 { return max(1e-6, (b[2]-b[0])*(b[3]-b[1])) }

// shared returns the area of the intersection of two boxes.
func (b box) shared(o box) float64 {
	return max(0, min(b[2], o[2])-max(b[0], o[0])) * max(0, min(b[3], o[3])-max(b[1], o[1]))
}

func (b box) grown(by float64) box { return box{b[0] - by, b[1] - by, b[2] + by, b[3] + by} }

func (b box) middle() (x, y float64) { return (b[0] + b[2]) / 2, (b[1] + b[3]) / 2 }

func (b box) holds(x, y float64) bool { return x >= b[0] && x <= b[2] && y >= b[1] && y <= b[3] }

// distance returns the distance of a height from the box; 0 inside it.
func (b box) distance(y float64) float64 { return max(b[1]-y, 0, y-b[3]) }
