package comic_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"plait/internal/comic"
	"plait/internal/core"
	"plait/internal/raster"
)

func TestAnEditOfAnOverrideChangesWhatItNames(t *testing.T) {
	t.Parallel()
	area := comic.Area{1, 2, 30, 40}
	o := comic.Override{}.Edited(comic.OverrideEdit{Area: &area, Kind: new(comic.KindEffect)})
	o = o.Edited(comic.OverrideEdit{Erased: new(true)})
	require.Equal(t, comic.Override{Area: area, Kind: comic.KindEffect, Erased: true}, o)
	o = o.Edited(comic.OverrideEdit{Area: &comic.Area{}, Kind: new(comic.RegionKind("")), Erased: new(false)})
	require.Equal(t, comic.Override{}, o)
	require.True(t, comic.OverrideEdit{}.Empty())
}

func TestOverridesOutOfRangeAreRefused(t *testing.T) {
	t.Parallel()
	for name, e := range map[string]comic.OverrideEdit{
		"kind":      {Kind: new(comic.RegionKind("title"))},
		"flat area": {Area: &comic.Area{0, 0, 100, 7}},
		"reversed":  {Area: &comic.Area{100, 0, 10, 70}},
		"far area":  {Area: &comic.Area{0, 0, 1e300, 70}},
		"font":      {Style: &comic.Style{Font: "serif"}},
		"size":      {Style: &comic.Style{Size: -3}},
		"color":     {Style: &comic.Style{Color: "#12345"}},
		"alignment": {Style: &comic.Style{Alignment: "top"}},
	} {
		require.Equal(t, core.CodeInvalidInput, core.CodeOf(e.Check()), name)
	}
	require.NoError(t, comic.OverrideEdit{Kind: new(comic.RegionKind("")), Area: &comic.Area{}, Style: &comic.Style{}}.Check())
	ink, ok := comic.Style{Color: "#Ff0080"}.Ink()
	require.True(t, ok)
	require.Equal(t, raster.RGB{255, 0, 128}, ink)
	_, ok = comic.Style{}.Ink()
	require.False(t, ok)
}
