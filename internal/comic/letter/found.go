package letter

import (
	"slices"

	"plait/internal/comic"
	"plait/internal/comic/readingorder"
	"plait/internal/comic/textarea"
	"plait/internal/raster"
)

// Found is what lettering needs to know about the regions of a page and does not depend on the translations: the text areas, and how the
// lettering of the source looked. It is valid only for the regions and the language that it was found for.
type Found struct {
	areas []*textarea.Area
	// layout is that of the panels of the erased page, where no lettering interrupts a gutter.
	layout *readingorder.Layout
	// looks are the looks of the source lettering.
	looks []look
}

// Bytes returns the memory of the text areas, in bytes.
func (f *Found) Bytes() int64 {
	size := f.layout.Bytes()
	for _, s := range f.areas {
		size += s.Bytes()
	}
	return size
}

// Find computes [Page.Found]. The result is valid as long as the erased page does not change and the same regions have a text. Find fails
// like [Letterer.Draw].
func (l *Letterer) Find(page Page) (*Found, error) {
	t, err := l.target(page.Lang)
	if err != nil {
		return nil, err
	}
	return page.find(t, page.set(), readingorder.Look(page.Erased)), nil
}

// inColumns reports whether a region is set in columns.
func (t target) inColumns(r comic.Region) bool {
	return r.Direction == comic.Vertical && t.ideographic()
}

func (p Page) find(t target, set []comic.Region, layout *readingorder.Layout) *Found {
	f := &Found{layout: layout, areas: textarea.Find(p.Erased, p.Original, layout, slices.Concat(set, p.stays()), t.inColumns)[:len(set)]}
	for _, r := range set {
		f.looks = append(f.looks, findLook(p.Original, p.Erased, r))
	}
	f.evenStrokes(set)
	return f
}

const (
	// boldText is the ratio to the median stroke width of the page from which a text is bold. On hand-lettered pages of three episodes,
	// regular dialogue measures up to 1.10, and bold text 1.12 and more.
	boldText = 1.12
	// boldStroke is that ratio among the lines of one text, with fewer letters: regular lines measure up to 1.17, bold ones from 1.2.
	boldStroke = 1.18
)

// evenStrokes gives all lettering that is not bold the median stroke width of the page's dialogue, because one text has too few letters
// for an exact measurement. Bold lettering has wider strokes in pixels too: a word without tall letters only seems to have, in units of its
// height. Sound effects and shouts keep their own. A shout leans as a whole: few letters may seem to.
func (f *Found) evenStrokes(set []comic.Region) {
	var dialogue, pixels []float64
	for i, r := range set {
		if l := f.looks[i]; r.Kind == comic.KindDialogue && l.stroke > 0 {
			dialogue, pixels = append(dialogue, l.stroke), append(pixels, l.stroke*l.tall)
		}
	}
	usual, pixel := raster.LowerMedian(dialogue), raster.LowerMedian(pixels)
	for i, r := range set {
		l := &f.looks[i]
		if l.shouted = r.Kind == comic.KindDialogue && l.stroke*l.tall > loud*pixel && pixel > 0; l.shouted {
			l.lean, l.emphasis.lean = l.whole, l.whole
			continue
		}
		if l.stroke == 0 || r.Kind != comic.KindEffect && (l.stroke < boldText*usual || l.stroke*l.tall < boldText*pixel) {
			l.stroke = usual
		}
	}
}

// override replaces the text areas and colors that people chose. It returns a copy: f does not depend on their choices.
func (f *Found) override(p Page, t target, set []comic.Region) *Found {
	own := &Found{layout: f.layout, areas: append([]*textarea.Area(nil), f.areas...), looks: append([]look(nil), f.looks...)}
	for i, r := range set {
		if a := r.Override.Area; a != (comic.Area{}) {
			box := raster.Enclosing(a[0], a[1], a[2], a[3])
			own.areas[i] = textarea.Chosen(p.Erased, box, t.inColumns(r))
		}
		if ink, ok := r.Override.Style.Ink(); ok {
			own.looks[i].ink = ink
		}
	}
	return own
}

// chooseStyle sets the style of the job: the one that a person chose, or else the one that was found.
func (j *job) chooseStyle(found Style, f *fonts) {
	chosen := j.region.Override.Style
	j.style = found
	if chosen.Font != "" {
		j.style = Style(chosen.Font)
	}
	slanted := chosen.Italic != nil && *chosen.Italic
	switch {
	case slanted && (j.style == Dialogue || j.style == Narration):
		j.style = Italic
	case chosen.Italic != nil && !slanted && j.style == Italic:
		j.style = Dialogue
	}
	noItalics := f.faces[j.target.script][Italic] == nil
	if j.style == Italic && noItalics && j.target.cased() || slanted && (j.style != Italic || noItalics) {
		j.lean = obliqueLean
	}
}
