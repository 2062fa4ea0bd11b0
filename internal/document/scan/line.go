package scan

import (
	"cmp"
	"image"
	"math"
	"slices"
	"strings"
	"unicode"

	"plait/internal/document"
	"plait/internal/raster"
)

// line is a line of text in pixels of the picture.
type line struct {
	text string
	// x0 and x1 are the ends of the ink, and baseline is the height of the baseline in the middle between them.
	x0, x1, baseline float64
	size             float64
	// other is the size if the core of the line reaches to the height of capitals although it is taken for that of small letters, or the other
	// way around; 0 when there is no doubt.
	other float64
	color raster.RGB
}

// measure measures the ink of a line with the slope of its page. It reports false when there is none.
func measure(picture *image.NRGBA, quad raster.Quad, slope float64, text string) (l line, ok bool) {
	s := stripOf(picture, quad, slope)
	if s.width < 2 || s.height < 6 || s.ground.contrast < minContrast {
		return l, false
	}
	top, bottom := band(s.rows())
	height, other, depth := coreOf(text)
	size := (bottom - top) / (height + depth)
	// Capitals such as T are wider above the small letters.
	left, right := s.columns(max(int(min(top, bottom-(depth+capitalHeight)*size)), 0), min(int(bottom+1), s.height))
	if bottom-top < 2 || right-left < 2 {
		return l, false
	}
	l = line{text: text, x0: float64(s.left + left), x1: float64(s.left + right), size: size, color: s.color()}
	if other > 0 {
		l.other = (bottom - top) / other
	}
	l.baseline = (quad[0][1]+quad[1][1])/2 + bottom - depth*l.size
	return l, true
}

// gutter is the least width of a gap that divides a line, in heights of the line, which are about one and a half em: no space between words is
// as wide, and no gutter between columns is narrower.
const gutter = 0.55

// divide divides the outline of a line at wide gaps: the detector joins the lines of columns that are close to each other.
func divide(picture *image.NRGBA, quad raster.Quad, slope float64) (parts []raster.Quad) {
	s := stripOf(picture, quad, slope)
	if s.ground.contrast < minContrast {
		return []raster.Quad{quad}
	}
	used := make([]bool, s.width)
	for y := s.height / 5; y < s.height-s.height/5; y++ { // the edges may show other lines
		for x := range s.width {
			used[x] = used[x] || s.isInk(x, y)
		}
	}
	least := int(gutter * float64(s.height))
	first, last := -1, -1
	for x, yes := range used {
		if !yes {
			continue
		}
		if first >= 0 && x-last > least {
			parts = append(parts, s.part(quad, first, last+1))
			first = x
		}
		if first < 0 {
			first = x
		}
		last = x
	}
	if len(parts) == 0 {
		return []raster.Quad{quad}
	}
	return append(parts, s.part(quad, first, last+1))
}

// part is the part of an outline between two columns of its strip, with a margin of an eighth of its height on both sides.
func (s strip) part(quad raster.Quad, from, to int) raster.Quad {
	margin := s.height / 8
	x0, x1 := float64(max(from-margin, 0)), float64(min(to+margin, s.width))
	left := float64(s.left)
	corner := func(x float64, lower bool) raster.Point {
		y := s.top + s.slope*x
		if lower {
			y += quad[3][1] - quad[0][1]
		}
		return raster.Point{left + x, y}
	}
	return raster.Quad{corner(x0, false), corner(x1, false), corner(x1, true), corner(x0, true)}
}

// strip is the part of a picture that a line covers, straightened: its rows have the slope of the page.
type strip struct {
	gray
	ground     ground
	picture    *image.NRGBA
	left       int
	slope, top float64
}

func stripOf(picture *image.NRGBA, quad raster.Quad, slope float64) strip {
	bounds := picture.Bounds()
	x0, x1 := max(int(quad[0][0]), bounds.Min.X), min(int(quad[1][0])+1, bounds.Max.X)
	s := strip{
		gray:    gray{width: max(x1-x0, 0), height: max(int(quad[3][1]-quad[0][1]+0.5), 0)},
		picture: picture, left: x0, slope: slope, top: (quad[0][1]+quad[1][1])/2 - slope*float64(x1-x0)/2,
	}
	s.fill(s.pixel)
	s.ground = s.otsu()
	return s
}

// isInk reports whether a pixel of the strip is ink.
func (s strip) isInk(x, y int) bool { return s.ground.isInk(s.at(x, y)) }

// pixel is white outside of the picture.
func (s strip) pixel(x, y int) raster.RGB {
	p := image.Pt(s.left+x, int(s.top+s.slope*float64(x)+float64(y)))
	if !p.In(s.picture.Bounds()) {
		return raster.White
	}
	return raster.At(s.picture, p.X, p.Y)
}

// ruled is the least share of a row that is ink where a rule underlines the text or runs beside it.
const ruled = 0.8

// rows counts the ink of each row. Rules do not count.
func (s strip) rows() []int {
	counts := make([]int, s.height)
	for y := range s.height {
		for x := range s.width {
			if s.isInk(x, y) {
				counts[y]++
			}
		}
	}
	for y, n := range counts {
		if float64(n) > ruled*float64(s.width) {
			counts[y] = 0
		}
	}
	return counts
}

// core is the least share of the ink of the middle third of a line that a row between the baseline and the upper edge of small letters has.
// Ascenders and descenders, and the letters of the lines above and below, have less. Up to dip rows in between may have less, too.
const (
	core = 0.4
	dip  = 1
)

// band returns where the core of a line begins and ends, in rows, between which the ink crosses that share.
func band(counts []int) (top, bottom float64) {
	third, sum := len(counts)/3, 0
	for _, n := range counts[third : len(counts)-third] {
		sum += n
	}
	least := core * float64(sum) / float64(len(counts)-2*third)
	first, last := len(counts)/2, len(counts)/2
	for y := first; y >= 0 && first-y <= 1+dip; y-- {
		if float64(counts[y]) >= least {
			first = y
		}
	}
	for y := last; y < len(counts) && y-last <= 1+dip; y++ {
		if float64(counts[y]) >= least {
			last = y
		}
	}
	crossing := func(inside, outside int) float64 {
		if outside < 0 || outside >= len(counts) {
			return 0.5
		}
		return (float64(counts[inside]) - least) / max(float64(counts[inside]-counts[outside]), 1)
	}
	return float64(first) + 0.5 - crossing(first, first-1), float64(last) + 0.5 + crossing(last, last+1)
}

// columns returns the first column with ink, and the one after the last.
func (s strip) columns(top, bottom int) (left, right int) {
	left = s.width
	for y := top; y < bottom; y++ {
		for x := range s.width {
			if s.isInk(x, y) {
				left, right = min(left, x), max(right, x+1)
			}
		}
	}
	return left, right
}

// color is that of the middle of the strokes: the median of the half of the ink that differs most from the ground.
func (s strip) color() raster.RGB {
	var found []raster.RGB
	for y := range s.height {
		for x := range s.width {
			if s.isInk(x, y) {
				found = append(found, s.pixel(x, y))
			}
		}
	}
	slices.SortFunc(found, func(a, b raster.RGB) int { return cmp.Compare(luminance(a), luminance(b)) })
	if !s.ground.dark {
		slices.Reverse(found)
	}
	median, _ := raster.Median(found[:(len(found)+1)/2], 0)
	return median
}

// The heights of letters over the baseline, in em, as text faces such as Times and Arial have them on average. Han characters, kana and
// Hangul reach below it.
const (
	smallHeight   = 0.46
	capitalHeight = 0.67
	wideHeight    = 0.83
	wideDepth     = 0.07
)

// stem is the ink of the ascender of a small letter relative to that of a capital, in a row above the small letters. A line whose letters there
// have a share of the ink that is within doubt of the core may have its core end below or above them.
const stem, doubt = 0.35, 0.15

// coreOf returns how far the core of a text reaches above and below its baseline, in em, and how far above it may reach otherwise; 0 without
// doubt.
func coreOf(text string) (height, other, depth float64) {
	letters, tall, wide := 0.0, 0.0, 0.0
	for _, r := range text {
		switch {
		case isWide(r):
			wide++
		case strings.ContainsRune("bdfhklt", r):
			tall += stem
			letters++
		case unicode.IsLower(r):
			letters++
		case unicode.IsLetter(r), unicode.IsDigit(r):
			tall++
			letters++
		}
	}
	if wide >= letters {
		return wideHeight, 0, wideDepth
	}
	height, other = smallHeight, capitalHeight
	if tall > core*letters {
		height, other = other, height
	}
	if math.Abs(tall-core*letters) > doubt*letters {
		other = 0
	}
	return height, other, 0
}

func isWide(r rune) bool {
	return unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Hangul) || r >= 0x3000 && r <= 0x303F || r >= 0xFF00 && r <= 0xFF60
}

// sameSize is the largest difference of the measured sizes of lines from the size that they have, as a share, and maybeSame that of lines in
// doubt: the ratio of capitals to small letters differs from face to face.
const sameSize, maybeSame = 0.1, 0.15

// settle gives lines of nearly one size the same size. It begins with the size that most of the text has. A line in doubt has the size of
// others if it can.
func settle(lines []line) {
	var open, doubtful []int
	for i, l := range lines {
		if l.other > 0 {
			doubtful = append(doubtful, i)
		} else {
			open = append(open, i)
		}
	}
	sizes := settled(lines, open)
	open = nil
	for _, i := range doubtful {
		l := &lines[i]
		// The sizes that most of the text has come first.
		at := slices.IndexFunc(sizes, func(size float64) bool {
			return math.Abs(l.size-size) <= maybeSame*size || math.Abs(l.other-size) <= maybeSame*size
		})
		if at < 0 {
			open = append(open, i)
			continue
		}
		l.size = sizes[at]
	}
	settled(lines, open)
}

func sameAs(measured, size float64) bool { return math.Abs(measured-size) <= sameSize*size }

// settled settles some of the lines, and returns their sizes.
func settled(lines []line, open []int) (sizes []float64) {
	slices.SortStableFunc(open, func(a, b int) int { return cmp.Compare(lines[a].size, lines[b].size) })
	for len(open) > 0 {
		best, most := open[0], 0
		for _, i := range open {
			text := 0
			for _, j := range open {
				if sameAs(lines[j].size, lines[i].size) {
					text += len(lines[j].text)
				}
			}
			if text > most {
				best, most = i, text
			}
		}
		var group, rest []int
		for _, i := range open {
			if sameAs(lines[i].size, lines[best].size) {
				group = append(group, i)
			} else {
				rest = append(rest, i)
			}
		}
		size := medianSize(lines, group)
		for _, i := range group {
			lines[i].size = size
		}
		sizes, open = append(sizes, size), rest
	}
	return sizes
}

// medianSize is the median of the sizes of some lines, in the order of their sizes, by characters.
func medianSize(lines []line, group []int) float64 {
	total, passed := 0, 0
	for _, i := range group {
		total += len(lines[i].text)
	}
	for _, i := range group {
		if passed += len(lines[i].text); 2*passed >= total {
			return lines[i].size
		}
	}
	return 0
}

// The ascent and the descent of a line, in em.
const ascent, descent = 0.75, 0.22

// glyphs are the characters of the line. They share out its length by their usual widths.
func (l line) glyphs(view document.View) (list []document.Glyph) {
	total := 0.0
	for _, r := range l.text {
		total += width(r)
	}
	x := l.x0
	for _, r := range l.text {
		end := x + (l.x1-l.x0)*width(r)/total
		box := view.Box(document.Box{X0: x, Y0: l.baseline - ascent*l.size, X1: end, Y1: l.baseline + descent*l.size})
		g := document.Glyph{
			Text: string(r), Origin: view.Point(x, l.baseline), Advance: (end - x) / view.Scale, Box: box, Ink: box, Size: l.size / view.Scale,
			Direction: view.Upright(), Color: document.Color{R: l.color[0], G: l.color[1], B: l.color[2]}, Op: -1,
		}
		if r == ' ' {
			g.Ink = document.Box{}
		}
		list = append(list, g)
		x = end
	}
	return list
}

// width is the usual width of a character in em.
func width(r rune) float64 {
	switch {
	case isWide(r):
		return 1
	case strings.ContainsRune("iljt.,;:'!|()[] fr-", r):
		return 0.3
	case strings.ContainsRune("mwMW—", r):
		return 0.8
	case unicode.IsUpper(r):
		return 0.65
	}
	return 0.5
}
