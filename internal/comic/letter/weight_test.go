package letter_test

import (
	"image"
	"math"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"plait/internal/assets/assetstest"
	"plait/internal/comic"
	"plait/internal/comic/letter"
	"plait/internal/raster"
)

// TestTheWeightIsThatOfTheSource letters a page in each weight and uses the result as a source. The strokes must keep their weight within
// 15 %.
func TestTheWeightIsThatOfTheSource(t *testing.T) {
	t.Parallel()
	box := image.Rect(40, 40, 460, 240)
	for _, c := range []struct {
		lang, script, text string
		weights            []string
	}{
		{"en", "latin", "Nobody hid behind the barn until Friday", []string{"ComicNeue_400Regular", "ComicNeue_700Bold"}},
		{"ja", "japanese", "先ほどの実演の後ではシチミが勝つのは難しそうです", []string{
			"MPLUSRounded1c_400Regular", "MPLUSRounded1c_500Medium", "MPLUSRounded1c_700Bold", "MPLUSRounded1c_800ExtraBold",
		}},
		{"zh-Hans", "hans", "我的药水至少能让大家笑一笑因为它真的很有意思", []string{
			"NotoSansSC_400Regular", "NotoSansSC_500Medium", "NotoSansSC_700Bold",
		}},
	} {
		for _, weight := range c.weights {
			bare := art(500, 1100)
			oval(bare, box)
			r := source(0, box, 0.7, 3)
			r.SourceLang, r.Text = c.lang, c.text
			set := func(l *letter.Letterer, original *image.NRGBA) (letter.Lettered, *image.NRGBA) {
				page := clone(bare)
				report, err := l.Draw(t.Context(), letter.Page{
					Erased: page, Original: original, Regions: []comic.Region{r}, Lang: c.lang, Translations: translations([]string{c.text}),
				}, letter.DefaultParams())
				require.NoError(t, err)
				return report.Regions[0], page
			}
			first, original := set(lettererOf(t, c.script, weight), bare)
			r.Lines = linesOf(first)
			second, page := set(letterer(t), original)
			require.InDelta(t, inkOf(bare, original, first), inkOf(bare, page, second), 0.15*inkOf(bare, original, first), weight)
		}
	}
}

// lettererOf returns a letterer that sets the dialogue of a script in one of the fetched fonts.
func lettererOf(t *testing.T, script, font string) *letter.Letterer {
	t.Helper()
	dir := t.TempDir()
	file, err := os.ReadFile(filepath.Join(assetstest.Location(), "fonts", font+".ttf"))
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(filepath.Join(dir, script+"-dialogue.ttf"), file, 0o600))
	l, err := letter.Open(letter.Config{Assets: assetstest.Location(), Fonts: dir})
	require.NoError(t, err)
	return l
}

// linesOf returns the boxes of lettered lines as a detector finds them, one and a half times as high as capitals.
func linesOf(r letter.Lettered) (lines []raster.Quad) {
	first, last := float64(r.Box.Min.Y)+0.6*r.Cap, float64(r.Box.Max.Y)-0.6*r.Cap
	for i := range r.Lines {
		middle := first + (last-first)*float64(i)/float64(max(len(r.Lines)-1, 1))
		x0, y0 := float64(r.Box.Min.X-2), middle-0.75*r.Cap
		x1, y1 := float64(r.Box.Max.X+2), middle+0.75*r.Cap
		lines = append(lines, raster.Quad{{x0, y0}, {x1, y0}, {x1, y1}, {x0, y1}})
	}
	return lines
}

// inkOf returns the area of the strokes in units of the squared font size. Of two settings of a text, the heavier one has more.
func inkOf(bare, page *image.NRGBA, r letter.Lettered) float64 {
	var ink float64
	for _, p := range changed(bare, page) {
		ink += float64(255-page.NRGBAAt(p.X, p.Y).R) / 255
	}
	return ink / r.Size
}

// TestTheWeightIsThatOfASourceInAnotherScript letters texts of other scripts in the place of an English text, in each weight. Strokes are as
// wide in units of the height of letters as people letter them, within 15 %: ideographs have thinner ones.
func TestTheWeightIsThatOfASourceInAnotherScript(t *testing.T) {
	t.Parallel()
	const english, latinHigh = "Nobody hid behind the barn until Friday", 0.67 // the height of capitals and ascenders, in em
	box := image.Rect(40, 40, 460, 240)
	for _, c := range []struct {
		lang, text string
		high       float64 // of kana and ideographs, in em
		usual      float64 // the width of strokes, in units of that in Latin script
		weights    []string
	}{
		{"ja", "先ほどの実演の後ではシチミが勝つのは難しそうです", 0.86, 0.95, []string{"ComicNeue_400Regular", "ComicNeue_700Bold"}},
		{"zh-Hans", "我的药水至少能让大家笑一笑因为它真的很有意思", 0.9, 0.77, []string{"ComicNeue_700Bold"}}, // no font is as light as the other
	} {
		for _, weight := range c.weights {
			bare := art(500, 1100)
			oval(bare, box)
			original, page := clone(bare), clone(bare)
			r := source(0, box, 0.7, 3)
			r.SourceLang, r.Text = "en", english
			set := func(l *letter.Letterer, on, original *image.NRGBA, lang, text string) letter.Lettered {
				report, err := l.Draw(t.Context(), letter.Page{
					Erased: on, Original: original, Regions: []comic.Region{r}, Lang: lang, Translations: translations([]string{text}),
				}, letter.DefaultParams())
				require.NoError(t, err)
				return report.Regions[0]
			}
			first := set(lettererOf(t, "latin", weight), original, bare, "en", english)
			r.Lines = linesOf(first)
			second := set(letterer(t), page, original, c.lang, c.text)
			want := c.usual * strokeOf(bare, original, first) / (latinHigh * first.Size)
			require.InDelta(t, want, strokeOf(bare, page, second)/(c.high*second.Size), 0.15*want, weight, c.lang)
		}
	}
}

// strokeOf returns the mean width of strokes in pixels: twice their area divided by the length of their outline.
func strokeOf(bare, page *image.NRGBA, r letter.Lettered) float64 {
	ink := func(x, y int) float64 {
		return float64(bare.NRGBAAt(x, y).R-page.NRGBAAt(x, y).R) / 255
	}
	var area, outline float64
	for y := r.Box.Min.Y - 1; y < r.Box.Max.Y; y++ {
		for x := r.Box.Min.X - 1; x < r.Box.Max.X; x++ {
			area += ink(x, y)
			outline += math.Hypot(ink(x+1, y)-ink(x, y), ink(x, y+1)-ink(x, y))
		}
	}
	return 2 * area / outline
}

// A word of low letters is no bolder than the sentences beside it, although its strokes are wide for its height.
func TestAWordWithoutTallLettersIsNotBold(t *testing.T) {
	t.Parallel()
	boxes := []image.Rectangle{image.Rect(40, 40, 460, 240), image.Rect(40, 280, 460, 480), image.Rect(40, 520, 460, 720)}
	texts := []string{"Nobody hid behind the barn until Friday", "Did the old clock strike half past ten?", "no one was seen"}
	bare := art(500, 1100)
	var regions []comic.Region
	for i, box := range boxes {
		oval(bare, box)
		r := source(i, box, 0.7, 1+2*(1-i/2))
		r.SourceLang, r.Text = "en", texts[i]
		regions = append(regions, r)
	}
	set := func(l *letter.Letterer, original *image.NRGBA) (*image.NRGBA, []letter.Lettered) {
		page := clone(bare)
		report, err := l.Draw(t.Context(), letter.Page{
			Erased: page, Original: original, Regions: regions, Lang: "en", Translations: translations(texts),
		}, letter.DefaultParams())
		require.NoError(t, err)
		return page, report.Regions
	}
	original, first := set(lettererOf(t, "latin", "ComicNeue_400Regular"), bare)
	for i := range regions {
		if len(first[i].Lines) > 1 {
			regions[i].Lines = linesOf(first[i])
			continue
		}
		b := first[i].Box
		x0, y0, x1, y1 := float64(b.Min.X-2), float64(b.Min.Y-4), float64(b.Max.X+2), float64(b.Max.Y+4)
		regions[i].Lines = []raster.Quad{{{x0, y0}, {x1, y0}, {x1, y1}, {x0, y1}}}
	}
	page, second := set(letterer(t), original)
	ink := func(page *image.NRGBA, r letter.Lettered) (ink float64) {
		for _, p := range changed(bare, page) {
			if p.In(r.Box) {
				ink += float64(255-page.NRGBAAt(p.X, p.Y).R) / 255
			}
		}
		return ink / (r.Size * r.Size)
	}
	want := ink(original, first[2])
	require.InDelta(t, want, ink(page, second[2]), 0.15*want)
}

// The weight of a text is that of its source, whatever else is on the page: thin strokes of small letters, which are blurred, make no larger
// text heavier, and a text that is slightly bolder than the others stays so.
func TestTheWeightOfOneText(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		lang, script, usual, own string
		texts                    []string // the first is compared
		size, others             float64
	}{
		"larger": {"en", "latin", "ComicNeue_400Regular", "ComicNeue_400Regular", []string{
			"Nobody hid behind", "The harbor was quiet at night", "Did the old clock strike half past ten?", "The barn has been empty since Friday",
		}, 50, 24},
		"slightly bolder": {"ja", "japanese", "ZenMaruGothic_500Medium", "MPLUSRounded1c_500Medium", []string{
			"先ほどの実演の後では難しそうです", "納屋の裏には誰も隠れていなかった", "古い時計は十時半を打ちましたか", "港の朝は静かで風もなかったのです",
		}, 26, 26},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			bare := art(500, 1100)
			var regions []comic.Region
			for i, text := range c.texts {
				box := image.Rect(40, 40+240*i, 460, 240+240*i)
				oval(bare, box)
				r := source(i, box, 0.7, 2)
				r.SourceLang, r.Text, r.Override.Style.Size = c.lang, text, c.size
				if i > 0 {
					r.Override.Style.Size = c.others
				}
				regions = append(regions, r)
			}
			set := func(l *letter.Letterer, onto, original *image.NRGBA, some []comic.Region) []letter.Lettered {
				report, err := l.Draw(t.Context(), letter.Page{
					Erased: onto, Original: original, Regions: some, Lang: c.lang, Translations: translations(c.texts),
				}, letter.DefaultParams())
				require.NoError(t, err)
				return report.Regions
			}
			original, page := clone(bare), clone(bare)
			first := append(set(lettererOf(t, c.script, c.own), original, bare, regions[:1]), set(lettererOf(t, c.script, c.usual), original, bare, regions[1:])...)
			for i := range regions {
				regions[i].Lines, regions[i].Override = linesOf(first[i]), comic.Override{}
			}
			second := set(letterer(t), page, original, regions)
			want := strokeOf(bare, original, first[0]) / first[0].Size
			require.InDelta(t, want, strokeOf(bare, page, second[0])/second[0].Size, 0.08*want)
		})
	}
}

// Letters that are widened have edges as soft as those of their font.
func TestBoldLettersHaveSoftEdges(t *testing.T) {
	t.Parallel()
	soft := func(bold bool) (n int) {
		page, box := art(420, 1200), image.Rect(40, 60, 380, 260)
		oval(page, box)
		r := source(0, box, 0.5, 2)
		r.Override.Style.Bold = &bold
		before := clone(page)
		report, err := lettererOf(t, "latin", "ComicNeue_700Bold").Draw(t.Context(), letter.Page{
			Erased: page, Original: before, Regions: []comic.Region{r}, Lang: "en", Translations: translations([]string{"doit, avoir, vraie"}),
		}, letter.DefaultParams())
		require.NoError(t, err)
		require.Equal(t, letter.Fits, report.Regions[0].Fit)
		for _, at := range changed(before, page) {
			if v := page.NRGBAAt(at.X, at.Y).R; v > 50 && v < 205 {
				n++
			}
		}
		return n
	}
	require.InDelta(t, soft(false), soft(true), 0.08*float64(soft(false)))
}
