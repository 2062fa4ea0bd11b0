package letter_test

import (
	"image"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"plait/internal/assets/assetstest"
	"plait/internal/comic"
	"plait/internal/comic/letter"
	"plait/internal/core"
)

// Marks with a clear meaning are replaced; ambiguous ones stay.
func TestMarksAreThoseOfTheLanguage(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ lang, text, want string }{
		{"en", `"Wait--" he said...`, "“Wait—” he said…"},
		{"en", `It's the '90s, 5' 10" tall`, `It’s the ’90s, 5' 10" tall`},
		{"de", `"Ja" -- oder "nein"?`, "„Ja“ – oder „nein“?"},
		{"fr", `"Où ?" dit-il !`, "«\u202fOù\u202f?\u202f» dit-il\u202f!"},
		{"ru", `"Да" -- нет`, "«Да» — нет"},
		{"ja", `"えっ"と言った...!?`, "「えっ」と言った…!?"},
		{"ja", "本当?うん,そう.", "本当？うん、そう。"},
		{"ja", "私の Pepper です", "私のPepperです"},
		{"zh-Hans", "你好,世界......!", "你好，世界…！"},
		{"zh-Hant", `他說"好"--`, "他說「好」——"},
		{"ko", "정말...?", "정말…?"},
		{"en", "Careful !!! It is ... not", "Careful!!! It is… not"},
		{"en", "... is over ! ... Run ... ?", "…is over! …Run…?"},
		{"en", "In 5 .5 s ... ...now :)", "In 5 .5 s …now :)"},
		{"fr", "Bien des sorts !... ... Domine-les !", "Bien des sorts\u202f!… Domine-les\u202f!"},
		{"ja", "罵倒に勝る... ...睨み倒せ", "罵倒に勝る…睨み倒せ"},
		{"de", "Was ?! \"Nein !\"", "Was?! „Nein!“"},
		{"en", "I ❤\ufe0f you", "I ♥\ufe0f you"},
		{"en", "Thanks♡ ♪La la♪ so...\U0001f605", "Thanks\u202f♡ ♪\u202fLa la\u202f♪ so…\u202f\U0001f605"},
		{"en", "I ♥ you! ♡♡", "I ♥ you! ♡♡"},
		{"fr", "Merci♡ : « ici »...", "Merci\u202f♡\u00a0: «\u202fici\u202f»…"},
		{"ko", "등대님♡", "등대님\u202f♡"},
		{"ja", "使いましょう♪", "使いましょう♪"},
		{"en", "  two \n\t spaces\x07 ", "two spaces"},
	} {
		set, _, err := letterer(t).LineEnds(c.lang, c.text)
		require.NoError(t, err)
		require.Equal(t, c.want, string(set), c.lang)
	}
}

func TestALongTextIsCutVisibly(t *testing.T) {
	t.Parallel()
	page := art(420, 600)
	box := image.Rect(20, 20, 400, 580)
	oval(page, box)
	got := draw(t, page, "en", []comic.Region{source(0, box, 0.6, 3)}, strings.Repeat("word ", 2100)).Regions[0]
	require.Equal(t, letter.Cut, got.Fit)
	require.Contains(t, got.Lines[len(got.Lines)-1], "…")
	require.Greater(t, len(strings.Join(got.Lines, " ")), 9900)
}

func TestLayOutAndDrawReturnTheSameReport(t *testing.T) {
	t.Parallel()
	a, b := image.Rect(40, 40, 340, 200), image.Rect(60, 300, 190, 350)
	page := art(420, 700)
	oval(page, a)
	oval(page, b)
	p := letter.Page{
		Erased: page, Original: clone(page), Regions: []comic.Region{source(0, a, 0.5, 2), source(1, b, 0.5, 1)}, Lang: "en",
		Translations: translations([]string{"It fits.", "This one has a great deal more to say than a little bubble as small as this can ever hope to hold."}),
	}
	before := clone(page)
	told, err := letterer(t).LayOut(t.Context(), p, letter.DefaultParams())
	require.NoError(t, err)
	require.Empty(t, changed(before, page))
	require.Equal(t, letter.Fits, told.Regions[0].Fit)
	require.Equal(t, letter.Overflow, told.Regions[1].Fit)
	drawn, err := letterer(t).Draw(t.Context(), p, letter.DefaultParams())
	require.NoError(t, err)
	for i := range drawn.Regions {
		drawn.Regions[i].Box = image.Rectangle{}
	}
	require.Equal(t, told, drawn)
}

func TestTheUsersFontsReplaceTheDefaultFonts(t *testing.T) {
	t.Parallel()
	house := filepath.Join(assetstest.Location(), "fonts")
	dir := t.TempDir()
	give := func(name string) {
		b, err := os.ReadFile(filepath.Join(house, "Bangers_400Regular.ttf"))
		require.NoError(t, err)
		require.NoError(t, os.WriteFile(filepath.Join(dir, name), b, 0o600))
	}
	give("latin-dialogue.ttf")
	require.NoError(t, os.WriteFile(filepath.Join(dir, "README.md"), nil, 0o600))
	set := func(config letter.Config) letter.Lettered {
		l, err := letter.Open(config)
		require.NoError(t, err)
		page, box := art(420, 1200), image.Rect(60, 60, 360, 220)
		oval(page, box)
		report, err := l.Draw(t.Context(), letter.Page{
			Erased: page, Original: clone(page), Regions: []comic.Region{source(0, box, 0.5, 2)},
			Translations: translations([]string{"Hello"}), Lang: "en",
		}, letter.DefaultParams())
		require.NoError(t, err)
		return report.Regions[0]
	}
	ours, theirs := set(letter.Config{Assets: assetstest.Location()}), set(letter.Config{Assets: assetstest.Location(), Fonts: dir})
	require.Less(t, theirs.Box.Dx(), ours.Box.Dx()*9/10, "Bangers is narrow")

	give("latin-bold.ttf")
	_, err := letter.Open(letter.Config{Assets: assetstest.Location(), Fonts: dir})
	require.Equal(t, core.CodeInvalidInput, core.CodeOf(err))
	require.ErrorContains(t, err, "latin-bold.ttf")
}

func TestAPageOnASmallScreenIsLegible(t *testing.T) {
	t.Parallel()
	page, box := art(480, 680), image.Rect(60, 60, 420, 260)
	oval(page, box)
	got := draw(t, page, "en", []comic.Region{source(0, box, 0.6, 2)}, "The stars are lovely tonight.").Regions[0]
	require.Equal(t, letter.Fits, got.Fit)
	require.Greater(t, got.Cap, 0.0135*680, "both the source and the bubble are large")

	crowded := image.Rect(60, 60, 170, 120)
	page = art(480, 680)
	oval(page, crowded)
	r := source(0, crowded, 0.6, 1)
	got = draw(t, page, "en", []comic.Region{r}, "Hi there").Regions[0]
	require.GreaterOrEqual(t, got.Cap, 7.0)
}
