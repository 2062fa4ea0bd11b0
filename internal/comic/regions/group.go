package regions

import (
	"context"
	"image"
	"slices"

	"plait/internal/comic"
	"plait/internal/comic/readingorder"
)

// Page is a page with the lines to group into regions.
type Page struct {
	Image *image.NRGBA
	Lines []Line
	// Language is the language of the texts as a canonical BCP 47 tag.
	Language string
	// RightToLeft says that panels and bubbles side by side are read from right to left.
	RightToLeft bool
}

// Group joins the lines of a page into regions, in reading order. The lines of each region are in reading order, too. It fails only when
// ctx ends.
func Group(ctx context.Context, p Page) ([]comic.Region, error) {
	b := builder{img: p.Image, language: p.Language}
	lines := slices.DeleteFunc(slices.Clone(p.Lines), func(l Line) bool {
		return l.size() < 1 || !l.Unread && (l.Text == "" || l.Prob < comic.LeastReading)
	})
	found, err := b.group(ctx, withoutRuby(lines, p.Language))
	if err != nil {
		return nil, err
	}
	markKinds(found, p.Image.Rect.Dy(), dialogueSize(found))
	return readingorder.Look(p.Image).Sort(found, p.RightToLeft), ctx.Err()
}

// builder makes the regions of one page.
type builder struct {
	img      *image.NRGBA
	language string
}

// group joins lines that belong together.
func (b builder) group(ctx context.Context, lines []Line) ([]comic.Region, error) {
	palettes := make([]palette, len(lines))
	for i, l := range lines {
		palettes[i] = measure(b.img, []Line{l})
	}
	var found []comic.Region
	for _, members := range join(lines, palettes) {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		group := make([]Line, len(members))
		for i, m := range members {
			group[i] = lines[m]
		}
		f := frameOf(group)
		for _, part := range conjoined(readingOrder(group, f), f) {
			if r := b.build(part); isSaid(r) {
				found = append(found, r)
			}
		}
	}
	return found, nil
}

// Whole makes one region of all lines of p, which a person says are one text. Lines that were read with too little certainty are left out,
// unless no other line is left: then the region is unread. p has at least one line.
func Whole(p Page) comic.Region {
	b := builder{img: p.Image, language: p.Language}
	lines := slices.DeleteFunc(slices.Clone(p.Lines), func(l Line) bool { return l.Text == "" || l.Prob < comic.LeastReading })
	if len(lines) == 0 {
		lines = slices.Clone(p.Lines)
		for i := range lines {
			lines[i].Unread = true
		}
	}
	return b.build(withoutRuby(lines, p.Language))
}
