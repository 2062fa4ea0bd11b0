package scan

import (
	"image"
	"slices"
)

const (
	// minRun is the least length of a straight run of ink that belongs to a rule, and minRule that of a rule, in pixels: 14 and 36 points. No
	// letter of text has such a stroke.
	minRun, minRule = 40, 100
	// maxThick is the largest thickness of a rule, 3 points. A rule that lies askew covers more rows than it is thick.
	maxThick, maxRows = 8, 40
	// bridged is the largest gap in a rule.
	bridged = 1
)

// Rules returns the straight horizontal and vertical lines of a picture.
func Rules(picture *image.NRGBA) []image.Rectangle {
	luminances := grayOf(picture, picture.Bounds())
	ground := luminances.otsu()
	if ground.contrast < minContrast {
		return nil
	}
	dark := func(x, y int) bool { return luminances.at(x, y) <= ground.threshold }
	list := along(luminances.width, luminances.height, dark)
	for _, r := range along(luminances.height, luminances.width, func(x, y int) bool { return dark(y, x) }) {
		list = append(list, image.Rect(r.Min.Y, r.Min.X, r.Max.Y, r.Max.X))
	}
	return list
}

// stroke is a rule as it is found, row by row.
type stroke struct {
	image.Rectangle
	area int
	// last is the lowest run.
	last image.Rectangle
}

// along returns the horizontal rules of a bitmap.
func along(width, height int, ink func(x, y int) bool) (list []image.Rectangle) {
	var open []stroke
	for y := range height {
		for _, run := range runs(width, y, ink) {
			at := slices.IndexFunc(open, func(s stroke) bool {
				return s.last.Max.Y >= y && run.Min.X <= s.last.Max.X+bridged && run.Max.X >= s.last.Min.X-bridged
			})
			if at < 0 {
				open = append(open, stroke{run, run.Dx(), run})
				continue
			}
			s := &open[at]
			s.Rectangle, s.area = s.Union(run), s.area+run.Dx()
			if s.last.Min.Y == y {
				s.last = s.last.Union(run)
			} else {
				s.last = run
			}
		}
		open = slices.DeleteFunc(open, func(s stroke) bool {
			if s.last.Min.Y >= y {
				return false
			}
			if s.isRule() {
				list = append(list, s.straight())
			}
			return true
		})
	}
	for _, s := range open {
		if s.isRule() {
			list = append(list, s.straight())
		}
	}
	return list
}

func (s stroke) isRule() bool {
	return s.Dx() >= minRule && s.Dy() <= maxRows && s.area <= maxThick*s.Dx()
}

// straight is the rule without its slope: as thick as it is on average, at its middle.
func (s stroke) straight() image.Rectangle {
	thick := max((s.area+s.Dx()/2)/s.Dx(), 1)
	top := (s.Min.Y + s.Max.Y - thick) / 2
	return image.Rect(s.Min.X, top, s.Max.X, top+thick)
}

// runs are the runs of ink of a row that are long enough for a rule.
func runs(width, y int, ink func(x, y int) bool) (list []image.Rectangle) {
	for x := 0; x < width; x++ {
		if !ink(x, y) {
			continue
		}
		start, end := x, x+1
		for x++; x < width && x-end <= bridged; x++ {
			if ink(x, y) {
				end = x + 1
			}
		}
		if x = end; end-start >= minRun {
			list = append(list, image.Rect(start, y, end, y+1))
		}
	}
	return list
}
