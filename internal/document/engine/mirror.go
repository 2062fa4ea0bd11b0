package engine

import (
	"maps"
	"math"
	"slices"

	"plait/internal/document"
)

// mirror is a table whose columns change sides, because the language of its source and that of the translation are written in different
// directions. Its area, that of its text, and its middle are in the frame of its direction.
type mirror struct {
	page      *document.Page
	direction document.Direction
	area      document.Box
	text      document.Box
	middle    float64
	// cells are the positions of its cells among the blocks, and texts is how many texts stand at a place.
	cells []int
	texts map[place]int
	// columns are the boxes of what moves with its column.
	columns map[column]document.Box
	// clips are the areas that clip parts of the table, in the frame.
	clips []document.Box
	// moves are those of its rules and fills.
	moves []document.Move
}

// place is a row and a column.
type place struct{ row, column int }

const (
	// mirrorSlack is how far two lines may be from each other, in points, to be the images of each other.
	mirrorSlack = 1.5
	// mirrorNear is how far the rules above and below a table may be from its rows, in points.
	mirrorNear = 6.0
	// mirrorMargin is how far the rules around a table may be from its columns, in points.
	mirrorMargin = 36.0
)

// mirrors returns the tables of a page whose columns change sides in a language that is written from right to left, or in one that is not:
// everything that stands between them can be moved, or looks the same on the other side.
func mirrors(page *document.Page, blocks []Translated, leftward bool) (list []*mirror) {
	tables := map[int][]int{}
	for i, b := range blocks {
		if b.Cell != nil {
			tables[b.Cell.Table] = append(tables[b.Cell.Table], i)
		}
	}
	for _, cells := range tables {
		m := &mirror{page: page, direction: blocks[cells[0]].Direction, cells: cells, texts: map[place]int{}, columns: map[column]document.Box{}}
		if m.leftward(blocks) != leftward && m.find(blocks) {
			list = append(list, m)
		}
	}
	slices.SortFunc(list, func(a, b *mirror) int { return a.cells[0] - b.cells[0] })
	return list
}

// leftward reports whether most texts of the source are written from right to left.
func (m *mirror) leftward(blocks []Translated) bool {
	balance := 0
	for _, i := range m.cells {
		switch b := blocks[i]; {
		case b.RightToLeft:
			balance++
		case b.Untranslated == "":
			balance--
		}
	}
	return balance > 0
}

// find finds the area and the middle of the table, and the moves; it returns false for a table that stays as it is.
func (m *mirror) find(blocks []Translated) bool {
	own, decorations := map[int]bool{}, map[document.Op]bool{}
	translated := false
	for n, i := range m.cells {
		b := blocks[i]
		if b.Direction != m.direction || b.stands() {
			return false
		}
		own[i] = true
		m.texts[place{b.Cell.Row, b.Cell.Column}]++
		m.area = joined(m.area, m.in(b.Cell.Area), n == 0)
		if b.Untranslated != document.ReasonEmpty {
			m.text = joined(m.text, m.in(b.Box), m.text == document.Box{})
		}
		translated = translated || b.Translation != ""
		for _, at := range b.Rules {
			decorations[m.page.Rules[at].Op] = true
		}
		for _, at := range b.Fills {
			decorations[m.page.Fills[at].Op] = true
		}
	}
	for i, b := range blocks {
		if !own[i] && b.Untranslated != document.ReasonEmpty && m.in(b.Box).Overlap(m.area) > 0 {
			return false
		}
	}
	for _, b := range slices.Concat(m.page.Fixed, m.page.Notes, m.page.Images) {
		if box := m.in(b); touches(box, m.area) && !holds(box, m.text) {
			return false
		}
	}
	for _, i := range m.cells {
		if b := blocks[i].Block; m.keepsColumn(b) {
			box, known := m.columns[columnOf(b)]
			m.columns[columnOf(b)] = joined(box, m.in(b.Box), !known)
		}
	}
	m.middle = m.center()
	for _, b := range m.page.Clips {
		if b = m.in(b); b.X0 > m.text.X0 || b.X1 < m.text.X1 {
			m.clips = append(m.clips, b)
		}
	}
	return translated && m.paint(decorations)
}

// changes reports whether a cell gets another text. It is drawn where it is seen whole, while glyphs that move stay in their clipping area.
func changes(b Translated) bool { return b.Translation != "" && b.Translation != b.Text }

// stands reports whether a cell stays where it is: what is part of a picture cannot be moved.
func (t Translated) stands() bool {
	return !changes(t) && t.Untranslated != document.ReasonEmpty && len(t.Glyphs) == 0 && len(t.Formulas) == 0
}

// clipped reports whether what stands in a box cannot be seen on the other side.
func (m *mirror) clipped(box document.Box) bool {
	return slices.ContainsFunc(m.clips, func(c document.Box) bool { return c.Overlap(box) > 0 })
}

func (m *mirror) in(b document.Box) document.Box { return m.direction.BoxIn(b) }

// center is the middle of the widest rules and fills of the table, or else that of all of them, or of its columns without any.
func (m *mirror) center() float64 {
	frame, found := document.Box{}, false
	all, painted := document.Box{}, false
	add := func(b document.Box) {
		if b = m.in(b); !m.within(b) {
			return
		}
		if b.X0 < m.text.X0+mirrorSlack && b.X1 > m.text.X1-mirrorSlack {
			frame, found = joined(frame, b, !found), true
		}
		if touches(b, m.area) {
			all, painted = joined(all, b, !painted), true
		}
	}
	for _, r := range m.page.Rules {
		add(r.Box)
	}
	for _, f := range m.page.Fills {
		add(f.Box)
	}
	switch {
	case found:
	case painted && all.X0 < m.text.X0+mirrorSlack && all.X1 > m.text.X1-mirrorSlack:
		frame = all
	default:
		frame = m.area
	}
	return (frame.X0 + frame.X1) / 2
}

// within reports whether a box in the frame belongs to the table: it is in its area with a margin.
func (m *mirror) within(b document.Box) bool {
	return holds(document.Box{
		X0: m.area.X0 - mirrorMargin, Y0: m.area.Y0 - mirrorMargin, X1: m.area.X1 + mirrorMargin, Y1: m.area.Y1 + mirrorMargin,
	}, b)
}

// apart reports whether a box in the frame stands above or below the table, such as the bullet of a list.
func (m *mirror) apart(b document.Box) bool {
	return b.Y0 > m.area.Y1+mirrorNear || b.Y1 < m.area.Y0-mirrorNear
}

// spanned reports whether a box in the frame runs past the table on both sides and belongs to something larger, such as a frame around the page.
func (m *mirror) spanned(b document.Box) bool {
	return b.X0 <= m.text.X0 && b.X1 >= m.text.X1 && !m.within(b)
}

// flip is the distance by which a box in the frame moves to the other side.
func (m *mirror) flip(b document.Box) float64 { return 2*m.middle - b.X0 - b.X1 }

// painted is what one operator paints of rules and fills, in the frame.
type painted struct {
	box   document.Box
	parts []document.Box
	move  document.Move
}

// paintings are the rules and fills of the page by their operators, but for those that follow a text.
func (m *mirror) paintings(decorations map[document.Op]bool) map[document.Op]*painted {
	list := map[document.Op]*painted{}
	add := func(op document.Op, box document.Box) *painted {
		if decorations[op] {
			return &painted{}
		}
		if list[op] == nil {
			list[op] = &painted{box: m.in(box)}
		}
		p := list[op]
		p.box, p.parts = p.box.Union(m.in(box)), append(p.parts, m.in(box))
		return p
	}
	for i, r := range m.page.Rules {
		p := add(r.Op, r.Box)
		p.move.Rules = append(p.move.Rules, i)
	}
	for i, f := range m.page.Fills {
		p := add(f.Op, f.Box)
		p.move.Fills = append(p.move.Fills, i)
	}
	return list
}

// paint finds the moves of rules and fills; false if one of them cannot be moved.
func (m *mirror) paint(decorations map[document.Op]bool) bool {
	list := m.paintings(decorations)
	for _, op := range slices.Sorted(maps.Keys(list)) {
		p := list[op]
		by, beside := m.flip(p.box), p.box.X1 <= m.text.X0 || p.box.X0 >= m.text.X1 || p.box.Y1 <= m.area.Y0 || p.box.Y0 >= m.area.Y1
		if math.Abs(by) <= mirrorSlack {
			by = 0
		}
		switch {
		case beside && (by == 0 || !m.within(p.box) || m.apart(p.box)), len(p.parts) == 1 && (by == 0 || holds(p.box, m.area) || m.spanned(p.box)):
		case !m.within(p.box) || !m.symmetric(p.parts, by) || by != 0 && m.clipped(p.box):
			return false
		case by != 0:
			m.moves = append(m.moves, m.moved(p.move, by))
		}
	}
	return true
}

// symmetric reports whether the parts of a painting that moves by a distance look as if they had changed sides.
func (m *mirror) symmetric(parts []document.Box, by float64) bool {
	for _, part := range parts {
		at := part.Moved(by, 0)
		if !slices.ContainsFunc(parts, func(o document.Box) bool { return same(o.Moved(m.flip(o), 0), at) }) {
			return false
		}
	}
	return true
}

// moved is a move by a distance in the frame.
func (m *mirror) moved(move document.Move, by float64) document.Move {
	move.DX, move.DY = m.direction.Out(by, 0)
	return move
}

// shift is how far a cell moves in the frame. Texts that begin on the left begin on the right then, and what is centered or stands with others in
// one cell changes sides; all else moves as far as what stands in its column, so that numbers stay below each other.
func (m *mirror) shift(b document.Block) float64 {
	if m.keepsColumn(b) {
		return m.flip(m.columns[columnOf(b)])
	}
	return m.flip(m.in(b.Box))
}

// keepsColumn reports whether a cell moves with its column.
func (m *mirror) keepsColumn(b document.Block) bool {
	begins := b.Untranslated == "" && (b.Align == document.AlignStart || b.Align == document.AlignJustify || b.Align == "")
	return !begins && b.Align != document.AlignCenter && b.Untranslated != document.ReasonEmpty && m.texts[place{b.Cell.Row, b.Cell.Column}] == 1
}

// column is the number of a column, and how many columns a cell has.
type column struct{ number, span int }

func columnOf(b document.Block) column { return column{b.Cell.Column, b.Cell.ColumnSpan} }

// cell returns a cell at its place on the other side. Its room is on the other side, too. The formulas move with their text.
func (m *mirror) cell(b document.Block) document.Block {
	dx, dy := m.direction.Out(m.shift(b), 0)
	b.Box = b.Box.Moved(dx, dy)
	b.Baseline = document.Point{X: b.Baseline.X + dx, Y: b.Baseline.Y + dy}
	room := m.in(b.Room)
	room.X0, room.X1 = 2*m.middle-room.X1, 2*m.middle-room.X0
	b.Room = m.direction.BoxOut(room).Union(b.Box)
	switch {
	case b.RightToLeft:
		b.RightToLeft = false
	case b.Align == document.AlignStart || b.Align == "":
		b.Align = document.AlignEnd
	}
	return b
}

// blocks returns the blocks with the cells on their other sides.
func (m *mirror) blocks(blocks []Translated) []Translated {
	mirrored := slices.Clone(blocks)
	for _, i := range m.cells {
		mirrored[i].Block = m.cell(blocks[i].Block)
	}
	for _, i := range m.cells {
		if changes(mirrored[i]) {
			m.clear(&mirrored[i].Block, mirrored)
		}
	}
	return mirrored
}

// clear takes what stands beside a cell on its other side out of its room: the cells of a column need not be as far from their borders there as they
// were, because numbers stay below each other.
func (m *mirror) clear(b *document.Block, blocks []Translated) {
	box, room := m.in(b.Box), m.in(b.Room)
	for _, i := range m.cells {
		other := m.in(blocks[i].Box)
		switch {
		case blocks[i].Index == b.Index || blocks[i].Untranslated == document.ReasonEmpty || other.Overlap(room) == 0:
		case other.X1 <= box.X0:
			room.X0 = max(room.X0, min(other.X1+mirrorSlack, box.X0))
		case other.X0 >= box.X1:
			room.X1 = min(room.X1, max(other.X0-mirrorSlack, box.X1))
		}
	}
	b.Room = m.direction.BoxOut(room)
}

// failed reports whether a cell that gets another text has none.
func (m *mirror) failed(blocks []Translated, edit document.Edit) bool {
	return slices.ContainsFunc(m.cells, func(i int) bool { return changes(blocks[i]) && !draws(edit, blocks[i].Index) })
}

// draws reports whether an edit has a text for a block.
func draws(edit document.Edit, block int) bool {
	return slices.ContainsFunc(edit.Texts, func(t document.Text) bool { return t.Block == block })
}

// add adds the moves to an edit: of rules and fills, and of the cells that are not among its texts, with their links.
func (m *mirror) add(edit *document.Edit, blocks []Translated) {
	edit.Moves = append(edit.Moves, m.moves...)
	for _, i := range m.cells {
		b := blocks[i]
		if draws(*edit, b.Index) {
			continue
		}
		move := document.Move{Glyphs: slices.Clone(b.Glyphs), Rules: slices.Clone(b.Rules), Fills: b.Fills}
		for _, f := range b.Formulas {
			move.Glyphs, move.Rules = append(move.Glyphs, f.Glyphs...), append(move.Rules, f.Rules...)
		}
		for _, span := range b.Spans {
			if span.Link > 0 && !slices.Contains(move.Links, span.Link-1) {
				move.Links = append(move.Links, span.Link-1)
			}
		}
		if by := m.shift(b.Block); by != 0 && len(move.Glyphs) > 0 {
			edit.Moves = append(edit.Moves, m.moved(move, by))
		}
	}
}

func joined(a, b document.Box, first bool) document.Box {
	if first {
		return b
	}
	return a.Union(b)
}

// touches reports whether two boxes have a point in common. A line may have no area.
func touches(a, b document.Box) bool {
	return a.X0 <= b.X1 && a.X1 >= b.X0 && a.Y0 <= b.Y1 && a.Y1 >= b.Y0
}

// holds reports whether a box holds another one.
func holds(a, b document.Box) bool {
	return b.X0 >= a.X0 && b.X1 <= a.X1 && b.Y0 >= a.Y0 && b.Y1 <= a.Y1
}

// same reports whether two boxes are in one place.
func same(a, b document.Box) bool {
	return math.Abs(a.X0-b.X0) <= mirrorSlack && math.Abs(a.X1-b.X1) <= mirrorSlack && math.Abs(a.Y0-b.Y0) <= mirrorSlack && math.Abs(a.Y1-b.Y1) <= mirrorSlack
}
