package mask

import (
	"cmp"
	"image"
	"slices"

	"golang.org/x/sync/errgroup"

	"plait/internal/comic"
	"plait/internal/raster"
	"plait/internal/raster/bitmap"
)

// leastInked is the least share of a line that is ink if its lettering was found.
const leastInked = 0.03

// findLettering finds the lettering of a region. Lines of another size, such as a heading, are examined apart, and so are lines in which
// the style of the others found nothing, such as an address in another color.
func findLettering(pool *errgroup.Group, img *image.NRGBA, r comic.Region, others []comic.Region) Region {
	var found []Region
	for i, part := range bySize(r) {
		around := others
		if rest := without(r.Lines, part.Lines); len(rest) > 0 {
			around = append(slices.Clip(others), withLines(r, rest))
		}
		if i == 0 {
			// Furigana is lettering too, although it is not part of the text.
			part.Lines = slices.Concat(part.Lines, r.Ruby)
		}
		first := findInParts(pool, img, part, around, mostCuts)
		found = append(found, first)
		left := slices.DeleteFunc(slices.Clone(part.Lines), func(q raster.Quad) bool { return isInked(q, first.Ink) })
		if n := len(left); n > 0 && n < len(part.Lines) {
			found = append(found, findInParts(pool, img, withLines(part, left), around, mostCuts))
		}
	}
	return join(r.Index, found...)
}

// bySize divides a region into regions with lines of one size, in ascending order.
func bySize(r comic.Region) (parts []comic.Region) {
	lines := slices.Clone(r.Lines)
	slices.SortStableFunc(lines, func(a, b raster.Quad) int { return cmp.Compare(across(a, r.Direction), across(b, r.Direction)) })
	least := 0.0
	for i, q := range lines {
		size := across(q, r.Direction)
		if i == 0 || size > comic.SameSize*least {
			part := withLines(r, nil)
			if i > 0 {
				part.FontSize *= size / max(across(lines[0], r.Direction), 1)
			}
			parts, least = append(parts, part), size
		}
		last := &parts[len(parts)-1]
		last.Lines = append(last.Lines, q)
	}
	return parts
}

// across returns the extent of a line across its direction, in pixels.
func across(q raster.Quad, d comic.Direction) float64 {
	width, height := q.Sides()
	if d == comic.Vertical {
		return width
	}
	return height
}

func withLines(r comic.Region, lines []raster.Quad) comic.Region {
	r.Lines = lines
	return r
}

func without(lines, some []raster.Quad) []raster.Quad {
	return slices.DeleteFunc(slices.Clone(lines), func(q raster.Quad) bool { return slices.Contains(some, q) })
}

// isInked reports whether at least leastInked of a line is ink.
func isInked(line raster.Quad, ink *bitmap.Bitmap) bool {
	in := bitmap.New(ink.Rect)
	in.Fill(line)
	return float64(in.And(ink).Count()) >= leastInked*float64(in.Count())
}
