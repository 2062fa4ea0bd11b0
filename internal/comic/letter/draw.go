package letter

import (
	"context"
	"image"
	"slices"

	"plait/internal/comic"
	"plait/internal/comic/readingorder"
	"plait/internal/core"
)

// Page is a page to letter.
type Page struct {
	// Erased is the page without the lettering of the regions. Original is the page with it, of the same size.
	Erased, Original *image.NRGBA
	Regions          []comic.Region
	// Annotated are sound effects that stay as drawn and get their translation beside them.
	Annotated []comic.Region
	// Drawn are the other regions that stay as drawn. No text over art is set over these, nor over Regions without a translation.
	Drawn        []comic.Region
	Translations []core.Translation
	// Lang is the language of the translations.
	Lang string
	// Found is the result of [Letterer.Find] for the same regions with a text, or nil.
	Found *Found
}

// texts returns the translations by the index of their region.
func (p Page) texts() map[int]core.Translation {
	texts := map[int]core.Translation{}
	for _, t := range p.Translations {
		texts[t.Index] = t
	}
	return texts
}

// set returns the regions to letter: those with a translation.
func (p Page) set() []comic.Region {
	texts := p.texts()
	var set []comic.Region
	for _, r := range p.Regions {
		if texts[r.Index].Text != "" && len(r.Lines) > 0 {
			set = append(set, r)
		}
	}
	return set
}

// stays returns the regions whose lettering stays as drawn.
func (p Page) stays() []comic.Region {
	texts, all := p.texts(), slices.Concat(p.Annotated, p.Drawn)
	for _, r := range p.Regions {
		if texts[r.Index].Text == "" {
			all = append(all, r)
		}
	}
	return slices.DeleteFunc(all, func(r comic.Region) bool { return len(r.Lines) == 0 })
}

// Draw letters the translations into p.Erased. It leaves regions without a translation, or with an empty one, as they are. It changes the
// page only after all texts are laid out. Draw fails if ctx ends, and with CodeModelMissing if a file of the language or a font is missing
// or damaged. The same input gives the same pixels on any number of goroutines.
func (l *Letterer) Draw(ctx context.Context, page Page, p Params) (Report, error) {
	jobs, report, err := l.layOut(ctx, page, p)
	if err != nil || len(jobs) == 0 {
		return Report{}, err
	}
	paints := make([]paint, len(jobs))
	for i, j := range jobs { // before drawing, because texts may overlap
		paints[i] = p.choosePaint(j, page.Erased)
	}
	for _, sounds := range []bool{true, false} { // dialogue is drawn over sound effects
		for i, j := range jobs {
			if (j.style == Effect) == sounds {
				report.Regions[i].Box = paints[i].draw(page.Erased, j.contours())
			}
		}
	}
	return report, nil
}

// LayOut returns the report of [Letterer.Draw] without drawing anything, so the boxes are empty.
func (l *Letterer) LayOut(ctx context.Context, page Page, p Params) (Report, error) {
	_, report, err := l.layOut(ctx, page, p)
	return report, err
}

func (l *Letterer) layOut(ctx context.Context, page Page, p Params) ([]*job, Report, error) {
	t, err := l.target(page.Lang)
	if err != nil {
		return nil, Report{}, err
	}
	jobs, median, err := l.prepare(ctx, page, t, p)
	if err != nil || len(jobs) == 0 {
		return nil, Report{}, err
	}
	p.chooseSizes(jobs, median, page.height())
	var report Report
	for _, j := range jobs {
		j.result.alignWithSource(j.area)
		if j.cut {
			j.fit = Cut
		}
		report.Regions = append(report.Regions, Lettered{
			Room: j.room(), Index: j.region.Index, Size: j.result.size, Cap: j.result.size * j.cap, Lines: j.lines(),
			Fit: j.fit, Style: j.style, Bubble: j.area.Bubble, Missing: j.missing,
		})
	}
	return jobs, report, ctx.Err()
}

// height returns the height of a page of usual proportions. The size of lettering is relative to it, as a strip is as tall as it has panels.
func (p Page) height() float64 {
	return min(float64(p.Erased.Rect.Dy()), 1.5*float64(p.Erased.Rect.Dx()))
}

// prepare finds the text areas and shapes the texts. It also returns the median size of the page's source texts.
func (l *Letterer) prepare(ctx context.Context, page Page, tgt target, p Params) ([]*job, float64, error) {
	set, texts := page.set(), page.texts()
	if len(set)+len(page.Annotated) == 0 {
		return nil, 0, ctx.Err()
	}
	found := page.Found
	if found == nil {
		found = page.find(tgt, set, readingorder.Look(page.Erased))
	}
	found = found.override(page, tgt, set)
	t, median := newTypesetter(), medianSource(append(set[:len(set):len(set)], page.Annotated...))
	own := len(set)
	if notes := page.annotations(found, set, median); len(notes) > 0 {
		more := page.find(tgt, notes, found.layout)
		set, found.areas, found.looks = append(set, notes...), append(found.areas, more.areas...), append(found.looks, more.looks...)
	}
	var jobs []*job
	for i, r := range set {
		if err := ctx.Err(); err != nil {
			return nil, 0, err
		}
		said := texts[r.Index]
		j := &job{region: r, target: tgt, area: found.areas[i], look: found.looks[i], said: said.Text, terms: said.Terms}
		if i >= own {
			j.said, j.note = r.Text, true
		}
		some, err := p.shape(t, l.fonts, j, median)
		if err != nil {
			return nil, 0, err
		}
		if some {
			jobs = append(jobs, j)
		}
	}
	return jobs, median, nil
}
