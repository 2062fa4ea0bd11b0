package letter

import (
	"plait/internal/comic"
	"plait/internal/comic/textarea"
)

// Found is what a page shows of its regions, whatever their texts will say: where they may stand, and how the lettering of
// the source looked. It is for the regions that it was found for, in the language that it was found for.
type Found struct {
	areas []*textarea.Area
	// looks are those of the lettering of the source, and slanted whether it was in italics.
	looks   []look
	slanted []bool
}

// Bytes is the memory that it holds.
func (f *Found) Bytes() int64 {
	var size int64
	for _, s := range f.areas {
		size += s.Bytes()
	}
	return size
}

// Find looks at a page for [Page.Found], which serves as long as the erased page is as it is now and the same regions have
// a text. It fails as [Letterer.Draw].
func (l *Letterer) Find(page Page) (*Found, error) {
	t, err := l.target(page.Lang)
	if err != nil {
		return nil, err
	}
	return page.find(t, page.set()), nil
}

func (p Page) find(t target, set []comic.Region) *Found {
	columns := func(r comic.Region) bool { return r.Direction == comic.Vertical && t.ideographic() }
	f := &Found{areas: textarea.Find(p.Erased, set, columns)}
	for _, r := range set {
		f.looks = append(f.looks, findLook(p.Original, p.Erased, r))
		f.slanted = append(f.slanted, isSlanted(p.Original, p.Erased, r))
	}
	f.evenStrokes(set)
	return f
}

// boldStroke is how much wider than usual the strokes of bold lettering are at least. On the hand-lettered pages of three episodes, regular
// dialogue measures up to 1.17, and what is bold 1.2 and more.
const boldStroke = 1.18

// evenStrokes gives what is not bold the strokes of the page's dialogue: the letters of one text are too few to measure. Sounds keep theirs.
func (f *Found) evenStrokes(set []comic.Region) {
	var dialogue []float64
	for i, r := range set {
		if stroke := f.looks[i].stroke; r.Kind == comic.KindDialogue && stroke > 0 {
			dialogue = append(dialogue, stroke)
		}
	}
	usual := median(dialogue)
	for i, r := range set {
		l := &f.looks[i]
		if l.stroke == 0 || r.Kind != comic.KindEffect && l.stroke < boldStroke*usual {
			l.stroke = usual
		}
	}
}
