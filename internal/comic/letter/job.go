package letter

import (
	"math"
	"slices"
	"strings"
	"unicode"

	"github.com/go-text/typesetting/font"

	"plait/internal/comic/space"
	"plait/internal/pipeline"
)

// job is one region on its way to the page.
type job struct {
	region  pipeline.Region
	runes   []rune
	lang    string
	text    *shapedText
	space   *space.Space
	missing string
	style   style
	// cap is the height of a capital, or what stands for it with ideographs, in em.
	cap float64
	// source is the font size of the source in pixels; natural is the font size that answers the source's.
	source, natural float64
	// normal dialogue shares one size.
	normal bool

	result *layout
	fit    Fit
}

// ideographCap is the height that an ideograph of one em looks as tall as: the figures of Params are cap heights.
const ideographCap = 0.72

// newJob prepares and shapes a text; median is the usual size of the page's source texts. It returns nil when there is
// nothing to set.
func (p Params) newJob(t *typesetter, fonts *Fonts, r pipeline.Region, s *space.Space, text, lang string, median float64) *job {
	cjk := pipeline.IsCJK(lang)
	capitals := p.Capitals && !cjk && (pipeline.IsCJK(r.SourceLang) || isCapitals(r.Text))
	text = prepare(text, lang, capitals, s.Frame.Columns)
	j := &job{region: r, runes: []rune(text), lang: lang, space: s, fit: Fits, source: sourceSize(r)}
	if len(j.runes) == 0 {
		return nil
	}
	j.style = styleOf(r, text, j.source/median)
	chain, missing := t.chain(fonts.chain(lang, j.style)).forText(j.runes)
	j.missing = missing
	j.text = &shapedText{clusters: t.shape(j.runes, lang, chain, s.Frame.Columns), flush: p.flush(r, s)}
	if len(j.text.clusters) == 0 {
		return nil
	}
	if hyphen := t.shape([]rune{'-'}, lang, chain, false); len(hyphen) > 0 {
		j.text.hyphen = hyphen[0]
	}
	j.text.sum = make([]float64, len(j.text.clusters)+1)
	for i, c := range j.text.clusters {
		j.text.sum[i+1] = j.text.sum[i] + c.advance
	}
	p.measure(j, chain[0], cjk)
	return j
}

// styleOf takes for a sound effect or title what is twice as large as the dialogue, or free, large and short.
func styleOf(r pipeline.Region, text string, ratio float64) style {
	if ratio >= 2 || r.Kind != pipeline.KindDialogue && ratio >= 1.25 && strings.Count(text, " ") < 2 {
		return effect
	}
	return dialogue
}

// sourceSize is the upper quartile of the line heights: a line of Latin text without capitals or descenders is lower than
// its font, none is higher.
func sourceSize(r pipeline.Region) float64 {
	heights := make([]float64, 0, len(r.Lines))
	for _, q := range r.Lines {
		a, b := math.Hypot(q[1][0]-q[0][0], q[1][1]-q[0][1]), math.Hypot(q[3][0]-q[0][0], q[3][1]-q[0][1])
		if len([]rune(r.Text)) <= 2 {
			heights = append(heights, max(a, b)) // a mark alone is taller than wide
		} else {
			heights = append(heights, min(a, b))
		}
	}
	if len(heights) == 0 {
		return max(r.FontSize, 1)
	}
	slices.Sort(heights)
	return max(heights[len(heights)*3/4], 1)
}

// flush keeps the alignment of captions, which are rectangles; bubbles and free text are centered, and columns hang from
// one line.
func (p Params) flush(r pipeline.Region, s *space.Space) int {
	switch {
	case s.Frame.Columns:
		return -1
	case r.Direction != pipeline.Horizontal || len(r.Lines) < 2 || !s.Rectangle():
		return 0
	case r.Alignment == pipeline.AlignLeft:
		return -1
	case r.Alignment == pipeline.AlignRight:
		return 1
	default:
		return 0
	}
}

// measure fills in the metrics of lines.
func (p Params) measure(j *job, face *font.Face, cjk bool) {
	t := j.text
	switch {
	case j.space.Frame.Columns:
		j.cap, j.natural = ideographCap, p.CJKEm*j.source
		t.above, t.below, t.pitch = 0.5, 0.5, p.CJKPitch
	case cjk:
		j.cap, j.natural = ideographCap, p.CJKEm*j.source
		t.above, t.below, t.pitch = 0.86, 0.1, p.CJKPitch
	default:
		j.cap = capHeight(face)
		j.natural = p.LatinCap * j.source / j.cap
		t.above, t.below, t.pitch = j.cap, 0.03, p.LatinPitch*j.cap
		if hasDescender(j.runes) {
			// Half the depth of descenders: they are few, and the eye centers a line by its body.
			t.below = 0.12
			t.pitch *= 1.08
		}
	}
	t.margin, t.least = p.Margin*j.cap, p.LeastMargin*j.cap
}

func hasDescender(text []rune) bool {
	return strings.ContainsFunc(string(text), func(r rune) bool {
		return unicode.IsLower(r) && strings.ContainsRune("gjpqyçşţ", r)
	})
}

// lines are the texts of the lines as they were set.
func (j *job) lines() []string {
	var out []string
	for _, l := range j.result.lines {
		text := string(j.runes[j.text.clusters[l.from].start:j.text.clusters[l.end-1].end])
		if l.hyphen {
			text += "-"
		}
		out = append(out, strings.TrimSpace(text))
	}
	return out
}

// contours are the outlines of the text on the page.
func (j *job) contours() []contour {
	var out []contour
	for _, line := range j.result.lines {
		pen := line.x
		for _, c := range j.text.clusters[line.from:line.end] {
			for _, g := range c.glyphs {
				out = append(out, g.place(j.space.Frame, pen, line.y, j.result.size)...)
			}
			pen += c.advance * j.result.size
		}
		if line.hyphen {
			for _, g := range j.text.hyphen.glyphs {
				out = append(out, g.place(j.space.Frame, line.x+j.result.size*(line.width-j.text.hyphen.advance), line.y, j.result.size)...)
			}
		}
	}
	return out
}
