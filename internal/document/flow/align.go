package flow

import (
	"slices"

	"plait/internal/document"
)

// shape sets the alignment, the indent and the distances of the lines of a block in a column, which has an area for itself.
func (p *plane) shape(block *document.Block, lines []line, column, area document.Box) {
	first := lines[0]
	x, y := p.frame.Out(first.box.X0, first.baseline)
	block.Baseline, block.Lines = document.Point{X: x, Y: y}, len(lines)
	seen := lines
	if block.RightToLeft {
		seen = turned(lines, column)
		area.X0, area.X1 = column.X0+column.X1-area.X1, column.X0+column.X1-area.X0
	}
	block.Align = alignment(seen, column, area)
	if len(lines) > 1 {
		rest := boxOfLines(seen[1:])
		if block.Align == document.AlignStart || block.Align == document.AlignJustify {
			block.Indent = seen[0].box.X0 - rest.X0
		}
		block.LineHeight = (first.baseline - lines[len(lines)-1].baseline) / float64(len(lines)-1) / max(block.Size, 1)
	}
}

// alignment tells how the lines of a paragraph are aligned in their column, which has an area for itself.
func alignment(lines []line, column, area document.Box) document.Align {
	em := lines[0].size
	if len(lines) == 1 {
		switch l := lines[0]; {
		case centered(l, area):
			return document.AlignCenter
		case column.X1-l.box.X1 < 0.3*em && l.box.X0-column.X0 > 3*em:
			return document.AlignEnd
		}
		return document.AlignStart
	}
	var lefts, rights, middles []float64
	for i, l := range lines {
		if i > 0 { // the first line may be indented
			lefts = append(lefts, l.box.X0)
		}
		if i < len(lines)-1 { // the last line may be short
			rights = append(rights, l.box.X1)
		}
		middles = append(middles, (l.box.X0+l.box.X1)/2)
	}
	if len(lines) == 2 {
		lefts = append(lefts, lines[0].box.X0)
	}
	left, right, middle := spread(lefts) < 0.4*em, spread(rights) < 0.4*em, spread(middles) < 0.5*em
	switch {
	case left && right && (len(lines) > 2 || column.X1-lines[0].box.X1 < 0.3*em && column.Y1-column.Y0 > 3.5*em):
		return document.AlignJustify
	case middle && !left && (len(lines) > 2 || centered(lines[1], area)):
		return document.AlignCenter
	case right && !left && len(lines) > 2:
		return document.AlignEnd
	}
	return document.AlignStart
}

func spread(values []float64) float64 {
	if len(values) == 0 {
		return 0
	}
	return slices.Max(values) - slices.Min(values)
}
