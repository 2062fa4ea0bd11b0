package activities

import (
	"context"

	"plait/internal/pipeline"
	"plait/internal/records"
	"plait/internal/translate"
)

// edited are the regions of a page that people have translated before, on this image and into this language, in whatever
// task; the rest has to be asked for.
func (a *Activities) edited(
	ctx context.Context, page pipeline.PageRef, to string, regions []pipeline.Region,
) (kept []pipeline.Translation, rest []pipeline.Region, err error) {
	edits, err := a.records.Edits(ctx, page.Tenant, page.Blob, to)
	if err != nil || len(edits) == 0 {
		return nil, regions, err
	}
	known := make([]records.Region, len(edits))
	for i, e := range edits {
		known[i] = e.Region
	}
	kept, rest = carryOver(known, regions)
	return kept, rest, nil
}

// pairsOf are texts of regions that a model is told, so that what it adds to the page goes with them.
func pairsOf(kept []pipeline.Translation, regions []pipeline.Region) []translate.Pair {
	texts := byIndex(kept)
	var pairs []translate.Pair
	for _, r := range regions {
		if t := texts[r.Index]; t != "" {
			pairs = append(pairs, translate.Pair{Source: r.Text, Translation: t})
		}
	}
	return pairs
}
