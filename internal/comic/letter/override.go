package letter

import (
	"plait/internal/comic"
	"plait/internal/comic/textarea"
	"plait/internal/raster"
)

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
			if own.looks[i].width > 0 && raster.Contrast(ink, own.looks[i].rim) < leastRimContrast {
				own.looks[i].rim = raster.Opposite(ink)
			}
		}
	}
	return own
}

// leastRimContrast is the least contrast of a chosen color with the outline of the source, which otherwise becomes black or white.
const leastRimContrast = 2

// chooseStyle sets the style of the job: the one that a person chose, or else the one that was found.
func (j *job) chooseStyle(found Style, f *fonts) {
	chosen := j.region.Override.Style
	j.style = found
	if chosen.Font != "" {
		j.style = Style(chosen.Font)
	}
	upright := chosen.Italic != nil && !*chosen.Italic
	slanted := chosen.Italic != nil && *chosen.Italic
	if upright && j.style == Italic {
		j.style = Dialogue
	}
	if slanted && (j.style == Dialogue || j.style == Narration) {
		j.style = Italic
	}
	noItalics := f.faces[j.target.script][Italic] == nil
	if j.style == Italic && noItalics && j.target.cased() || slanted && (j.style != Italic || noItalics) {
		j.lean = obliqueLean
	}
}
