package letter

import (
	"math"
	"slices"
	"strings"

	"github.com/go-text/typesetting/font"

	"plait/internal/comic"
	"plait/internal/comic/textarea"
	"plait/internal/languages"
)

// job is the state of one region while it is lettered.
type job struct {
	region comic.Region
	target target
	// said is the translation, with its tags, and terms are names and terms in it that should not be broken. runes is the text as it is set.
	said  string
	terms []string
	runes []rune
	// within says which places are inside names and terms.
	within []bool
	// shaped is the shaped text. text is the same or a version of it with lines and letters closer together.
	text, shaped *shapedText
	area         *textarea.Area
	missing      string
	style        Style
	// cap is the height of a capital in em, or its equivalent for ideographs.
	cap float64
	// source is the font size of the source, in pixels.
	source float64
	// ratio is the size of the source in units of that of the page's normal dialogue.
	ratio float64
	// look is the look of the source lettering.
	look look
	// normal says that the text is dialogue of the page's common size, and note that it is an annotation.
	normal, note bool
	// lean is how far letters lean to the right, in units of their height, if the script has no italic font.
	lean float64
	// bold is how much each side of a stroke is widened, and stroke the width of the strokes of the font, in em.
	bold, stroke float64
	// loud says which runes are emphasized. It is nil if none is.
	loud []bool
	// cut says that the end of the text was left out.
	cut bool

	result *layout
	fit    Fit
	// want is the wanted size of the text, and floor the least legible size, in pixels.
	want, floor float64
}

// ideographCap is the cap height, in em, at which Latin text looks as large as ideographs. The values of Params are cap heights.
const ideographCap = 0.72

// obliqueLean is the lean of synthetic italics: 11 degrees.
const obliqueLean = 0.2

// shape prepares and shapes the text of a job, if there is some. median is the median size of the page's source texts.
func (p Params) shape(t *typesetter, f *fonts, j *job, median float64) (some bool, err error) {
	r := j.region
	capitals := p.Capitals && j.target.cased() && (languages.IsCJK(r.SourceLang) || !hasSmall(r.Text))
	j.target.apart = j.area.Drawn
	tgt, columns := j.target, j.area.Frame.Columns
	var text string
	text, j.cut = prepare(j.said, tgt, capitals, columns)
	j.source = sourceSize(onlyLines(r, j.look.emphasis.lines, false))
	j.chooseStyle(j.styleOf(text, j.source/median), f)
	if (j.style == Effect || j.style == Shout) && r.Override.Style.Italic == nil {
		j.lean = j.look.lean
	}
	alike := alikeWeight
	if j.style == Effect {
		alike = alikeSound
	}
	weights, w := f.weights(tgt.script, j.style), weight{font: f.usual(tgt.script, j.style)}
	switch bold := r.Override.Style.Bold; {
	case bold != nil && *bold: // as bold as counters stay open
		w = weight{font: weights[len(weights)-1], bold: mostBold}
	case bold == nil && j.look.stroke > 0 && r.Override.Style.Font != comic.FontEffect:
		if w, err = chooseWeight(weights, tgt, j.look.stroke*tgt.strokesFrom(r.SourceLang), p.natural(tgt, j.source), alike); err != nil {
			return false, err
		}
	}
	chain, missing, err := t.chain(f.chain(tgt.script, w.font), []rune(text))
	if err != nil {
		return false, err
	}
	j.bold, j.stroke = w.bold, w.stroke
	j.missing, j.runes = missing, tgt.without([]rune(text), missing)
	if len(j.runes) == 0 {
		return false, nil
	}
	terms := quotedNames(j.runes)
	for _, term := range j.terms {
		term, _ = prepare(term, tgt, capitals, columns)
		terms = append(terms, tgt.without([]rune(term), missing))
	}
	j.within = named(j.runes, terms)
	e, err := t.emphasize(f, j)
	if err != nil {
		return false, err
	}
	j.shaped = p.shapeText(t, j, chain.forText(j.runes), e)
	j.text = j.shaped
	return len(j.text.clusters) > 0, nil
}

// shapeText returns the shaped text of the job with its metrics.
func (p Params) shapeText(t *typesetter, j *job, chain fontChain, e emphasized) *shapedText {
	tgt, columns := j.target, j.area.Frame.Columns
	text := &shapedText{narrow: 1, clusters: t.shapeEmphasized(j, chain, e), flush: flush(j.region, j.area, tgt), rightToLeft: tgt.rightToLeft()}
	text = text.with(func(c *cluster) {
		if j.style == Effect && j.area.Drawn && tgt.square() && !columns {
			c.closeUp()
		}
	})
	if !columns {
		if hyphen := t.shape([]rune{'-'}, tgt, chain, false); len(hyphen) > 0 {
			text.hyphen = hyphen[0]
		}
	}
	p.measure(j, text, chain[0])
	if j.loud != nil {
		text.pitch *= 1 + loudPitch*(e.scale-1)
		if j.loud[0] {
			text.above *= e.scale
		}
	}
	return text
}

// Dialogue of more than loud times the median size or stroke width of the page is a shout, and below quiet times it is whispered, and
// not set quieter than that.
const quiet, loud = 0.7, 1.36

// styleOf returns the style of a text. A text is a sound effect or title if it is twice as large as the dialogue, if it is short and a
// sound effect region, or if it is short, large or slanted, and outside of bubbles.
func (j *job) styleOf(text string, ratio float64) Style {
	free := j.region.Kind != comic.KindDialogue
	switch {
	case ratio >= 2, free && isShort(text) && (ratio >= 1.25 || j.region.Slanted() || j.region.Kind == comic.KindEffect):
		return Effect
	case !free && ratio > loud, j.look.shouted:
		return Shout
	case isItalic(j.region, j.look.lean):
		return Italic
	case j.area.Rectangle():
		return Narration
	default:
		return Dialogue
	}
}

// isShort reports whether a text is only one to three words, like a sound effect.
func isShort(text string) bool {
	wide := 0
	for _, r := range text {
		if comic.Unspaced(r) {
			wide++
		}
	}
	return strings.Count(text, " ") < 3 && wide <= 8
}

// sourceSize returns the typical line height of a region, in pixels: the upper quartile, as a line of Latin text without capitals or
// descenders is lower than its font. If the heights differ more than this explains, a line is shouted, and it is the median.
func sourceSize(r comic.Region) float64 {
	heights := make([]float64, 0, len(r.Lines))
	for _, q := range r.Lines {
		a, b := q.Sides()
		if len([]rune(r.Text)) <= 2 {
			heights = append(heights, max(a, b)) // a single mark is taller than wide
		} else {
			heights = append(heights, min(a, b))
		}
	}
	if len(heights) == 0 {
		return max(r.FontSize, 1)
	}
	slices.Sort(heights)
	usual := heights[len(heights)*3/4]
	if median := heights[(len(heights)-1)/2]; usual > 1.25*median {
		usual = median
	}
	return max(usual, 1)
}

// flush returns the alignment of the lines of a text. It keeps the alignment of the source in captions, which are rectangles, mirrored for
// a language with the opposite direction. Bubbles and free text are centered. Columns are aligned at the top.
func flush(r comic.Region, s *textarea.Area, t target) int {
	side := 1
	if t.rightToLeft() {
		side = -1
	}
	switch {
	case s.Frame.Columns:
		return -1
	case r.Override.Style.Alignment != "":
		return map[comic.Alignment]int{comic.AlignLeft: -1, comic.AlignRight: 1}[r.Override.Style.Alignment]
	case r.Direction != comic.Horizontal || len(r.Lines) < 2 || !s.Rectangle():
		return 0
	case r.Alignment == comic.AlignLeft:
		return -side
	case r.Alignment == comic.AlignRight:
		return side
	default:
		return 0
	}
}

// measure sets the metrics of the lines.
func (p Params) measure(j *job, t *shapedText, face *font.Face) {
	j.cap = j.target.capHeight(face)
	switch {
	case j.area.Frame.Columns:
		t.above, t.below, t.pitch = 0.5, 0.5, p.CJKPitch
	case j.target.square():
		t.above, t.below, t.pitch = 0.86, 0.1, p.CJKPitch
	case j.target.script == arabic:
		// Arabic letters extend from the cap height to the depth of descenders, with marks above and below.
		t.above, t.below, t.pitch = j.cap, 0.2, p.LatinPitch*1.25*j.cap
	default:
		t.above, t.below, t.pitch = j.cap, 0.03, p.LatinPitch*j.cap
		if j.target.script == vietnamese {
			t.pitch *= 1.15 // stacked marks above capitals
		}
	}
	t.margin, t.narrowMargin, t.least = p.Margin*j.cap, p.NarrowMargin*j.cap, p.LeastMargin*j.cap
	t.overhang = math.Abs(j.lean) * j.cap / 2
}

// lines returns the texts of the lines as set.
func (j *job) lines() []string {
	var out []string
	for _, l := range j.result.lines {
		text := string(j.runes[j.text.clusters[l.from].start:j.text.clusters[l.end-1].end])
		if l.hyphen {
			text += "-"
		}
		out = append(out, text)
	}
	return out
}

// form returns the transformation of the glyphs. Narrower letters have thinner stems, half of their strokes, and get that width back.
func (j *job) form() form {
	thinner := j.stroke * (1 - j.text.narrow) / 2
	return form{size: j.result.size, lean: j.lean, narrow: j.text.narrow, bold: (j.bold + thinner/2) * j.result.size}
}

// contours returns the outlines of the text on the page.
func (j *job) contours() []contour {
	var out []contour
	for _, line := range j.result.lines {
		pen := line.x - j.lean*j.cap*j.result.size/2 // so that the middle of the letters stays in place
		for _, c := range j.text.visual(line) {
			for _, g := range c.glyphs {
				out = append(out, g.place(j.area.Frame, pen, line.y, j.form())...)
			}
			pen += c.advance * j.result.size
		}
	}
	return out
}
