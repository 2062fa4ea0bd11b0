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
		l := findLook(p.Original, p.Erased, r)
		l.stroke = sourceStroke(p.Original, p.Erased, r, l.ink)
		f.looks = append(f.looks, l)
		f.slanted = append(f.slanted, isSlanted(p.Original, p.Erased, r))
	}
	f.evenStrokes(set)
	return f
}

// alikeStroke is the ratio of two widths of strokes up to which they are those of one weight.
const alikeStroke = 1.25

// evenStrokes gives regions whose strokes are about as wide as those of the page's dialogue the same width: the letters of a word or two
// are too few to measure.
func (f *Found) evenStrokes(set []comic.Region) {
	var dialogue []float64
	for i, r := range set {
		if stroke := f.looks[i].stroke; r.Kind == comic.KindDialogue && stroke > 0 {
			dialogue = append(dialogue, stroke)
		}
	}
	usual := median(dialogue)
	for i := range f.looks {
		if l := &f.looks[i]; usual > 0 && (l.stroke == 0 || max(l.stroke/usual, usual/l.stroke) < alikeStroke) {
			l.stroke = usual
		}
	}
}
