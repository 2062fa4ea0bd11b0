package pdf

import (
	"context"
	"math"
	"regexp"
	"slices"
	"strings"

	"github.com/pdfcpu/pdfcpu/pkg/pdfcpu/types"

	"plait/internal/document"
	"plait/internal/document/pdf/content"
)

// collector makes a page of what its operators draw.
type collector struct {
	page  document.Page
	fonts map[*content.Font]int
	texts *positions
	// clip is the area in which the operator before could be drawn.
	clip document.Box
	// replaced are the glyphs in marked content whose text the file gives.
	replaced map[replaced][]int
}

// replaced is a piece of marked content, by the place at which it begins, with its text.
type replaced struct {
	stream *content.Stream
	start  int
	text   string
}

// collect walks through a page. Characters are those that PDFium reads on it.
func collect(ctx context.Context, index int, p content.OpenedPage, characters []character) (document.Page, error) {
	c := &collector{fonts: map[*content.Font]int{}, texts: newPositions(characters), clip: p.Crop, replaced: map[replaced][]int{}}
	c.page.Index, c.page.Crop, c.page.Rotate = index, p.Crop, p.Rotate
	c.annotations(p)
	_, c.page.Tagged = p.Dict.Find("StructParents")
	err := content.Walk(p.Page, func(d content.Drawing) error {
		if clip := leastClip(d); clip != c.clip {
			c.clip = clip
			c.page.Clips = append(c.page.Clips, clip)
		}
		switch {
		case d.Show != nil:
			c.show(d)
		case d.Path != nil:
			c.path(d)
		case d.Image != nil:
			c.page.Images = append(c.page.Images, clipped(*d.Image, d.State.Clip))
		}
		return ctx.Err()
	})
	c.replace()
	compose(c.page.Glyphs)
	return c.page, err
}

// leastClip is the area in which what an operator draws is seen at any place: that of the outermost state that the stream restores after it, or
// else that of the operator.
func leastClip(d content.Drawing) document.Box {
	for _, s := range d.Saved {
		if s.ClipExact && !s.InText {
			return s.Clip
		}
	}
	return d.State.Clip
}

// replace gives glyphs the text that the file has for them, such as that of a ligature whose font stands for its first letter alone. Several
// glyphs share it in their order.
func (c *collector) replace() {
	for of, glyphs := range c.replaced {
		runes := []rune(shown.Replace(of.text))
		for n, i := range glyphs {
			c.page.Glyphs[i].Text = string(runes[n*len(runes)/len(glyphs) : (n+1)*len(runes)/len(glyphs)])
		}
	}
}

// font returns the position of a font among those of the page.
func (c *collector) font(f *content.Font) int {
	if i, known := c.fonts[f]; known {
		return i
	}
	i := len(c.page.Fonts)
	c.fonts[f] = i
	c.page.Fonts = append(c.page.Fonts, document.Font{
		Name: f.Name, Bold: f.Bold(), Italic: f.Italic(), Serif: serif(f), Fixed: f.Flags&content.FlagFixed != 0 || fixedName.MatchString(f.Name),
		Symbolic: f.Flags&content.FlagSymbolic != 0,
	})
	return i
}

func (c *collector) show(d content.Drawing) {
	s, t := d.State, d.State.Text
	font := c.font(t.Font)
	ascent, descent := extent(t.Font)
	for i, g := range d.Show.Glyphs {
		m := d.Show.Origins[i]
		glyph := document.Glyph{
			Origin: document.Point{X: m.E, Y: m.F}, Font: font, Color: s.Fill, Op: d.Op, Index: i,
			Size: math.Hypot(m.C, m.D), Direction: direction(m),
		}
		glyph.Advance = g.Width * math.Hypot(m.A, m.B)
		glyph.Box = boxAround(m, g.Width, ascent, descent)
		text, character, found := c.texts.take(m.E, m.F, glyph.Size)
		if found {
			glyph.Text, glyph.Ink = text, character.ink
		}
		if character.guessed && t.Font.Variant(g.Code) {
			glyph.Text = "" // its name says another thing than its code, as that of a note does
		}
		if glyph.Text == "" {
			glyph.Text = t.Font.ToUnicode.Text(g.Code)
		}
		if glyph.Text == "" && g.Space {
			glyph.Text = " " // PDFium leaves out one of two spaces in a row
		}
		if glyph.Text != "" {
			c.page.Fonts[font].Mapped = true
		}
		for _, m := range slices.Backward(s.Marks) {
			if m.Text != "" {
				of := replaced{m.Stream, m.Start, m.Text}
				c.replaced[of] = append(c.replaced[of], len(c.page.Glyphs))
				c.page.Fonts[font].Mapped = true
				break
			}
		}
		glyph.Hidden = t.Render&3 == content.Invisible || outside(glyph.Box, s.Clip)
		c.page.Glyphs = append(c.page.Glyphs, glyph)
	}
}

// shown removes the characters that only forbid or allow a line break: the word joiner, the zero width space and the zero width no-break space.
var shown = strings.NewReplacer("\u2060", "", "\u200b", "", "\ufeff", "")

// The ascent and descent of a font that does not say them, in em: those of most text faces.
const (
	usualAscent  = 0.75
	usualDescent = -0.22
)

// extent returns the ascent and descent of a font within what text faces have: descriptors are often wrong.
func extent(f *content.Font) (ascent, descent float64) {
	ascent, descent = f.Ascent, f.Descent
	if descent > 0 {
		descent = -descent
	}
	if ascent < 0.4 || ascent > 1.3 {
		ascent = usualAscent
	}
	if descent > -0.05 || descent < -0.6 {
		descent = usualDescent
	}
	return ascent, descent
}

// boxAround is the box of a glyph from its origin to its advance, and from its descent to its ascent.
func boxAround(m content.Matrix, width, ascent, descent float64) document.Box {
	b := document.Box{X0: math.Inf(1), Y0: math.Inf(1), X1: math.Inf(-1), Y1: math.Inf(-1)}
	for _, p := range [][2]float64{{0, descent}, {width, descent}, {0, ascent}, {width, ascent}} {
		x, y := m.Apply(p[0], p[1])
		b = document.Box{X0: min(b.X0, x), Y0: min(b.Y0, y), X1: max(b.X1, x), Y1: max(b.Y1, y)}
	}
	return b
}

// slantTolerance is the largest sine of the angle to an axis of text that counts as parallel to it: one degree.
const slantTolerance = 0.0175

// direction is the direction of the baseline of a matrix. Mirrored text is slanted: no reader can read it.
func direction(m content.Matrix) document.Direction {
	length := math.Hypot(m.A, m.B)
	if length == 0 || m.A*m.D-m.B*m.C <= 0 {
		return document.Slanted
	}
	x, y := m.A/length, m.B/length
	switch {
	case math.Abs(y) <= slantTolerance && x > 0:
		return 0
	case math.Abs(x) <= slantTolerance && y > 0:
		return 90
	case math.Abs(y) <= slantTolerance:
		return 180
	case math.Abs(x) <= slantTolerance:
		return 270
	}
	return document.Slanted
}

// serif tells by the flags, and for the fonts of TeX and of browsers, which have none, by the name.
func serif(f *content.Font) bool {
	if f.Flags&content.FlagSerif != 0 || strings.Contains(f.Name, "Serif") && !strings.Contains(f.Name, "Sans") {
		return true
	}
	for _, prefix := range []string{"CM", "SFRM", "SFBX", "SFTI", "LM", "Times", "NimbusRom", "Georgia", "Garamond", "Palatino", "Book", "NewCentury", "Minion", "Cambria"} {
		if len(f.Name) >= len(prefix) && f.Name[:len(prefix)] == prefix {
			return len(f.Name) < 4 || f.Name[:4] != "CMSS"
		}
	}
	return false
}

// fixedName matches the names of fonts with one width that have no descriptor, or one without the flag.
var fixedName = regexp.MustCompile(`^(Courier|Consolas|Menlo|CMTT|SFTT|LMMono)|Mono(space)?(-|$)`)

// outside reports whether the center of a box is not visible.
func outside(b, clip document.Box) bool {
	x, y := (b.X0+b.X1)/2, (b.Y0+b.Y1)/2
	return x < clip.X0 || x > clip.X1 || y < clip.Y0 || y > clip.Y1
}

func clipped(b, clip document.Box) document.Box {
	c := document.Box{X0: max(b.X0, clip.X0), Y0: max(b.Y0, clip.Y0), X1: min(b.X1, clip.X1), Y1: min(b.Y1, clip.Y1)}
	c.X1, c.Y1 = max(c.X0, c.X1), max(c.Y0, c.Y1)
	return c
}

// maxRule is the largest thickness of a rule in points, and minRule its least length.
const (
	maxRule = 3.0
	minRule = 2.0
)

// path adds the straight lines of a path to the rules, and its areas to the fills.
func (c *collector) path(d content.Drawing) {
	p := d.Path
	shared := len(p.Subpaths) > 1
	for _, s := range p.Subpaths {
		box := clipped(content.Path{Subpaths: []content.Subpath{s}}.Box(), d.State.Clip)
		switch {
		case s.Curved && !p.Fill:
			c.page.Fixed = append(c.page.Fixed, box)
			continue
		case p.Fill:
			c.area(box, d, s, shared)
			continue
		}
		c.strokes(s, d, shared || len(s.Points) > 2)
	}
}

func (c *collector) area(box document.Box, d content.Drawing, s content.Subpath, shared bool) {
	w, h := box.X1-box.X0, box.Y1-box.Y0
	switch {
	case min(w, h) <= maxRule && max(w, h) >= minRule && !s.Curved:
		c.page.Rules = append(c.page.Rules, document.Rule{Box: box, Color: d.State.Fill, Op: d.Op, Shared: shared})
	case w > maxRule && h > maxRule:
		c.page.Fills = append(c.page.Fills, document.Fill{Box: box, Color: d.State.Fill, Op: d.Op, Shared: shared})
	default:
		c.page.Fixed = append(c.page.Fixed, box)
	}
}

// strokes adds the sides of a stroked subpath that are parallel to an axis.
func (c *collector) strokes(s content.Subpath, d content.Drawing, shared bool) {
	points := s.Points
	if s.Closed && len(points) > 2 {
		points = append(points[:len(points):len(points)], points[0])
	}
	half := max(min(d.Path.Width, maxRule), 0) / 2
	for i := 1; i < len(points); i++ {
		a, b := points[i-1], points[i]
		box := document.Box{X0: min(a.X, b.X), Y0: min(a.Y, b.Y), X1: max(a.X, b.X), Y1: max(a.Y, b.Y)}
		w, h := box.X1-box.X0, box.Y1-box.Y0
		switch {
		case max(w, h) < minRule || min(w, h) > 0.5:
			c.page.Fixed = append(c.page.Fixed, clipped(box, d.State.Clip))
			continue
		case w > h:
			box.Y0, box.Y1 = box.Y0-half, box.Y1+half
		default:
			box.X0, box.X1 = box.X0-half, box.X1+half
		}
		c.page.Rules = append(c.page.Rules, document.Rule{Box: clipped(box, d.State.Clip), Color: d.State.Stroke, Op: d.Op, Shared: shared})
	}
}

// annotations adds the boxes of the link annotations of a page, in the order of the file, and of the others.
func (c *collector) annotations(p content.OpenedPage) {
	o, found := p.Dict.Find("Annots")
	if !found {
		return
	}
	annotations, err := p.Objects.DereferenceArray(o)
	if err != nil {
		return
	}
	for _, a := range annotations {
		d, err := p.Objects.DereferenceDict(a)
		if err != nil || d == nil {
			continue
		}
		if subtype := d.NameEntry("Subtype"); subtype != nil && *subtype == "Link" {
			c.page.Links = append(c.page.Links, rectangle(p, d))
		} else {
			c.page.Notes = append(c.page.Notes, rectangle(p, d))
		}
	}
}

func rectangle(p content.OpenedPage, d types.Dict) (b document.Box) {
	o, found := d.Find("Rect")
	if !found {
		return b
	}
	a, err := p.Objects.DereferenceArray(o)
	const sides = 4
	if err != nil || len(a) < sides {
		return b
	}
	var n [sides]float64
	for i := range n {
		if n[i], err = p.Objects.DereferenceNumber(a[i]); err != nil {
			return b
		}
	}
	return document.Box{X0: min(n[0], n[2]), Y0: min(n[1], n[3]), X1: max(n[0], n[2]), Y1: max(n[1], n[3])}
}
