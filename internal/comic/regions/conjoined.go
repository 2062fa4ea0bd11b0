package regions

import (
	"image"
	"math"

	"plait/internal/raster"
)

// Limits for splitting two bubbles that run into each other, in sizes of the smallest line.
const (
	// agreeing is the greatest distance of the middles of the lines of one bubble from their mean.
	agreeing = 0.4
	// shifted is the least distance between the middles of two bubbles.
	shifted = 1.2
	// interiorShifted is the least distance between the middles of the interiors of two bubbles.
	interiorShifted = 0.5
	// interiorReach is how far beyond a line the edge of its bubble is searched.
	interiorReach = 12
)

// conjoined divides a group, sorted in reading order, where one bubble runs into the next without an outline between them. The lines of
// each bubble are then centered on their own middle, and so are the interiors beside them. In contrast, the lines of a single bubble set
// to one side share an edge, and those of a slanted one move their middle from line to line.
func conjoined(img *image.NRGBA, lines []Line) [][]Line {
	vertical := mostlyVertical(lines)
	f := newFrame(meanAngle(lines, vertical), vertical)
	size := math.Inf(1)
	middles, insides := make([]float64, len(lines)), make([]float64, len(lines))
	for i, l := range lines {
		along, _ := f.extent(l.Quad)
		middles[i], size = (along.from+along.to)/2, min(size, l.size())
	}
	for k := 2; k+2 <= len(lines); k++ {
		before, after := spreadFrom(middles[:k]), spreadFrom(middles[k:])
		shift := after.mean - before.mean
		if math.Abs(shift) < shifted*size || max(before.farthest, after.farthest) > agreeing*size {
			continue
		}
		around := measure(img, lines).around
		for i, l := range lines {
			insides[i] = interiorMiddle(img, f, l, size, around)
		}
		moved := spreadFrom(insides[k:]).mean - spreadFrom(insides[:k]).mean
		if moved*math.Copysign(1, shift) >= interiorShifted*size {
			return append([][]Line{lines[:k]}, conjoined(img, lines[k:])...)
		}
	}
	return [][]Line{lines}
}

// scatter is the mean of some values and the distance of the value farthest from it.
type scatter struct{ mean, farthest float64 }

func spreadFrom(values []float64) scatter {
	var s scatter
	s.mean, _ = spread(values)
	for _, v := range values {
		s.farthest = max(s.farthest, math.Abs(v-s.mean))
	}
	return s
}

// interiorMiddle is the middle between the two places, on both sides of a line, where the color around ends.
func interiorMiddle(img *image.NRGBA, f frame, l Line, size float64, around raster.RGB) float64 {
	along, across := f.extent(l.Quad)
	edge := func(from, step float64) float64 {
		at := from
		for ; math.Abs(at-from) < interiorReach*size; at += step {
			x, y := f.from(at, (across.from+across.to)/2)
			px, py := int(math.Floor(x)), int(math.Floor(y))
			if px < 0 || py < 0 || px >= img.Rect.Dx() || py >= img.Rect.Dy() || raster.Distinct(raster.At(img, px, py), around) {
				break
			}
		}
		return at
	}
	return (edge(along.from, -1) + edge(along.to, 1)) / 2
}
