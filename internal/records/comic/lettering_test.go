package comicrecords_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"plait/internal/comic"
	"plait/internal/core"
	"plait/internal/raster"
)

// Nothing that lettering needs is lost in the records, so that a page need not be read again.
func TestTheRecordsHaveWhatLetteringNeeds(t *testing.T) {
	f := open(t)
	ctx := t.Context()
	page := f.running(1).Items[0]
	quad := raster.Quad{{0.1, 1. / 3}, {90.7, 1}, {90.7, 8}, {0.1, 8}}
	regions := []comic.Region{{
		Lines: []raster.Quad{quad, quad}, Texts: []string{"は", "い"}, Ruby: []raster.Quad{quad}, Text: "はい", Kind: comic.KindFree,
		Angle: 1. / 3, FontSize: 12.3456789, FG: raster.RGB{1, 2, 3}, BG: raster.White, Direction: comic.Vertical, Alignment: comic.AlignRight,
		SourceLang: "ja", TargetLang: "en", LineSpacing: 1.1, StrokeWidth: 0.07, StrokeColorType: "bg", AdjustBGColor: true, Emphasized: []int{1}, Prob: 0.987654321,
	}, {
		Index: 1, Lines: []raster.Quad{quad}, Texts: []string{""}, Unread: true, Kind: comic.KindEffect, FontSize: 40, Direction: comic.Horizontal,
		Alignment: comic.AlignCenter, SourceLang: "ja", TargetLang: "en",
	}}
	run := runOf(page, comic.StageDetect, 1)
	f.Begin(run)
	require.NoError(t, f.SaveDetect(ctx, run, comic.DetectOutput{Regions: regions}))
	run = runOf(page, comic.StageTranslate, 1)
	f.Begin(run)
	require.NoError(t, f.SaveTranslations(ctx, run, translated("Yes", "")))
	l, err := f.Lettering(ctx, page.TaskID, page.Index)
	require.NoError(t, err)
	require.Equal(t, regions, l.Regions)
	require.Equal(t, []core.Translation{{Index: 0, Text: "Yes"}, {Index: 1}}, l.Translations)
}
