// Package flow joins the glyphs of a page to what a reader reads: words, lines, paragraphs and table cells, in reading order.
//
// The geometry of the page decides; the regions that a layout model has found only name what they hold. The steps:
//
//  1. Glyphs become words, in the order in which the page draws them. Text in each direction is read in a frame of its own, in which its
//     baseline runs to the right.
//  2. Tables are taken out (table.go). What is left is cut along its white space into columns and bands, until no cut is left (recursive
//     XY-cut: Nagy and Seth, 1984).
//  3. The words of a column become lines, and lines become paragraphs: by indents, gaps, changes of style and list markers.
//  4. Formulas become markers (formula.go), and the text of a paragraph becomes one line: hyphenation is undone, ligatures are split.
//
// Every visible glyph with a letter is in exactly one block or in one of its formulas.
package flow

import (
	"math"
	"slices"

	"plait/internal/document"
)

// Build returns the layout of a page. Regions are in the user space of the page.
func Build(page document.Page, regions []document.Region) document.Layout {
	b := &builder{page: page, layout: document.Layout{Regions: regions}, solid: map[int]bool{}}
	b.typewritten = b.isTypewritten()
	b.findDrawings()
	b.vertical()
	for _, d := range []document.Direction{0, 90, 270, 180} {
		b.direction(d, regions)
	}
	b.slanted()
	for i, o := range b.inContentOrder(b.blocks) {
		o.block.Index = i
		b.layout.Blocks = append(b.layout.Blocks, o.block)
		b.limits = append(b.limits, o.limit)
	}
	b.rooms()
	return b.layout
}

type builder struct {
	page document.Page
	// blocks are the blocks so far, in the order in which they are found.
	blocks []ordered
	layout document.Layout
	// limits are the areas up to which the blocks of the layout may grow, parallel to them.
	limits []document.Box
	// upright are the glyphs of vertical columns.
	upright map[int]bool
	// typewritten is set for a page in a typewriter face.
	typewritten bool
	// solid are the glyphs that are parts of formulas in any case.
	solid map[int]bool
	// drawings are the areas of charts.
	drawings []document.Box
}

// add adds a block that may grow up to a limit.
func (b *builder) add(block document.Block, limit document.Box) {
	b.blocks = append(b.blocks, ordered{block: block, limit: limit})
}

// direction adds the blocks of the text in one direction.
func (b *builder) direction(d document.Direction, regions []document.Region) {
	words := b.words(d)
	if len(words) == 0 {
		return
	}
	local := make([]document.Region, len(regions))
	for i, r := range regions {
		local[i] = r
		local[i].Box = d.BoxIn(r.Box)
	}
	p := &plane{builder: b, frame: d, regions: local, area: d.BoxIn(b.page.Crop), lowered: map[int]bool{}}
	for _, r := range b.page.Rules {
		p.rules = append(p.rules, d.BoxIn(r.Box))
	}
	p.findDecorations()
	all := boxOf(words)
	p.body, p.bottom, p.left = bodySize(words), all.Y0, all.X0
	words = p.leaders(p.lineNumbers(p.initials(words)))
	words, labels := p.inDrawings(words)
	p.nextTable = b.tableCount()
	rest := p.tables(p.grids(words))
	whole, text := boxOf(rest), d.BoxIn(b.text())
	whole.X1 = max(whole.X1, text.X1)
	p.edge, p.right = whole.X1, whole.X1
	if !p.endsAtEdge() {
		p.right = max(p.edge, p.area.X1-max(text.X0-p.area.X0, leastMargin))
	}
	columns := cut(rest, whole, 0)
	p.findListings(columns)
	for _, column := range columns {
		p.column(column)
	}
	p.drawn(labels)
	p.order()
}

// endsAtEdge reports whether several lines end at the right edge of all text, as those of a column of prose do.
func (p *plane) endsAtEdge() bool {
	n := 0
	for _, c := range p.chunks {
		if p.edge-c.X1 < p.body {
			n++
		}
	}
	return n >= minEdge
}

// leastMargin is the least margin of a page that texts keep free, in points.
const leastMargin = 18.0

// text is the area of all text of the page.
func (b *builder) text() (box document.Box) {
	first := true
	for _, g := range b.page.Glyphs {
		if !g.Hidden && g.Ink.X1 > g.Ink.X0 {
			box = union(box, g.Box, first)
			first = false
		}
	}
	return box
}

// plane is the text of one direction, in its frame.
type plane struct {
	*builder
	frame   document.Direction
	regions []document.Region
	rules   []document.Box
	area    document.Box
	// body is the size of the text, without footnotes and headings, and bottom the lower edge of the lowest text.
	body, bottom float64
	// edge is the right edge of all text, and right that up to which texts may grow: the same if several lines end there, or else the edge of a
	// margin as wide as the left one.
	edge, right float64
	// found are the blocks with the areas up to which they may grow, both in user space, and the box in the frame that orders them.
	found []ordered
	// chunks are the parts of its lines between wide gaps, and left is the left edge of all of them.
	chunks []document.Box
	left   float64
	// decorated are the rules and fills at its text.
	decorated decorations
	// kept are leaders and numbers of lines, which stay as they are.
	kept []ordered
	// dotted are the leaders.
	dotted []leader
	// listings are the runs of lines that are source code.
	listings []typed
	// nextTable is the number of the next table.
	nextTable int
	// drawing is the drawing whose texts are read, from 1; 0 outside of drawings.
	drawing int
	// lowered are the glyphs of drop capitals, and beside their boxes.
	lowered map[int]bool
	beside  []document.Box
}

// bodyShare is the least share of the words of a page that are its text, however many footnotes it has.
const bodyShare = 0.25

// bodySize is the size of the text of a page: the largest that a share of the words has.
func bodySize(words []word) float64 {
	sizes := make([]float64, 0, len(words))
	for _, w := range words {
		sizes = append(sizes, w.size)
	}
	slices.Sort(sizes)
	return sizes[int((1-bodyShare)*float64(len(sizes)-1))]
}

type ordered struct {
	block document.Block
	limit document.Box
	// box orders tables and drawings among columns, and drawing is the one to which the block belongs, from 1.
	box     document.Box
	drawing int
}

func (p *plane) emit(block document.Block, box, limit document.Box) {
	p.found = append(p.found, ordered{block, p.frame.BoxOut(limit), box, p.drawing})
}

// order puts each table and each drawing before the first block that begins below its upper edge in its columns, and keeps the order of the others.
// Tags give another order.
func (p *plane) order() {
	var flowing, apart []ordered
	for _, o := range p.found {
		if o.flows() {
			flowing = append(flowing, o)
		} else {
			apart = append(apart, o)
		}
	}
	for _, group := range together(apart) {
		box := group[0].box
		at := slices.IndexFunc(flowing, func(o ordered) bool { return o.flows() && o.box.Y1 <= box.Y1 && o.box.X0 < box.X1 && o.box.X1 > box.X0 })
		if at < 0 {
			at = len(flowing)
		}
		flowing = slices.Insert(flowing, at, group...)
	}
	flowing = p.inContentOrder(flowing)
	p.markContinued(flowing)
	for _, o := range append(flowing, p.kept...) {
		p.add(o.block, o.limit)
	}
}

// markContinued marks the paragraphs that go on at the top of the next column: the last one of a column, above its footnotes, and the first
// one of the next.
func (p *plane) markContinued(list []ordered) {
	for i := range list {
		next := &list[i].block
		for j := i - 1; j >= 0; j-- {
			before := list[j].block
			if before.Size < 0.9*next.Size {
				continue // a footnote
			}
			jumped := list[i].box.Y1 > list[j].box.Y0 && list[i].box.X0 > list[j].box.X1
			next.Continues = jumped && document.Continues(before, *next)
			break
		}
	}
}

// flows reports whether a block belongs to no table and no drawing.
func (o ordered) flows() bool { return o.block.Cell == nil && o.drawing == 0 }

// beside reports whether two blocks belong to one table or to one drawing.
func (o ordered) beside(b ordered) bool {
	if o.block.Cell == nil || b.block.Cell == nil {
		return o.block.Cell == b.block.Cell && o.drawing == b.drawing
	}
	return o.block.Cell.Table == b.block.Cell.Table
}

// together divides the blocks of tables and drawings by these, in order.
func together(list []ordered) (groups [][]ordered) {
	for _, o := range list {
		if n := len(groups); n > 0 && groups[n-1][0].beside(o) {
			groups[n-1] = append(groups[n-1], o)
			continue
		}
		groups = append(groups, []ordered{o})
	}
	return groups
}

// slanted adds a block for the text at an angle, which is never translated.
func (b *builder) slanted() {
	block := document.Block{Class: document.ClassText, Untranslated: document.ReasonSlanted, Direction: document.Slanted}
	for i, g := range b.page.Glyphs {
		if g.Direction == document.Slanted && !g.Hidden && g.Text != "" {
			block.Text += g.Text
			block.Glyphs = append(block.Glyphs, i)
			block.Size = max(block.Size, g.Size)
			block.Box = union(block.Box, g.Box, len(block.Glyphs) == 1)
		}
	}
	if len(block.Glyphs) > 0 {
		block.Spans = []document.Span{{End: len(block.Text), Style: document.Style{Size: block.Size}}}
		b.add(block, block.Box)
	}
}

func union(a, b document.Box, first bool) document.Box {
	if first {
		return b
	}
	return document.Box{X0: min(a.X0, b.X0), Y0: min(a.Y0, b.Y0), X1: max(a.X1, b.X1), Y1: max(a.Y1, b.Y1)}
}

func overlap(a, b document.Box) float64 {
	return max(0, min(a.X1, b.X1)-max(a.X0, b.X0)) * max(0, min(a.Y1, b.Y1)-max(a.Y0, b.Y0))
}

func area(b document.Box) float64 { return (b.X1 - b.X0) * (b.Y1 - b.Y0) }

// median is the middle of values; 0 without any.
func median(values []float64) float64 {
	if len(values) == 0 {
		return 0
	}
	sorted := slices.Clone(values)
	slices.Sort(sorted)
	return sorted[len(sorted)/2]
}

func near(a, b, tolerance float64) bool { return math.Abs(a-b) <= tolerance }
