package embed

import (
	"encoding/binary"
	"fmt"
	"math"

	"plait/internal/document"
)

// component is a glyph of a subset at a place in another one, in units of the face.
type component struct {
	glyph  int
	dx, dy int16
}

// Flags of the components of a glyph (OpenType 1.9, glyf), and of the format of loca.
const (
	argsAreWords    = 1 << 0
	argsAreOffsets  = 1 << 1
	moreComponents  = 1 << 5
	longOffsets     = 1
	maxComponents   = 16 // of a glyph
	maxNesting      = 4
	headerLength    = 10 // of a glyph: the number of contours, and its box
	offsetFormatAt  = 50 // in head
	componentsAt    = 28 // in maxp, followed by the depth
	compositePoints = 10 // in maxp, followed by the contours
)

// place converts an offset in em to units of the face.
func (m *metrics) place(em float64) int16 {
	return int16(min(max(math.Round(em*1000/m.scale), math.MinInt16), math.MaxInt16))
}

// marked returns the glyphs that the marks need after those of the codes, and the components of the glyphs with marks, by code.
func (f *Face) marked() (ids []uint16, joined map[int][]component) {
	joined = map[int][]component{}
	at := map[uint16]int{}
	number := func(id uint16) int {
		if _, known := at[id]; !known {
			at[id] = len(f.glyphs) + len(ids)
			ids = append(ids, id)
		}
		return at[id]
	}
	for code, g := range f.glyphs {
		if g.marks == "" {
			continue
		}
		joined[code] = []component{{glyph: number(g.id)}}
		for _, m := range f.marks[g.marks] {
			joined[code] = append(joined[code], component{number(uint16(m.ID)), f.metric.place(m.X), f.metric.place(m.Y)})
		}
	}
	return ids, joined
}

// parts returns the key of marks. Marks whose places are the same in units of the face have the same key.
func (f *Face) parts(marks []document.Mark) string {
	key := ""
	for _, m := range marks[:min(len(marks), maxComponents-1)] {
		key += fmt.Sprintf("%d %d %d ", m.ID, f.metric.place(m.X), f.metric.place(m.Y))
	}
	if f.marks[key] == nil {
		f.marks[key] = marks[:min(len(marks), maxComponents-1)]
	}
	return key
}

// join replaces glyphs of a TrueType subset by composite ones.
func join(tables map[string][]byte, joined map[int][]component) error {
	if len(joined) == 0 {
		return nil
	}
	glyphs, err := outlines(tables)
	if err != nil {
		return err
	}
	whole := append([][]byte{}, glyphs...)
	for code, parts := range joined {
		whole[code] = composite(glyphs, parts)
	}
	var glyf, loca []byte
	for _, glyph := range whole {
		loca = binary.BigEndian.AppendUint32(loca, uint32(len(glyf)))
		glyf = append(glyf, glyph...)
		for len(glyf)%4 != 0 {
			glyf = append(glyf, 0)
		}
	}
	tables["glyf"], tables["loca"] = glyf, binary.BigEndian.AppendUint32(loca, uint32(len(glyf)))
	binary.BigEndian.PutUint16(tables["head"][offsetFormatAt:], longOffsets)
	maxp := tables["maxp"]
	for at, most := range map[int]uint16{componentsAt: maxComponents, componentsAt + 2: maxNesting, compositePoints: 2000, compositePoints + 2: 200} {
		binary.BigEndian.PutUint16(maxp[at:], max(binary.BigEndian.Uint16(maxp[at:]), most))
	}
	return nil
}

// outlines divides glyf into its glyphs.
func outlines(tables map[string][]byte) (glyphs [][]byte, err error) {
	head, loca, glyf := tables["head"], tables["loca"], tables["glyf"]
	if len(head) < offsetFormatAt+2 || len(tables["maxp"]) < componentsAt+4 {
		return nil, fmt.Errorf("the face has no TrueType outlines")
	}
	width, scale := 2, 2
	if binary.BigEndian.Uint16(head[offsetFormatAt:]) == longOffsets {
		width, scale = 4, 1
	}
	offset := func(i int) int {
		if width == 4 {
			return int(binary.BigEndian.Uint32(loca[i*width:]))
		}
		return int(binary.BigEndian.Uint16(loca[i*width:])) * scale
	}
	for i := range len(loca)/width - 1 {
		from, to := offset(i), offset(i+1)
		if from > to || to > len(glyf) {
			return nil, fmt.Errorf("glyph %d of the face has no outline", i)
		}
		glyphs = append(glyphs, glyf[from:to])
	}
	return glyphs, nil
}

// composite is a glyph that consists of others. It is empty if they are.
func composite(glyphs [][]byte, parts []component) []byte {
	box := [4]int16{math.MaxInt16, math.MaxInt16, math.MinInt16, math.MinInt16}
	var drawn []component
	for _, p := range parts {
		if p.glyph >= len(glyphs) || len(glyphs[p.glyph]) < headerLength {
			continue
		}
		drawn = append(drawn, p)
		side := func(i int) int16 { return int16(binary.BigEndian.Uint16(glyphs[p.glyph][2+2*i:])) }
		box[0], box[1] = min(box[0], side(0)+p.dx), min(box[1], side(1)+p.dy)
		box[2], box[3] = max(box[2], side(2)+p.dx), max(box[3], side(3)+p.dy)
	}
	if len(drawn) == 0 {
		return nil
	}
	b := binary.BigEndian.AppendUint16(nil, 0xFFFF) // no contours of its own
	for _, side := range box {
		b = binary.BigEndian.AppendUint16(b, uint16(side))
	}
	for i, p := range drawn {
		flags := uint16(argsAreWords | argsAreOffsets)
		if i < len(drawn)-1 {
			flags |= moreComponents
		}
		for _, field := range []uint16{flags, uint16(p.glyph), uint16(p.dx), uint16(p.dy)} {
			b = binary.BigEndian.AppendUint16(b, field)
		}
	}
	return b
}
