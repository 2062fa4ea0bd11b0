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

// edited returns the translations that people chose earlier for this image and language, in any task. The other regions have to be
// translated.
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

// placed returns regions with their places as detect recorded them; the workflow leaves places out.
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
			placed[i].Lines = []raster.Quad{raster.QuadOf(b[0], b[1], b[2], b[3])}
		}
	}
	return placed, nil
}

// pairsOf returns texts and translations of regions for a prompt, so that the translations of the other regions of the page match
// them.
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
