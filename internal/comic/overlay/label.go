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

// labelWidths are the widths tried for a label, in ems.
var labelWidths = []int{8, 13, 20, 32}

// label is the description of a region in one of several shapes.
type label struct {
	head  string
	lines []string
	size  image.Point
}

// shapes returns the label of a region with different line breaks, from narrow to wide. Of the shapes that do not have room for the whole
// text it returns only the widest.
func (d *drawing) shapes(r comic.Region) []label {
	text := strings.TrimSpace(r.Text)
	if text == "" {
		text = "(not read)"
	}
	head := heading(r)
	headWidth := d.small.width(head)
	widest := min(labelWidths[len(labelWidths)-1]*d.body.size, d.canvas.img.Rect.Dx()-2*d.pad)
	words := pieces(text)
	narrowest := headWidth
	for _, w := range words {
		narrowest = min(max(narrowest, d.body.width(strings.TrimSpace(w))), widest)
	}
	var out []label
	for i, ems := range labelWidths {
		lines, whole := wrap(d.body, words, min(max(ems*d.body.size, narrowest), widest))
		last := i == len(labelWidths)-1
		if k := len(out); k > 0 && len(out[k-1].lines) == len(lines) || !whole && !last {
			continue
		}
		width := headWidth
		for _, line := range lines {
			width = max(width, d.body.width(line))
		}
		size := image.Pt(width+2*d.pad, d.small.height()+len(lines)*d.body.height()+2*d.pad)
		out = append(out, label{head: head, lines: lines, size: size})
	}
	return out
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
// is cut, and whole is false.
func wrap(t *typeface, words []string, width int) (lines []string, whole bool) {
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
			return lines, false
		}
	}
	return append(lines, strings.TrimRight(line, " ")), true
}
