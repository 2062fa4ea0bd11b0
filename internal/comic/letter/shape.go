package letter

import (
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/go-text/typesetting/di"
	"github.com/go-text/typesetting/font"
	"github.com/go-text/typesetting/language"
	"github.com/go-text/typesetting/shaping"
	"golang.org/x/image/math/fixed"
)

// glyph is a glyph to draw. x and y (downwards) are relative to the pen, in em.
type glyph struct {
	face *font.Face
	id   font.GID
	x, y float64
	// scale is 1, except for digits that are scaled to fit into one cell of a column.
	scale float64
	// lean is how far emphasized letters lean more to the right than the others, in units of their height.
	lean float64
	// sideways says that the glyph is turned clockwise by 90 degrees.
	sideways bool
}

// cluster is the smallest part of a text that is set as a unit: the runes from start to end, exclusive.
type cluster struct {
	start, end int
	// advance is how far the pen moves along the line, in em.
	advance float64
	glyphs  []glyph
	// space says that it is a space, and light that it is a dot or a quote.
	space, light bool
	// rightToLeft is the reading direction of the cluster.
	rightToLeft bool
}

// typesetter shapes texts. It is not safe for concurrent use, because faces have caches.
type typesetter struct {
	shaper shaping.HarfbuzzShaper
	split  shaping.Segmenter
	faces  map[*font.Font]*font.Face
}

func newTypesetter() *typesetter { return &typesetter{faces: map[*font.Font]*font.Face{}} }

// unit is the size at which text is shaped. Layout scales the result. There is no hinting, so one shaping is valid for all sizes.
const unit = 1000

// shape sets a text on one line or column of unlimited length.
func (t *typesetter) shape(text []rune, tgt target, chain fontChain, vertical bool) []cluster {
	input := shaping.Input{
		Text: text, RunEnd: len(text), Size: fixed.I(unit),
		Language: language.NewLanguage(tgt.lang), Direction: di.DirectionLTR,
	}
	if tgt.rightToLeft() {
		input.Direction = di.DirectionRTL
	}
	if !vertical {
		out := t.shapeRuns(input, chain)
		if tgt.ideographic() {
			widenSymbols(out, text)
		}
		return out
	}
	input.Direction = di.DirectionTTB
	var out []cluster
	cells, end := uprightCells(text), 0 // end of the last cell
	// The whole text is shaped, including the cells, because a mark after a number takes the script before the number.
	for _, c := range t.shapeRuns(input, chain) {
		switch next := cells[c.start]; {
		case c.start < end:
		case next > 0:
			end = next
			out = append(out, t.cell(text, c.start, end, tgt, chain))
		default:
			out = append(out, c)
		}
	}
	return out
}

// widenSymbols gives narrow symbols in Chinese and Japanese the width of one em.
func widenSymbols(clusters []cluster, text []rune) {
	for i := range clusters {
		c := &clusters[i]
		if room := 1 - c.advance; room > 0 && isSymbol(text[c.start]) {
			c.advance = 1
			for k := range c.glyphs {
				c.glyphs[k].x += room / 2
			}
		}
	}
}

func (t *typesetter) shapeRuns(input shaping.Input, chain fontChain) []cluster {
	var out []cluster
	if input.RunStart == input.RunEnd {
		return nil
	}
	runs := append([]shaping.Input(nil), t.split.Split(input, chain)...)
	for _, run := range runs {
		rightToLeft := run.Direction.Progression() == di.TowardTopLeft
		sideways := run.Direction.IsSideways()
		switch {
		case sideways:
			run.Direction = di.DirectionLTR
		case run.Direction.IsVertical():
			run.Direction.SetProgression(di.FromTopLeft)
		}
		clusters := clustersOf(t.shaper.Shape(run), input.Text, sideways)
		if rightToLeft && run.Direction == di.DirectionRTL {
			slices.Reverse(clusters) // glyphs are in visual order, clusters in reading order
			for i := range clusters {
				clusters[i].rightToLeft = true
			}
		}
		out = append(out, clusters...)
	}
	return out
}

// clustersOf groups shaped glyphs into clusters.
func clustersOf(run shaping.Output, text []rune, sideways bool) []cluster {
	var out []cluster
	vertical := run.Direction.IsVertical()
	// The middle of the capitals of sideways text is on the axis of the column.
	middle := capHeight(run.Face) / 2
	var pen float64
	for i, g := range run.Glyphs {
		if i == 0 || g.TextIndex() != run.Glyphs[i-1].TextIndex() {
			start := g.TextIndex()
			out = append(out, cluster{
				start: start, end: start + g.RunesCount(), space: unicode.IsSpace(text[start]), light: strings.ContainsRune("….,“”„«»‘’\"'-–、。", text[start]),
			})
			pen = 0
		}
		c := &out[len(out)-1]
		x, y, advance := em(g.XOffset), -em(g.YOffset), em(g.Advance)
		placed := glyph{face: run.Face, id: g.GlyphID, x: pen + x, y: y, scale: 1}
		switch {
		case vertical && strings.ContainsRune("…‥", text[g.TextIndex()]): // some fonts do not turn dots at the middle of the line
			advance = -advance
			placed.id, _ = run.Face.NominalGlyph(text[g.TextIndex()])
			placed.x, placed.y, placed.sideways = -middle, pen, true
		case vertical:
			advance = -advance
			placed.x, placed.y = x, pen+y
		case sideways:
			placed.x, placed.y, placed.sideways = -middle-y, pen+x, true
		}
		c.glyphs = append(c.glyphs, placed)
		c.advance += advance
		pen += advance
	}
	return out
}

func em(v fixed.Int26_6) float64 { return float64(v) / 64 / unit }

// capHeight returns the height of capitals in em.
func capHeight(f *font.Face) float64 {
	if h := f.LineMetric(font.CapHeight); h > 0 {
		return float64(h) / float64(f.Upem())
	}
	return 0.7
}

// capHeight returns the height of capitals in em, or its equivalent for ideographs.
func (t target) capHeight(f *font.Face) float64 {
	if t.square() {
		return ideographCap
	}
	return capHeight(f)
}

// numbers are digits with marks between them.
var numbers = regexp.MustCompile(`[0-9]+(?:[.,:/][0-9]+)*`)

// uprightCells returns the ends of what a column sets upright in one cell, by their starts: numbers of two ASCII digits (tate-chu-yoko), and the
// digits of other numbers of up to four. Longer numbers, and those with marks, are set sideways.
func uprightCells(text []rune) map[int]int {
	cells, s := map[int]int{}, string(text)
	for _, at := range numbers.FindAllStringIndex(s, -1) {
		from, number := utf8.RuneCountInString(s[:at[0]]), s[at[0]:at[1]]
		switch n := len(number); {
		case n > 4 || strings.ContainsAny(number, ".,:/"):
		case n == 2:
			cells[from] = from + 2
		default:
			for i := range n {
				cells[from+i] = from + i + 1
			}
		}
	}
	return cells
}

// cell sets text[start:end] as one upright cell of a column.
func (t *typesetter) cell(text []rune, start, end int, tgt target, chain fontChain) cluster {
	line := t.shapeRuns(shaping.Input{
		Text: text, RunStart: start, RunEnd: end, Size: fixed.I(unit), Language: language.NewLanguage(tgt.lang),
	}, chain)
	out := cluster{start: start, end: end, advance: 1}
	var width float64
	for _, c := range line {
		width += c.advance
	}
	scale := min(1, 0.96/max(width, 0.01))
	var pen float64
	for _, c := range line {
		for _, g := range c.glyphs {
			g.x, g.y = (pen+g.x-width/2)*scale, 0.5+capHeight(g.face)/2+g.y*scale
			g.scale = scale
			out.glyphs = append(out.glyphs, g)
		}
		pen += c.advance
	}
	return out
}

// shapedText is a shaped text with the metrics of its lines, in em. It has all that layout needs.
type shapedText struct {
	clusters []cluster
	// sum[i] is the total advance of the clusters before i.
	sum []float64
	// above and below are the extent of lines from the baseline (from the axis, for columns). pitch is the distance of baselines.
	above, below, pitch float64
	// overhang is how far leaning letters extend beyond the line on each side.
	overhang float64
	// margin, narrowMargin and least are the usual, a narrow and the least margin to the edge of the text area.
	margin, narrowMargin, least float64
	hyphen                      cluster
	// narrow is the horizontal scale of letters, at most 1.
	narrow float64
	// flush is the alignment of the lines: -1 left, 0 centered, 1 right. Columns are -1.
	flush int
	// rightToLeft is the direction of the text as a whole.
	rightToLeft bool
}

// with returns the text with other advances.
func (t *shapedText) with(change func(*cluster)) *shapedText {
	c := *t
	c.clusters, c.sum = slices.Clone(t.clusters), make([]float64, len(t.clusters)+1)
	for i := range c.clusters {
		change(&c.clusters[i])
		c.sum[i+1] = c.sum[i] + c.clusters[i].advance
	}
	return &c
}

// span returns the advance of the clusters from to end, without a trailing space.
func (t *shapedText) span(from, end int) float64 { return t.sum[t.trimmed(from, end)] - t.sum[from] }

// trimmed returns the end of the clusters from to end, exclusive, without a trailing space.
func (t *shapedText) trimmed(from, end int) int {
	for end > from+1 && t.clusters[end-1].space {
		end--
	}
	return end
}

// marks returns the advance of the dots and quotes at the start of a line (step 1) or its end (step -1), from the cluster at.
func (t *shapedText) marks(at, step int) (sum float64) {
	for ; at >= 0 && at < len(t.clusters) && t.clusters[at].light; at += step {
		sum += t.clusters[at].advance
	}
	return sum
}

// visual returns the clusters of a line, and its hyphen, in order from left to right. Runs of the other direction are reversed (UAX 9, L2;
// no more is needed as long as each run has one level).
func (t *shapedText) visual(line setLine) []cluster {
	clusters := t.clusters[line.from:line.end:line.end]
	if line.hyphen {
		clusters = append(clusters, t.hyphen)
	}
	var runs [][]cluster
	for i, c := range clusters {
		if i == 0 || c.rightToLeft != clusters[i-1].rightToLeft {
			runs = append(runs, nil)
		}
		runs[len(runs)-1] = append(runs[len(runs)-1], c)
	}
	for _, run := range runs {
		if run[0].rightToLeft {
			slices.Reverse(run)
		}
	}
	if t.rightToLeft {
		slices.Reverse(runs)
	}
	return slices.Concat(runs...)
}
