package regions

import (
	"image"
	"image/draw"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"plait/internal/raster"
)

func TestFuriganaIsKeptApart(t *testing.T) {
	t.Parallel()
	line := func(text string, vertical bool, x0, y0, x1, y1 float64) Line {
		return Line{Quad: raster.Quad{{x0, y0}, {x1, y0}, {x1, y1}, {x0, y1}}, Text: text, Prob: 1, Vertical: vertical}
	}
	row := line("灯台の明かり", false, 100, 100, 300, 140)
	column := line("灯台の明かり", true, 100, 100, 140, 300)
	for name, c := range map[string]struct {
		base, other Line
		language    string
		isRuby      bool
	}{
		"above a line":               {row, line("とうだい", false, 100, 82, 170, 102), "ja", true},
		"right of a column":          {column, line("とうだい", true, 139, 100, 159, 170), "ja", true},
		"a short one, as if level":   {column, line("あ", false, 139, 240, 159, 260), "ja", true},
		"misread as a digit":         {column, line("4", false, 139, 100, 159, 124), "ja", true},
		"misread as a character":     {column, line("德", false, 139, 100, 159, 131), "ja", true},
		"a digit as large":           {column, line("4", false, 139, 100, 170, 131), "ja", false},
		"misread in part":            {column, line("とう元い", true, 139, 100, 159, 170), "ja", true},
		"grown, but set narrow":      {row, line("だれ", false, 100, 72, 136, 104), "ja", true},
		"grown, and set as wide":     {row, line("だれ", false, 100, 72, 166, 104), "ja", false},
		"misread as letters":         {column, line("FVNV", true, 139, 100, 162, 170), "ja", true},
		"letters set as wide":        {column, line("FVN", true, 139, 100, 162, 200), "ja", false},
		"below a line":               {row, line("とうだい", false, 100, 138, 170, 158), "ja", false},
		"left of a column":           {column, line("とうだい", true, 81, 100, 101, 170), "ja", false},
		"as large as the line":       {row, line("とうだい", false, 100, 62, 260, 100), "ja", false},
		"with kanji, set as wide":    {row, line("灯台だ", false, 100, 82, 180, 102), "ja", false},
		"far away":                   {row, line("とうだい", false, 100, 50, 170, 70), "ja", false},
		"beside the line's end":      {row, line("とうだい", false, 270, 82, 370, 102), "ja", false},
		"above the kana of a line":   {line("灯台のあかりがきえた", false, 100, 100, 400, 140), line("そこの", false, 250, 82, 330, 102), "ja", false},
		"above kana":                 {line("あかりがない", false, 100, 100, 300, 140), line("とうだい", false, 100, 82, 170, 102), "ja", false},
		"on a page in other writing": {row, line("とうだい", false, 100, 82, 170, 102), "zh-Hans", false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c.other.Prob = 0.85
			text := withoutRuby([]Line{c.other, c.base}, c.language)
			if !c.isRuby {
				require.Equal(t, []Line{c.other, c.base}, text)
				return
			}
			c.base.ruby = []raster.Quad{c.other.Quad}
			require.Equal(t, []Line{c.base}, text)
		})
	}
}

func TestALineOfAParagraphIsNoFuriganaOfATitleBelow(t *testing.T) {
	t.Parallel()
	line := func(text string, vertical bool, x0, y0, x1, y1 float64) Line {
		return Line{Quad: raster.Quad{{x0, y0}, {x1, y0}, {x1, y1}, {x0, y1}}, Text: text, Prob: 1, Vertical: vertical}
	}
	rows := []Line{
		line("…実演は", false, 160, 34, 250, 60), line("しますか?…", false, 150, 58, 260, 83), line("雲くじらの灯台", false, 0, 100, 300, 151),
	}
	columns := []Line{
		line("雲くじらの灯台", true, 0, 0, 50, 300), line("しますか", true, 66, 150, 92, 260), line("…実演は", true, 94, 160, 120, 250),
	}
	for _, lines := range [][]Line{rows, columns} {
		require.Equal(t, lines, withoutRuby(lines, "ja"))
	}
	// Furigana between two columns is set narrower than both, however wide its box is.
	text := withoutRuby([]Line{
		line("ここは", true, 148, 100, 186, 192), line("たちいりきんし", true, 127, 104, 154, 214), line("立入禁止", true, 100, 100, 140, 220),
	}, "ja")
	require.Len(t, text, 2)
	require.Len(t, text[1].ruby, 1)
	// The furigana of two columns is a column apart.
	text = withoutRuby([]Line{
		line("灯台の明かり", true, 100, 100, 140, 300), line("とうだい", true, 139, 100, 159, 170),
		line("雲の上", true, 160, 100, 200, 300), line("くも", true, 199, 100, 219, 140),
	}, "ja")
	require.Len(t, text, 2)
	require.Len(t, slices.Concat(text[0].ruby, text[1].ruby), 2)
}

// Columns stand farther apart where furigana is set between them.
func TestFuriganaBetweenColumnsDoesNotPartThem(t *testing.T) {
	t.Parallel()
	img := image.NewNRGBA(image.Rect(0, 0, 600, 400))
	draw.Draw(img, img.Rect, image.White, image.Point{}, draw.Src)
	column := func(text string, x0, x1, y1 float64) Line {
		return Line{Quad: raster.Quad{{x0, 120}, {x1, 120}, {x1, y1}, {x0, y1}}, Text: text, Prob: 1, Vertical: true}
	}
	lines := []Line{
		column("灯台の明かり", 360, 400, 280), column("雲の上の城", 290, 330, 280), column("とうだい", 398, 416, 180), column("くものうえ", 328, 346, 210),
	}
	found, err := Group(t.Context(), Page{Image: img, Lines: lines, Language: "ja", RightToLeft: true})
	require.NoError(t, err)
	require.Len(t, found, 1)
	require.Equal(t, "灯台の明かり雲の上の城", found[0].Text)
	require.Len(t, found[0].Ruby, 2)
}
