package flow

import (
	"unicode"
	"unicode/utf8"
)

const (
	// initialSize is the least size of a drop capital, relative to the text of the page, and initialRest the largest size of the text beside it,
	// relative to the capital.
	initialSize = 1.8
	initialRest = 0.6
	// besideInitial is the largest gap between a drop capital and the text beside it, in em of the text: the first line may be indented too.
	besideInitial = 1.5
)

// initials puts each drop capital before the word that it begins: the one beside it on its highest line. The lines beside it begin where it
// does. A translation has no drop capital: its first letter is as large as the others.
func (p *plane) initials(words []word) (list []word) {
	for _, w := range words {
		list = append(list, p.splitInitial(w)...)
	}
	for at := 0; at < len(list); at++ {
		initial := list[at]
		if !p.isInitial(initial) {
			continue
		}
		lines := map[float64]bool{}
		first := -1
		for i, w := range list {
			if p.besideInitial(initial, w) {
				lines[w.baseline] = true
				if first < 0 || w.baseline > list[first].baseline {
					first = i
				}
			}
		}
		if len(lines) < 2 {
			continue
		}
		w := &list[first]
		w.glyphs = append(initial.glyphs, w.glyphs...)
		w.box.X0 = initial.box.X0
		p.lowered[initial.glyphs[0]] = true
		p.beside = append(p.beside, initial.box)
		list = append(list[:at], list[at+1:]...)
		at--
	}
	return list
}

// splitInitial divides a word into its drop capital and the rest.
func (p *plane) splitInitial(w word) []word {
	if len(w.glyphs) < 2 {
		return []word{w}
	}
	rest := p.single(w.glyphs[1], p.frame)
	for _, i := range w.glyphs[2:] {
		rest.join(p.single(i, p.frame))
	}
	initial := p.single(w.glyphs[0], p.frame)
	if !p.isInitial(initial) || rest.size > initialRest*initial.size || rest.baseline < initial.baseline+rest.size/2 {
		return []word{w}
	}
	return []word{initial, rest}
}

// isInitial reports whether a word is a letter as large as a drop capital.
func (p *plane) isInitial(w word) bool {
	r, _ := utf8.DecodeRuneInString(p.word(w))
	return len(w.glyphs) == 1 && !p.solid[w.glyphs[0]] && w.size >= initialSize*p.body && unicode.IsLetter(r)
}

// besideInitial reports whether a word begins a line beside a drop capital: beside its ink, for its box reaches over the line above.
func (p *plane) besideInitial(initial, w word) bool {
	gap, top := w.box.X0-initial.box.X1, initial.box.Y1
	if ink := p.page.Glyphs[initial.glyphs[0]].Ink; ink.Y1 > ink.Y0 {
		top = p.frame.BoxIn(ink).Y1
	}
	return w.size <= initialRest*initial.size && gap > -0.5*w.size && gap < besideInitial*w.size &&
		w.baseline > initial.baseline-0.3*w.size && w.baseline+0.5*w.size < top
}

// widen lets the lines beside drop capitals begin where those do, or where the lines below do that are not indented as the first one may be. The
// line below the box of a capital belongs to them if it begins where the one above it does.
func (p *plane) widen(lines []line) {
	left := boxOfLines(lines).X0
	for _, initial := range p.beside {
		begins := initial.X1 + lines[0].size*besideInitial
		for i := range lines {
			l := &lines[i]
			middle, gap, x := l.baseline+0.3*l.size, l.box.X0-initial.X1, l.box.X0
			beside := middle < initial.Y1 && middle > initial.Y0 && gap > -0.5*l.size && gap < besideInitial*l.size
			if !beside && (middle > initial.Y0 || middle < initial.Y0-l.size || !near(x, begins, edgeAlign*l.size)) {
				continue
			}
			begins = x
			if l.box.X0 = initial.X0; initial.X0-left < besideInitial*l.size {
				l.box.X0 = left
			}
		}
	}
}
