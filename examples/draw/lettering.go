package main

import (
	"fmt"
	"io/fs"
	"strings"

	"plait/examples/draw/ink"
)

// Type is the set of faces of the chapter.
type Type struct{ Speech, Heavy *ink.Font }

// LoadType reads the faces from anywhere below fsys.
func LoadType(fsys fs.FS) (*Type, error) {
	speech, err := ink.LoadFont(fsys, "ZenMaruGothic_700Bold.ttf")
	if err != nil {
		return nil, err
	}
	heavy, err := ink.LoadFont(fsys, "MPLUSRounded1c_700Bold.ttf")
	if err != nil {
		return nil, err
	}
	return &Type{speech, heavy}, nil
}

// Text is something to be lettered, and how.
type Text struct {
	Lines []string
	EN    string // what an English edition says
	Kind  Kind
	Dir   Direction
	Size  float64 // of an em, in page pixels
	Font  *ink.Font

	Fill    ink.Paint
	Edge    ink.Paint // an outline behind the letters, EdgeW pixels to each side
	EdgeW   float64
	Weight  float64 // pixels of the fill drawn around the letters, to fatten them
	Leading float64 // from line to line, in ems
}

// Letter sets t centered on (x, y) and records it.
func (p *Page) Letter(t Text, x, y float64, around *[4]int) error {
	set := setAcross
	if t.Dir == Down {
		set = setDown
	}
	glyphs, err := set(t)
	if err != nil {
		return fmt.Errorf("page %s: %w", p.Name, err)
	}
	glyphs = glyphs.Move(x, y)
	if !p.Bare {
		t.paint(p.Canvas, glyphs)
	}
	b, ok := p.Box(glyphs)
	if !ok {
		return fmt.Errorf("page %s: text off the page: %s", p.Name, t.Lines)
	}
	p.Blocks = append(p.Blocks, Block{
		Kind: t.Kind, Box: b, Balloon: around, Direction: t.Dir, Lines: t.Lines,
		Text: strings.Join(t.Lines, ""), translation: t.EN,
	})
	return nil
}

// paint draws the outlines of t's letters, then the letters.
func (t Text) paint(c *ink.Canvas, glyphs *ink.Path) {
	if t.Edge != nil {
		c.Line(glyphs, 2*(t.EdgeW+t.Weight), t.Edge)
	}
	if t.Weight > 0 {
		c.Line(glyphs, 2*t.Weight, t.Fill)
	}
	c.Fill(glyphs, t.Fill)
}

// capCenter is how far above the base line the middle of a Japanese em lies.
const capCenter = 0.38

// setAcross sets lines from left to right about the origin.
func setAcross(t Text) (*ink.Path, error) {
	out := ink.New()
	for i, line := range t.Lines {
		row, width := ink.New(), 0.0
		for _, r := range line {
			g, adv, err := t.Font.Glyph(r, t.Size)
			if err != nil {
				return nil, err
			}
			row.Join(g.Move(width, 0))
			width += adv
		}
		y := (float64(i)-float64(len(t.Lines)-1)/2)*t.Leading + capCenter
		out.Join(row.Move(-width/2, y*t.Size))
	}
	return out, nil
}

// setDown sets lines from top to bottom, the first at the right, about the
// origin. The longest line is centered and all lines start level with it.
func setDown(t Text) (*ink.Path, error) {
	longest := 0
	for _, line := range t.Lines {
		longest = max(longest, len([]rune(line)))
	}
	out := ink.New()
	for i, line := range t.Lines {
		x := (float64(len(t.Lines)-1)/2 - float64(i)) * t.Leading
		for j, r := range []rune(line) {
			y := float64(j) - float64(longest-1)/2
			g, adv, err := t.Font.Glyph(r, t.Size)
			if err != nil {
				return nil, err
			}
			cell := upright(r, g.Move(-adv/2, capCenter*t.Size), t.Size)
			out.Join(cell.Move(x*t.Size, y*t.Size))
		}
	}
	return out, nil
}

// upright changes a glyph about the middle of its em from its form in lines
// across to its form in lines down: stops go to the upper right, small kana
// lean there, and dashes, dots and brackets turn.
func upright(r rune, g *ink.Path, em float64) *ink.Path {
	switch {
	case strings.ContainsRune("、。", r):
		return g.Move(0.6*em, -0.6*em)
	case strings.ContainsRune("ぁぃぅぇぉっゃゅょァィゥェォッャュョ", r):
		return g.Move(0.1*em, -0.1*em)
	case r == 'ー' || r == '～':
		// A long-vowel mark is mirrored as well: its stroke starts at the top.
		return g.Map(func(q ink.Pt) ink.Pt { return ink.Pt{X: q.Y, Y: q.X} })
	case strings.ContainsRune("…「」『』（）", r):
		return g.Map(func(q ink.Pt) ink.Pt { return ink.Pt{X: -q.Y, Y: q.X} })
	}
	return g
}
