package regions

import (
	"context"
	"image"
	"slices"

	"plait/internal/comic"
	"plait/internal/comic/readingorder"
	"plait/internal/raster"
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
	lines := slices.DeleteFunc(slices.Clone(p.Lines), func(l Line) bool {
		return l.size() < 1 || !l.Unread && (l.Text == "" || l.Prob < comic.LeastReading)
	})
	found, err := p.group(ctx, withoutRuby(lines, p.Language))
	if err != nil {
		return nil, err
	}
	markKinds(found, p.Image.Rect.Dy(), dialogueSize(found))
	return readingorder.Look(p.Image).Sort(found, p.RightToLeft), ctx.Err()
}

// group joins lines that belong together.
func (p Page) group(ctx context.Context, lines []Line) ([]comic.Region, error) {
	grounds := make([]raster.RGB, len(lines))
	for i := range lines {
		grounds[i], _ = colors(p.Image, lines[i:i+1])
	}
	var found []comic.Region
	for _, members := range join(lines, grounds) {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		group := make([]Line, len(members))
		for i, m := range members {
			group[i] = lines[m]
		}
		f := frameOf(group)
		for _, part := range conjoined(readingOrder(group, f), f) {
			if r := p.build(part); isSaid(r) {
				found = append(found, r)
			}
		}
	}
	return found, nil
}

// Whole makes one region of all lines of p, which a person says are one text. Lines that were read with too little certainty are left out,
// unless no other line is left: then the region is unread. p has at least one line.
func Whole(p Page) comic.Region {
	lines := slices.DeleteFunc(slices.Clone(p.Lines), func(l Line) bool { return l.Text == "" || l.Prob < comic.LeastReading })
	if len(lines) == 0 {
		lines = slices.Clone(p.Lines)
		for i := range lines {
			lines[i].Unread = true
		}
	}
	return p.build(withoutRuby(lines, p.Language))
}
