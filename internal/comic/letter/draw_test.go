package letter_test

import (
	"context"
	"image"
	"image/color"
	"math"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"plait/internal/comic"
	"plait/internal/comic/letter"
	"plait/internal/core"
	"plait/internal/raster"
)

func TestLetteringStaysInsideItsBubble(t *testing.T) {
	t.Parallel()
	box := image.Rect(60, 60, 360, 220)
	for _, text := range []string{
		"Hi!", "I must've... must've accidentally fallen asleep!",
		"It is a truth universally acknowledged, that a single man in possession of a good fortune, must be in want of a wife.",
	} {
		page := art(420, 1200)
		oval(page, box)
		before := clone(page)
		report := draw(t, page, "en", []comic.Region{source(0, box, 0.5, 2)}, text)
		require.True(t, report.Regions[0].Bubble)
		least := math.Inf(1)
		for _, p := range changed(before, page) {
			dx, dy := float64(p.X)-209.5, float64(p.Y)-139.5
			require.LessOrEqual(t, math.Hypot(dx/150, dy/80), 1.0, "%q at %v", text, p)
			least = min(least, (1-math.Hypot(dx/150, dy/80))*80)
		}
		require.Greater(t, least, 0.3*report.Regions[0].Cap, "%q: margin", text)
	}
}

func TestLetteringIsCentered(t *testing.T) {
	t.Parallel()
	box := image.Rect(60, 60, 360, 220)
	page := art(420, 1200)
	oval(page, box)
	got := draw(t, page, "en", []comic.Region{source(0, box, 0.4, 2)}, "Let the games begin!").Regions[0].Box
	require.InDelta(t, 210, float64(got.Min.X+got.Max.X)/2, 2)
	require.InDelta(t, 140, float64(got.Min.Y+got.Max.Y)/2, 2)
}

func TestDialogueSharesOneSizeAndShoutsAreLarger(t *testing.T) {
	t.Parallel()
	page := art(700, 1200)
	var regions []comic.Region
	texts := []string{"Short one.", "A line that is a good deal longer than that.", "And this is a third.", "WHAT?!"}
	for i := range texts {
		box := image.Rect(60, 40+200*i, 400, 200+200*i)
		oval(page, box)
		regions = append(regions, source(i, box, 0.5, 2))
	}
	for k := range regions[3].Lines {
		q := &regions[3].Lines[k]
		q[2][1], q[3][1] = q[0][1]+56, q[0][1]+56
	}
	report := draw(t, page, "en", regions, texts...)
	for _, r := range report.Regions[:3] {
		require.InDelta(t, report.Regions[0].Size, r.Size, 0.01)
	}
	require.Greater(t, report.Regions[3].Size, 1.5*report.Regions[0].Size)
}

func TestTextThatCannotFitOverflows(t *testing.T) {
	t.Parallel()
	box := image.Rect(60, 60, 160, 110)
	page := art(300, 1200)
	oval(page, box)
	got := draw(t, page, "en", []comic.Region{source(0, box, 0.6, 1)}, strings.Repeat("Far too much to say. ", 12)).Regions[0]
	require.Equal(t, letter.Overflow, got.Fit)
	require.NotEmpty(t, got.Lines)
}

// A text somewhat below the least size of dialogue can still be read. Below that it overflows.
func TestATextFitsDownToALegibleSize(t *testing.T) {
	t.Parallel()
	floor, below := 1400*letter.DefaultParams().Floor, 0
	for wide := 60; wide < 140; wide += 4 {
		box := image.Rect(60, 60, 60+wide, 120)
		page := art(960, 1400)
		oval(page, box)
		got := draw(t, page, "en", []comic.Region{source(0, box, 0.6, 1)}, "Unquestionable").Regions[0]
		require.Equal(t, got.Cap < 0.88*floor, got.Fit == letter.Overflow, "%d: %v of %v", wide, got.Cap, floor)
		if got.Cap < 0.97*floor && got.Fit == letter.Fits {
			below++
		}
	}
	require.NotZero(t, below)
}

// A word is hyphenated before the text becomes small, and not for a slightly greater size.
func TestAWordThatDoesNotFitIsDividedWhereItsLanguageAllows(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		width int
		text  string
		lines []string
	}{
		{116, "Die Straßenbahnhaltestelle!", []string{"DIE STRASSEN-", "BAHNHALTESTELLE!"}},
		{50, "Die Haltestelle!", []string{"DIE", "HALTE-", "STELLE!"}},
		{92, "Die Haltestelle!", []string{"DIE", "HALTESTELLE!"}},
	} {
		box := image.Rect(60, 60, 60+c.width, 300)
		page := art(300, 1200)
		oval(page, box)
		got := draw(t, page, "de", []comic.Region{source(0, box, 0.6, 3)}, c.text).Regions[0]
		require.Equal(t, letter.Fits, got.Fit, "%s: %v", c.text, got.Lines)
		require.Equal(t, c.lines, got.Lines)
	}
}

func TestCapitals(t *testing.T) {
	t.Parallel()
	box := image.Rect(60, 60, 360, 220)
	fromLatin := source(0, box, 0.5, 2)
	fromLatin.SourceLang, fromLatin.Text = "en", "Mixed Case"
	shouted := fromLatin
	shouted.Text = "ALL CAPITALS"
	for _, c := range []struct {
		name, lang, text, want string
		region                 comic.Region
	}{
		{"from Japanese", "de", "Größe", "GRÖSSE", source(0, box, 0.5, 2)},
		{"Turkish i", "tr", "iyi", "İYİ", source(0, box, 0.5, 2)},
		{"from mixed case", "de", "Größe", "Größe", fromLatin},
		{"from capitals", "en", "loud", "LOUD", shouted},
		{"Japanese has none", "ja", "abcか", "abcか", source(0, box, 0.5, 2)},
	} {
		page := art(420, 1200)
		oval(page, box)
		got := draw(t, page, c.lang, []comic.Region{c.region}, c.text).Regions[0]
		require.Equal(t, []string{c.want}, got.Lines, c.name)
	}
}

func TestMissingGlyphsComeFromOtherFonts(t *testing.T) {
	t.Parallel()
	box := image.Rect(60, 60, 360, 220)
	page := art(420, 1200)
	oval(page, box)
	got := draw(t, page, "en", []comic.Region{source(0, box, 0.5, 2)}, "♪ la 星 \U0001F9FF \U00013000 \U00013000").Regions[0]
	require.Equal(t, "\U00013000", got.Missing)
}

// A character that no font has is left out and reported, because a box in its place would look like a defect.
func TestCharactersThatNoFontHasAreLeftOut(t *testing.T) {
	t.Parallel()
	box := image.Rect(60, 60, 360, 220)
	set := func(text string) (*image.NRGBA, letter.Lettered) {
		page := art(420, 1200)
		oval(page, box)
		return page, draw(t, page, "en", []comic.Region{source(0, box, 0.5, 2)}, text).Regions[0]
	}
	page, got := set("Run ᚠ to the \U0001D11Ehills ᚠ!")
	plain, want := set("Run to the hills !")
	require.Equal(t, "ᚠ\U0001D11E", got.Missing)
	require.Equal(t, want.Lines, got.Lines)
	require.Equal(t, plain.Pix, page.Pix)

	_, got = set("I ❤️ cafe\u0301 x\u0301 fa\u200dmily")
	require.Empty(t, got.Missing, "invisible characters and combining marks are not missing")
}

func TestColumnsRunFromTheRight(t *testing.T) {
	t.Parallel()
	box := image.Rect(60, 60, 240, 400)
	page := art(300, 1200)
	oval(page, box)
	before := clone(page)
	got := draw(t, page, "ja", []comic.Region{vertical(source(0, box, 0.5, 2))}, "一、二三四五六七八九十一、二三四五六七八九十").Regions[0]
	require.Greater(t, len(got.Lines), 1)
	require.True(t, strings.HasPrefix(got.Lines[0], "一、"))
	// The ideograph for one is a single bar. It is the topmost ink of the first column, on the right.
	top := slices.MinFunc(changed(before, page), func(a, b image.Point) int { return a.Y - b.Y })
	require.NotZero(t, top)
	require.Greater(t, got.Box.Dy(), got.Box.Dx()/2)
}

func TestFreeTextHasARimWhereArtHasItsColor(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name  string
		mixed bool
	}{{"legible everywhere", false}, {"light and dark art", true}} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			page := art(420, 600)
			if c.mixed {
				for y := range 600 {
					for x := range 420 {
						page.Set(x, y, color.Gray{uint8(x%20 + 230*((x/7+y/5)%2))})
					}
				}
			}
			before := clone(page)
			r := source(0, image.Rect(60, 200, 360, 320), 0.9, 1)
			r.Kind, r.FG, r.Angle = comic.KindFree, raster.RGB{250, 250, 250}, 12
			got := draw(t, page, "en", []comic.Region{r}, "Boom")
			require.False(t, got.Regions[0].Bubble)
			dark := 0
			for _, at := range changed(before, page) {
				if page.NRGBAAt(at.X, at.Y) == (color.NRGBA{0, 0, 0, 255}) {
					dark++
				}
			}
			require.Equal(t, c.mixed, dark > 0)
		})
	}
}

func TestSameBytesOnAnyNumberOfThreads(t *testing.T) {
	t.Parallel()
	pages := make([]*image.NRGBA, 4)
	var wg sync.WaitGroup
	l := letterer(t)
	for i := range pages {
		wg.Go(func() {
			page := art(420, 700)
			a, b := image.Rect(40, 40, 340, 200), image.Rect(60, 300, 380, 460)
			oval(page, a)
			caption(page, b)
			regions := []comic.Region{source(0, a, 0.5, 2), source(1, b, 0.6, 2)}
			_, err := l.Draw(context.Background(), letter.Page{
				Erased: page, Original: clone(page), Regions: regions, Lang: "en",
				Translations: translations([]string{"The first of two.", "And the caption below it."}),
			}, letter.DefaultParams())
			if err == nil {
				pages[i] = page
			}
		})
	}
	wg.Wait()
	for _, p := range pages {
		require.NotNil(t, p)
		require.Equal(t, pages[0].Pix, p.Pix)
	}
}

func TestWithoutTextNothingChanges(t *testing.T) {
	t.Parallel()
	page := art(300, 300)
	before := clone(page)
	report := draw(t, page, "en", []comic.Region{source(0, image.Rect(50, 50, 250, 150), 0.5, 1), {Index: 1}}, " \n", "no place")
	require.Empty(t, report.Regions)
	require.Empty(t, changed(before, page))
}

func TestDrawStopsWithItsContext(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	page := art(300, 300)
	before := clone(page)
	_, err := letterer(t).Draw(ctx, letter.Page{
		Erased: page, Original: before, Regions: []comic.Region{source(0, image.Rect(50, 50, 250, 150), 0.5, 1)},
		Translations: translations([]string{"Never."}), Lang: "en",
	}, letter.DefaultParams())
	require.ErrorIs(t, err, context.Canceled)
	require.Empty(t, changed(before, page))
}

func TestOpenNamesTheMissingFont(t *testing.T) {
	t.Parallel()
	_, err := letter.Open(letter.Config{Assets: t.TempDir()})
	require.Equal(t, core.CodeModelMissing, core.CodeOf(err))
	require.Regexp(t, `font \w+\.ttf cannot be read`, core.PublicMessage(err))
}

func FuzzDraw(f *testing.F) {
	f.Add("Hello there, how are you?", uint8(0), uint8(150), uint8(80))
	f.Add("――！？12月24日「ｶﾞ」\u200d\u0301\U0001F468\u200d\U0001F469", uint8(1), uint8(60), uint8(200))
	f.Add("العربية with עברית", uint8(2), uint8(20), uint8(20))
	f.Add(strings.Repeat("W", 400), uint8(0), uint8(90), uint8(40))
	f.Add("\xff\x00\n\t ", uint8(3), uint8(255), uint8(255))
	langs := []string{"en", "ja", "ar", "ko"}
	f.Fuzz(func(t *testing.T, text string, mode, w, h uint8) {
		page := art(300, 300)
		box := image.Rect(20, 20, 24+int(w), 24+int(h))
		oval(page, box)
		r := source(0, box, 0.5, 1+int(mode/8)%3)
		if mode&4 != 0 {
			r = vertical(r)
		}
		draw(t, page, langs[mode%4], []comic.Region{r}, text)
	})
}

// A text over art leaves room to lettering beside it that stays as drawn, because it has no translation.
func TestLetteringThatStaysIsNotCovered(t *testing.T) {
	t.Parallel()
	page := art(900, 1200)
	credits, mark := source(0, image.Rect(200, 700, 700, 760), 1, 2), source(1, image.Rect(400, 674, 500, 706), 1, 1)
	credits.Kind, mark.Kind = comic.KindFree, comic.KindFree
	before := clone(page)
	draw(t, page, "en", []comic.Region{credits, mark}, "Drawn and written by somebody who would rather remain unnamed, and lettered by somebody else, with thanks to all who read it, to all who paid for it, and to everybody else.")
	stays := raster.Enclosing(mark.Lines[0].Bounds())
	for _, at := range changed(before, page) {
		require.False(t, at.In(stays), "%v", at)
	}
}
