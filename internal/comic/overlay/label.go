package overlay

import (
	"fmt"
	"image"
	"strconv"
	"strings"

	"github.com/go-text/typesetting/segmenter"

	"plait/internal/comic"
)

// maxLabelLines limits the lines of a label, because credits may have hundreds of words.
const maxLabelLines = 9

// labelWidth is the width of the text of a label, in ems, unless a word is longer.
const labelWidth = 13

// label is the description of a region.
type label struct {
	head  string
	lines []string
	size  image.Point
}

// describe returns the label of a region.
func (d *drawing) describe(r comic.Region) label {
	text := strings.TrimSpace(r.Text)
	if text == "" {
		text = "(not read)"
	}
	l := label{head: heading(r)}
	width, words := max(labelWidth*d.body.size, d.small.width(l.head)), pieces(text)
	for _, w := range words {
		width = max(width, d.body.width(strings.TrimSpace(w)))
	}
	l.lines = wrap(d.body, words, min(width, d.canvas.img.Rect.Dx()-2*d.pad))
	width = d.small.width(l.head)
	for _, line := range l.lines {
		width = max(width, d.body.width(line))
	}
	l.size = image.Pt(width+2*d.pad, d.small.height()+len(l.lines)*d.body.height()+2*d.pad)
	return l
}

// heading returns the first line of a label, such as "3 dialogue ↓ ja 97 %".
func heading(r comic.Region) string {
	arrow := "→"
	if r.Direction == comic.Vertical {
		arrow = "↓"
	}
	parts := []string{strconv.Itoa(r.Index), string(r.Kind), arrow, r.SourceLang, fmt.Sprintf("%.0f %%", 100*r.Prob)}
	return strings.Join(strings.Fields(strings.Join(parts, " ")), " ")
}

// height returns the line height in pixels.
func (t *typeface) height() int { return t.ascent + t.descent }

// pieces splits a text at the places where a line may be broken (UAX 14). Trailing spaces belong to the piece before them.
func pieces(text string) []string {
	var s segmenter.Segmenter
	s.Init([]rune(text))
	var out []string
	for it := s.LineIterator(); it.Next(); {
		out = append(out, string(it.Line().Text))
	}
	return out
}

// wrap breaks words into lines of at most width pixels. A word that is wider is broken anywhere. A text of more than maxLabelLines lines
// is cut.
func wrap(t *typeface, words []string, width int) (lines []string) {
	var line string
	add := func(piece string) {
		if line != "" && t.width(strings.TrimRight(line+piece, " ")) > width {
			lines = append(lines, strings.TrimRight(line, " "))
			line = ""
		}
		line += piece
	}
	for _, word := range words {
		if t.width(strings.TrimRight(word, " ")) <= width {
			add(word)
		} else {
			for _, r := range word {
				add(string(r))
			}
		}
		if len(lines) >= maxLabelLines {
			lines = lines[:maxLabelLines]
			lines[maxLabelLines-1] += "…"
			return lines
		}
	}
	return append(lines, strings.TrimRight(line, " "))
}
