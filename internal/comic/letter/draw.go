package letter

import (
	"context"
	"image"

	"plait/internal/comic/space"
	"plait/internal/pipeline"
)

// maxRunes bounds the text of one region; no bubble holds more.
const maxRunes = 1000

// Draw letters the translations into page, which is original with the lettering erased. Regions with an empty
// translation, or none, are left as they are. It changes page only when it succeeds in laying out every text; it fails
// only when ctx ends. The same input gives the same pixels, on any number of goroutines.
func Draw(ctx context.Context, page, original *image.NRGBA, regions []pipeline.Region, translations []pipeline.Translation,
	lang string, fonts *Fonts, p Params,
) (Report, error) {
	texts := map[int]string{}
	for _, t := range translations {
		texts[t.Index] = t.Text
	}
	var set []pipeline.Region
	for _, r := range regions {
		if texts[r.Index] != "" && len(r.Lines) > 0 {
			set = append(set, r)
		}
	}
	if len(set) == 0 {
		return Report{}, ctx.Err()
	}
	jobs, err := p.layOut(ctx, page, set, texts, lang, fonts)
	if err != nil || len(jobs) == 0 {
		return Report{}, err
	}
	// A strip of panels is as tall as its panels are many: the eye measures lettering by a page of usual proportions.
	height := min(float64(page.Rect.Dy()), 1.5*float64(page.Rect.Dx()))
	report := Report{DialogueSize: p.chooseSizes(jobs, medianSource(set), height)}
	if err := ctx.Err(); err != nil {
		return Report{}, err
	}
	paints := make([]paint, len(jobs))
	for i, j := range jobs { // before drawing: the colors are read from the erased page
		paints[i] = p.choosePaint(j.space, inkColor(original, page, j.region), j.result.size)
	}
	var b brush
	for i, j := range jobs {
		j.result.balance(j.text, j.space)
		box := b.draw(page, j.contours(), paints[i])
		report.Regions = append(report.Regions, Lettered{
			Index: j.region.Index, Size: j.result.size, Cap: j.result.size * j.cap, Lines: j.lines(),
			Fit: j.fit, Bubble: j.space.Bubble, Box: box, Missing: j.missing,
		})
	}
	return report, nil
}

// layOut finds the spaces and shapes the texts.
func (p Params) layOut(ctx context.Context, page *image.NRGBA, set []pipeline.Region, texts map[int]string, lang string,
	fonts *Fonts,
) ([]*job, error) {
	columns := func(r pipeline.Region) bool { return r.Direction == pipeline.Vertical && pipeline.IsCJK(lang) }
	spaces := space.Find(page, set, columns)
	t, median := newTypesetter(), medianSource(set)
	var jobs []*job
	for i, r := range set {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		text := texts[r.Index]
		if runes := []rune(text); len(runes) > maxRunes {
			text = string(runes[:maxRunes])
		}
		if j := p.newJob(t, fonts, r, spaces[i], text, lang, median); j != nil {
			jobs = append(jobs, j)
		}
	}
	return jobs, nil
}
