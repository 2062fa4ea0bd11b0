package letter_test

import (
	"image"
	"image/color"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"plait/internal/comic"
	"plait/internal/comic/letter"
	"plait/internal/raster"
)

// Most bubbles of a page have its common size. A few bubbles with too little room get smaller text, but many of them make the whole page
// smaller.
func TestMostBubblesHaveTheSizeOfThePage(t *testing.T) {
	t.Parallel()
	const said = "I shall come with you."
	sizes := func(bubbles, small int, part float64) (sizes []float64, dialogue float64) {
		page := art(960, 1400)
		var regions []comic.Region
		var texts []string
		for i := range bubbles {
			w, h := 260, 170
			if i < small {
				w, h = int(part*float64(w)), int(part*float64(h))
			}
			box := image.Rect(0, 0, w, h).Add(image.Pt(20+310*(i%3), 20+220*(i/3)))
			oval(page, box)
			regions, texts = append(regions, source(i, box, 0.5, 2)), append(texts, said)
		}
		report := draw(t, page, "en", regions, texts...)
		for _, r := range report.Regions {
			sizes = append(sizes, r.Size)
		}
		return sizes, slices.Max(sizes)
	}
	_, alone := sizes(8, 0, 1)
	few, page := sizes(8, 2, 0.4)
	require.InDelta(t, alone, page, 0.01*alone)
	require.Less(t, few[0], 0.88*page)
	require.Greater(t, few[7], 0.97*page)

	many, page := sizes(8, 5, 0.56)
	require.Less(t, page, 0.98*alone)
	require.Greater(t, many[0], 0.89*page)
	require.Greater(t, many[0], 0.89*many[7])
}

// A text that would almost touch the border of its caption at the size of the page is slightly smaller instead.
func TestATextKeepsItsMarginAtASlightlySmallerSize(t *testing.T) {
	t.Parallel()
	for _, high := range []int{84, 88, 100} {
		page := art(960, 1400)
		var regions []comic.Region
		for i := range 4 {
			box := image.Rect(20, 20, 400, 220).Add(image.Pt(440*(i%2), 240*(i/2)))
			oval(page, box)
			regions = append(regions, source(i, box, 0.5, 2))
		}
		box := image.Rect(100, 700, 380, 700+high)
		caption(page, box)
		regions = append(regions, source(4, box, 0.8, 2))
		const said = "I shall come with you."
		report := draw(t, page, "en", regions, said, said, said, said, "All that it needed now was one little light.")
		set := report.Regions[4]
		require.Greater(t, set.Size, 0.85*report.Regions[0].Size, "%d", high)
		least := 0.3 * set.Cap
		require.Greater(t, float64(min(set.Box.Min.Y-box.Min.Y, box.Max.Y-set.Box.Max.Y)), least, "%d: %q", high, set.Lines)
	}
}

// The size of a page is that of the letters of its source, whatever the boxes of the detector leave around them.
func TestTheSizeOfThePageIsThatOfItsLetters(t *testing.T) {
	t.Parallel()
	const said = "Nobody hid behind the barn."
	size := func(beyond int) float64 {
		bare := art(700, 1400)
		oval(bare, image.Rect(40, 40, 660, 360))
		original := clone(bare)
		area := comic.Area{100, 170, 600, 220}
		r := comic.Region{
			Text: said, Kind: comic.KindDialogue, FontSize: 20, Direction: comic.Horizontal, Alignment: comic.AlignCenter, SourceLang: "en",
			Texts: []string{said}, Lines: []raster.Quad{area.Quad()}, Override: comic.Override{Area: area, Style: comic.Style{Size: 20}},
		}
		r.Lines = []raster.Quad{quadOf(setSource(t, "ComicNeue_400Regular", bare, original, r, said).Inset(-beyond))}
		r.Override = comic.Override{}
		report, err := letterer(t).Draw(t.Context(), letter.Page{
			Erased: clone(bare), Original: original, Regions: []comic.Region{r}, Lang: "fr", Translations: translations([]string{"Personne derrière la grange."}),
		}, letter.DefaultParams())
		require.NoError(t, err)
		return report.Regions[0].Size
	}
	tight, loose := size(2), size(6)
	require.InDelta(t, 20, tight, 2)
	require.InDelta(t, tight, loose, 0.05*tight)
}

// A text that would have to be smaller than its page comes nearer to the edge of its bubble first.
func TestTheSizeOfThePageComesBeforeTheMargin(t *testing.T) {
	t.Parallel()
	bare := art(960, 1400)
	var regions []comic.Region
	texts := make([]string, 9)
	for i := range texts {
		box := image.Rect(0, 0, 260, 170)
		if i == 4 {
			box = image.Rect(0, 0, 140, 86)
		}
		box = box.Add(image.Pt(20+310*(i%3), 20+220*(i/3)))
		oval(bare, box)
		regions = append(regions, source(i, box, 0.5, 2))
		texts[i] = "I shall come with you."
	}
	set := func(p letter.Params) letter.Report {
		page := clone(bare)
		report, err := letterer(t).Draw(t.Context(), letter.Page{
			Erased: page, Original: bare, Regions: regions, Translations: translations(texts), Lang: "en",
		}, p)
		require.NoError(t, err)
		return report
	}
	usual := letter.DefaultParams()
	far := usual
	far.LeastMargin = usual.NarrowMargin
	near, apart := set(usual), set(far)
	require.InDelta(t, apart.Regions[0].Size, near.Regions[0].Size, 1e-9)
	require.Less(t, apart.Regions[4].Size, 0.91*apart.Regions[0].Size)
	require.Greater(t, near.Regions[4].Size, 1.03*apart.Regions[4].Size)
	require.InDelta(t, apart.Regions[0].Size, near.Regions[0].Size, 1e-9)
}

// A footnote in the gutter between two panels is set there, smaller than dialogue in the proportion of its source.
func TestAFootnoteKeepsItsPlaceAndItsSize(t *testing.T) {
	t.Parallel()
	page := art(900, 1200)
	gutter := image.Rect(0, 500, 900, 530)
	for y := gutter.Min.Y; y < gutter.Max.Y; y++ {
		for x := gutter.Min.X; x < gutter.Max.X; x++ {
			page.Set(x, y, color.White)
		}
	}
	var regions []comic.Region
	texts := []string{"I shall come with you.", "You know the way, don't you?", "* See the first episode."}
	for i := range 2 {
		box := image.Rect(40+420*i, 100, 400+420*i, 300)
		oval(page, box)
		regions = append(regions, source(i, box, 0.5, 2))
	}
	note := source(2, gutter, 1, 1)
	note.Text = "＊第一話を参照のこと"
	note.Lines[0] = raster.Quad{{560, 506}, {740, 506}, {740, 525}, {560, 525}}
	before := clone(page)
	report := draw(t, page, "en", append(regions, note), texts...)
	got := report.Regions[2]
	require.Equal(t, letter.Fits, got.Fit)
	require.Len(t, got.Lines, 1)
	require.InDelta(t, 19.0/28, got.Size/report.Regions[0].Size, 0.06)
	for _, p := range changed(before, page) {
		if p.Y > 400 {
			require.True(t, p.In(gutter), "%v", p)
			require.InDelta(t, 650, p.X, 160)
		}
	}
}
