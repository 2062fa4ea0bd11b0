package bubbles

import (
	"image"
	"slices"
)

// The least length and the windows of a strip, in units of its shorter side. A window begins at every unit: one of 1.5 stretches text no more
// than a page does, and any bubble up to half as high as the strip is wide lies entirely in one of them.
const (
	stripRatio   = 2.0
	windowLength = 1.5
)

// cut covers a page with windows: several for a strip, one for any other page.
func cut(width, height int) (windows []image.Rectangle) {
	long, short := max(width, height), min(width, height)
	length := long
	if float64(long) > stripRatio*float64(short) {
		length = int(windowLength * float64(short))
	}
	page := image.Rect(0, 0, width, height)
	for from := 0; ; from += short {
		window := image.Rect(0, from, width, from+length)
		if width > height {
			window = image.Rect(from, 0, from+length, height)
		}
		if windows = append(windows, window.Intersect(page)); from+length >= long {
			return windows
		}
	}
}

// sameShare is the least share of the smaller of two boxes inside the other when both are parts of one box.
const sameShare = 0.5

// unite merges the boxes of windows, in the order of the windows: a box that an earlier window also found, whole or cut, enlarges the
// earlier one.
func unite(found [][]image.Rectangle) (all []image.Rectangle) {
	for _, boxes := range found {
		earlier := all // boxes of one window are never merged
		for _, b := range boxes {
			at := slices.IndexFunc(earlier, func(o image.Rectangle) bool {
				return area(o.Intersect(b)) > sameShare*min(area(o), area(b))
			})
			if at < 0 {
				all = append(all, b)
			} else {
				all[at] = all[at].Union(b)
			}
		}
	}
	return all
}

func area(r image.Rectangle) float64 { return float64(r.Dx()) * float64(r.Dy()) }
