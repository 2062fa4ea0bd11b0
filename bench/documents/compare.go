package main

import (
	"context"
	"math"
	"regexp"
	"strings"
	"unicode/utf8"

	"github.com/pdfcpu/pdfcpu/pkg/pdfcpu/model"
	"github.com/pdfcpu/pdfcpu/pkg/pdfcpu/types"

	"plait/internal/document"
	"plait/internal/document/engine"
	"plait/internal/document/pdf"
)

// comparison compares a result with its source.
type comparison struct {
	*measured
	variant
	edits      []document.Edit
	translated [][]engine.Translated
	written    *pdf.File
	result     *result
}

func (c *comparison) run(ctx context.Context) error {
	c.result.SSIM = 1
	for i, l := range c.pages {
		after, err := c.written.Content(ctx, i)
		if err != nil {
			return err
		}
		c.result.Touch += max(0, touching(after)-touching(l.Page))
		c.result.Cut += max(0, cut(after)-cut(l.Page))
		c.result.LostLinks += max(0, len(l.Page.Links)-len(after.Links))
		c.formulas(l, c.edits[i], after)
		text, err := c.written.Text(ctx, i)
		if err != nil {
			return err
		}
		c.text(c.translated[i], text)
		if c.variant.name == "same" {
			if err := c.similarity(ctx, i); err != nil {
				return err
			}
		}
	}
	return c.fonts(ctx)
}

// touching counts the pairs of glyphs of which one covers 30 % of the ink of the other. A cell of the grid is a box of 12 points.
func touching(p document.Page) (pairs int) {
	const cell, share = 12.0, 0.3
	grid := map[[2]int][]int{}
	for i, g := range p.Glyphs {
		if g.Hidden || strings.TrimSpace(g.Text) == "" || g.Ink.X1 <= g.Ink.X0 || g.Ink.Y1 <= g.Ink.Y0 || g.Direction == document.Slanted {
			continue
		}
		key := [2]int{int(math.Floor(g.Ink.X0 / cell)), int(math.Floor(g.Ink.Y0 / cell))}
		for dx := -2; dx <= 2; dx++ {
			for dy := -2; dy <= 2; dy++ {
				for _, j := range grid[[2]int{key[0] + dx, key[1] + dy}] {
					if i-j == 1 {
						continue // neighbors in a word may overlap: italics do
					}
					o := p.Glyphs[j].Ink
					if g.Ink.Overlap(o) > share*min(area(g.Ink), area(o)) && g.Origin != p.Glyphs[j].Origin {
						pairs++
					}
				}
			}
		}
		grid[key] = append(grid[key], i)
	}
	return pairs
}

func area(b document.Box) float64 { return (b.X1 - b.X0) * (b.Y1 - b.Y0) }

// cut counts the glyphs that reach beyond the crop box by more than half a point.
func cut(p document.Page) (n int) {
	const slack = 0.5
	for _, g := range p.Glyphs {
		b := g.Ink
		if b.X1 > b.X0 && !g.Hidden && (b.X0 < p.Crop.X0-slack || b.X1 > p.Crop.X1+slack || b.Y0 < p.Crop.Y0-slack || b.Y1 > p.Crop.Y1+slack) {
			n++
		}
	}
	return n
}

// formulas looks for each glyph of the formulas of translated blocks where its move has put it.
func (c *comparison) formulas(l engine.Layout, edit document.Edit, after document.Page) {
	const slack = 0.6
	places := map[string][]document.Point{}
	for _, g := range after.Glyphs {
		places[after.Fonts[g.Font].Name] = append(places[after.Fonts[g.Font].Name], g.Origin)
	}
	moved := map[int]document.Point{}
	for _, m := range edit.Moves {
		for _, g := range m.Glyphs {
			moved[g] = document.Point{X: m.DX, Y: m.DY}
		}
	}
	for _, b := range l.Blocks {
		for _, f := range b.Formulas {
			c.result.Formulas++
			lost := false
			for _, i := range f.Glyphs {
				g, d := l.Page.Glyphs[i], moved[i]
				found := false
				for _, at := range places[l.Page.Fonts[g.Font].Name] {
					found = found || math.Abs(at.X-g.Origin.X-d.X) < slack && math.Abs(at.Y-g.Origin.Y-d.Y) < slack
				}
				lost = lost || !found
			}
			c.result.LostFormulas += one(lost)
		}
	}
}

// marks are the markers of formulas and the tags of styles.
var marks = regexp.MustCompile(`\{v\d+\}|</?s\d+>`)

// text compares the words of the stand-ins with those of the page.
func (c *comparison) text(blocks []engine.Translated, page string) {
	var want []string
	for _, b := range blocks {
		if b.Class == document.ClassBookmark {
			continue // it is not on the page
		}
		want = append(want, words(marks.ReplaceAllString(b.Translation, " "))...)
	}
	wanted := map[string]bool{}
	for _, w := range want {
		wanted[w] = true
	}
	got := words(joined(page, wanted))
	there := map[string]int{}
	for _, w := range got {
		there[w]++
	}
	for _, w := range want {
		n := utf8.RuneCountInString(w)
		c.result.Characters += n
		if there[w] > 0 {
			there[w]--
			c.result.Found += n
		}
	}
	c.result.Ordered += common(want, got)
}

// divided matches a word with a hyphen at the end of a line.
var divided = regexp.MustCompile(`(\pL+)\x{ad}\s*(\pL+)`)

// joined joins the words of a text that are divided at the ends of lines: those that are words of the stand-ins as a whole. The others have a
// hyphen themselves.
func joined(text string, wanted map[string]bool) string {
	return divided.ReplaceAllStringFunc(text, func(match string) string {
		parts := divided.FindStringSubmatch(match)
		if word := parts[1] + parts[2]; wanted[word] {
			return word
		}
		return parts[1] + "-" + parts[2]
	})
}

// words divides a text into words, and text in Chinese into characters.
func words(text string) (list []string) {
	text = strings.NewReplacer("ﬁ", "fi", "ﬂ", "fl", "\ufb00", "ff", "\ufb03", "ffi", "\ufb04", "ffl").Replace(text)
	return word.FindAllString(text, -1)
}

var word = regexp.MustCompile(`\p{Han}|[^\P{L}\p{Han}]+|\p{N}+`)

// common is the largest number of characters in words that both lists have in the same order.
func common(a, b []string) int {
	row := make([]int, len(b)+1)
	for _, w := range a {
		n, diagonal := utf8.RuneCountInString(w), 0
		for j, v := range b {
			above := row[j+1]
			if v == w {
				row[j+1] = max(above, diagonal+n, row[j])
			} else {
				row[j+1] = max(above, row[j])
			}
			diagonal = above
		}
	}
	return row[len(b)]
}

// fonts counts the fonts that are not embedded, less those of the source.
func (c *comparison) fonts(ctx context.Context) error {
	before, err := c.source.Objects(ctx)
	if err != nil {
		return err
	}
	after, err := c.written.Objects(ctx)
	if err != nil {
		return err
	}
	c.result.Loose = max(0, loose(after)-loose(before))
	return nil
}

// loose counts the fonts without a program. A composite font has one in its descendant.
func loose(x *model.XRefTable) (n int) {
	for _, entry := range x.Table {
		d, ok := entry.Object.(types.Dict)
		if !ok || d.Type() == nil || *d.Type() != "Font" || d.Subtype() == nil || *d.Subtype() == "Type0" || *d.Subtype() == "Type3" {
			continue
		}
		descriptor, err := x.DereferenceDict(d["FontDescriptor"])
		if err != nil || descriptor == nil || descriptor["FontFile"] == nil && descriptor["FontFile2"] == nil && descriptor["FontFile3"] == nil {
			n++
		}
	}
	return n
}

// similarity compares the pictures of a page.
func (c *comparison) similarity(ctx context.Context, page int) error {
	before, _, err := c.source.Render(ctx, page, 100)
	if err != nil {
		return err
	}
	after, _, err := c.written.Render(ctx, page, 100)
	if err != nil {
		return err
	}
	c.result.SSIM = min(c.result.SSIM, ssim(before, after))
	return nil
}
