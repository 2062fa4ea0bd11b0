package comic

import (
	"context"
	"slices"

	"plait/internal/comic"
	"plait/internal/core"
	"plait/internal/raster"
	comicrecords "plait/internal/records/comic"
	"plait/internal/translate"
)

// edited are the regions of a page that people have translated before, on this image and into this language, in whatever
// task; the rest has to be asked for.
func (a *Activities) edited(
	ctx context.Context, page core.Item, edits []comicrecords.Region, regions []comic.Region,
) (kept []core.Translation, rest []comic.Region, err error) {
	if len(edits) == 0 {
		return nil, regions, nil
	}
	placed, err := a.placed(ctx, page, regions)
	if err != nil {
		return nil, nil, err
	}
	kept, rest = carryOver(edits, placed, false)
	return kept, rest, nil
}

// placed are regions with their places, which the workflow leaves out, as detect recorded them.
func (a *Activities) placed(ctx context.Context, page core.Item, regions []comic.Region) ([]comic.Region, error) {
	if !slices.ContainsFunc(regions, func(r comic.Region) bool { return len(r.Lines) == 0 }) {
		return regions, nil
	}
	recorded, err := a.pages.Regions(ctx, page.TaskID, page.Index)
	if err != nil {
		return nil, err
	}
	boxes := make(map[int][4]float64, len(recorded))
	for _, r := range recorded {
		boxes[r.Index] = r.Box
	}
	placed := slices.Clone(regions)
	for i, r := range placed {
		if b, ok := boxes[r.Index]; ok && len(r.Lines) == 0 {
			placed[i].Lines = []raster.Quad{{{b[0], b[1]}, {b[2], b[1]}, {b[2], b[3]}, {b[0], b[3]}}}
		}
	}
	return placed, nil
}

// pairsOf are texts of regions that a model is told, so that what it adds to the page goes with them.
func pairsOf(kept []core.Translation, regions []comic.Region) []translate.Pair {
	texts := core.TextsByRegion(kept)
	var pairs []translate.Pair
	for _, r := range regions {
		if t := texts[r.Index]; t != "" {
			pairs = append(pairs, translate.Pair{Source: r.Text, Translation: t})
		}
	}
	return pairs
}
