package letter

import (
	"cmp"
	"image"
	"slices"

	"plait/internal/raster"
)

const (
	// overLetters is the greatest height of a line of a drawn text, in units of the height of the source's letters.
	overLetters = 1.35
	// A drawn text that is longer than its source is smaller by up to one step of condense before its letters are condensed by one.
	// mostSpread is the most that letters of a sound that is shorter than its source are set apart, in em.
	mostSpread = 0.35
	// closeGap is the distance of the letters of a drawn sound in Chinese, Japanese or Korean, in em.
	closeGap = 0.08
)

// settleDrawn sets the layout of a text that is set in place of a sound or a label: as large as its area and the letters of the source
// allow, in as many lines as the source has. It reports whether the text fits so at a size of at least floor.
func (j *job) settleDrawn(floor float64) bool {
	t := j.shaped
	words := wordEnds(t.clusters)
	j.fit = Fits
	rim := j.look.width * j.source
	high := max(1, j.area.Height()-2*rim)
	rows := min(j.rows(), len(words))
	want := high / t.height(rows)
	if j.look.height > 0 {
		want = min(want, overLetters*j.look.height/t.height(1))
	}
	j.want = want
	if rows == 1 {
		words = words[len(words)-1:]
	}
	for narrow := 1.0; narrow >= mostCondensed; narrow *= condense {
		least := condense
		if narrow*condense < mostCondensed {
			least = leastPart
		}
		j.text = t.narrowed(narrow)
		for _, size := range ladder(want, max(want*least, floor)) {
			chords := j.area.Chords(j.area.CX, min(rim/want, mostRim)*size)
			if j.result = j.text.setLines(j.area, chords, words, size, rows, 0); j.result == nil {
				continue
			}
			if rows == 1 && j.style == Effect && !j.area.InGutter() {
				j.spread()
			}
			return true
		}
	}
	return false
}

// closeUp sets a cluster as close to its neighbors as those of a drawn sound are, whatever cell the font gives it.
func (c *cluster) closeUp() {
	if c.space || len(c.glyphs) != 1 {
		return
	}
	g := &c.glyphs[0]
	if ink, ok := g.face.GlyphExtents(g.id); ok && ink.Width > 0 {
		upem := float64(g.face.Upem())
		g.x = closeGap/2 - float64(ink.XBearing)/upem
		c.advance = float64(ink.Width)/upem + closeGap
	}
}

// rows returns the number of rows in which the lines of the source stand: pieces of one line share theirs.
func (j *job) rows() int {
	var lines []image.Rectangle
	for _, q := range j.region.Lines {
		lines = append(lines, j.area.Frame.Bounds(q))
	}
	middle := func(r image.Rectangle) float64 { return raster.Middle(r)[1] }
	slices.SortFunc(lines, func(a, b image.Rectangle) int { return cmp.Compare(middle(a), middle(b)) })
	n := 1
	for i := 1; i < len(lines); i++ {
		if middle(lines[i])-middle(lines[i-1]) > float64(min(lines[i].Dy(), lines[i-1].Dy()))/2 {
			n++
		}
	}
	return n
}

// wordEnds returns the breaks after words, the end of the text last.
func wordEnds(clusters []cluster) (ends []breakPoint) {
	for i := 1; i < len(clusters); i++ {
		if clusters[i-1].space {
			ends = append(ends, breakPoint{at: i})
		}
	}
	return append(ends, breakPoint{at: len(clusters)})
}

// spread sets the letters of a line apart, so that it is as long as its area.
func (j *job) spread() {
	line := &j.result.lines[0]
	gaps := line.end - 1 - line.from
	if gaps <= 0 {
		return
	}
	room := j.area.Chords(j.area.CX, 0).Widest((j.text.above+j.text.below)*j.result.size)/j.result.size - 2*j.text.overhang
	by := min(max(0, (room-line.width)/float64(gaps)), mostSpread)
	j.text = j.text.with(func(c *cluster) { c.advance += by })
	line.width += by * float64(gaps)
	line.x -= by * float64(gaps) * j.result.size / 2
}
