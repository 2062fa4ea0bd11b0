package engine_test

import (
	"bytes"
	"image"
	"image/png"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"plait/internal/comic"
	"plait/internal/comic/engine"
	"plait/internal/core"
)

// chosen renders the first page of the sample with one text on its first region, for which a person chose something, on a fresh context and
// on one that was prepared without the choice. Both give the same bytes.
func chosen(t *testing.T, e *engine.Engine, c *engine.Context, texts []core.Translation, o comic.Override) *image.NRGBA {
	t.Helper()
	regions := slices.Clone(c.Regions())
	regions[0].Override = o
	if o.Kind != "" {
		regions[0].Kind = o.Kind
	}
	want, _, err := e.Render(t.Context(), e.Revise(c, regions), texts)
	require.NoError(t, err)
	prepared, err := e.Prepare(t.Context(), c, texts)
	require.NoError(t, err)
	got, _, err := e.Render(t.Context(), e.Revise(prepared, regions), texts)
	require.NoError(t, err)
	require.True(t, bytes.Equal(want, got), "a prepared page is lettered alike")
	img, err := png.Decode(bytes.NewReader(got))
	require.NoError(t, err)
	out := image.NewNRGBA(img.Bounds())
	for y := range out.Rect.Dy() {
		for x := range out.Rect.Dx() {
			out.Set(x, y, img.At(x, y))
		}
	}
	return out
}

// unlike is the smallest rectangle around the pixels in which two pictures differ.
func unlike(a, b *image.NRGBA) (box image.Rectangle) {
	for i := 0; i < len(a.Pix); i += 4 {
		if !bytes.Equal(a.Pix[i:i+4], b.Pix[i:i+4]) {
			x, y := i%a.Stride/4, i/a.Stride
			box = box.Union(image.Rect(x, y, x+1, y+1))
		}
	}
	return box
}

// with counts the pixels of a color.
func with(img *image.NRGBA, r, g, b uint8) (n int) {
	for i := 0; i < len(img.Pix); i += 4 {
		if img.Pix[i] == r && img.Pix[i+1] == g && img.Pix[i+2] == b {
			n++
		}
	}
	return n
}

func TestPeopleChooseHowARegionIsLettered(t *testing.T) {
	t.Parallel()
	e := open(t, 1, 1)
	c, found, err := e.Detect(t.Context(), page(t, "01.png"), japaneseToEnglish)
	require.NoError(t, err)
	texts := make([]core.Translation, len(found.Regions))
	for i := range texts {
		texts[i] = core.Translation{Index: i}
	}
	texts[0].Text = "So many stars!"
	letter := func(o comic.Override) *image.NRGBA { return chosen(t, e, c, texts, o) }
	usual, drawn := letter(comic.Override{}), c.Picture().Image
	erased := letter(comic.Override{Erased: true})

	require.Empty(t, unlike(drawn, letter(comic.Override{Deleted: true})), "what is no text stays as drawn")
	require.NotEmpty(t, unlike(drawn, erased))
	require.NotEmpty(t, unlike(usual, erased))

	pink := letter(comic.Override{Style: comic.Style{Color: "#ff0080"}})
	require.Zero(t, with(usual, 255, 0, 128))
	require.Greater(t, with(pink, 255, 0, 128), 500)

	area := comic.Area{40, 40, 400, 300}
	moved := unlike(erased, letter(comic.Override{Area: area, Style: comic.Style{Size: 30}}))
	require.True(t, moved.In(image.Rect(40, 40, 400, 300)), "%v", moved)
	left := unlike(erased, letter(comic.Override{Area: area, Style: comic.Style{Size: 30, Alignment: comic.AlignLeft}}))
	right := unlike(erased, letter(comic.Override{Area: area, Style: comic.Style{Size: 30, Alignment: comic.AlignRight}}))
	require.LessOrEqual(t, left.Min.X, right.Min.X)
	larger := unlike(erased, letter(comic.Override{Area: area, Style: comic.Style{Size: 60}}))
	require.Greater(t, larger.Dy(), moved.Dy())
	over := unlike(erased, letter(comic.Override{Area: comic.Area{40, 40, 140, 60}, Style: comic.Style{Size: 60}}))
	require.Greater(t, over.Dy(), 40, "a chosen size is kept where it does not fit")

	for name, style := range map[string]comic.Style{
		"effect": {Font: comic.FontEffect}, "italic": {Italic: new(true)},
	} {
		require.NotEmpty(t, unlike(usual, letter(comic.Override{Style: style})), name)
	}
	bold, regular := letter(comic.Override{Style: comic.Style{Bold: new(true)}}), letter(comic.Override{Style: comic.Style{Bold: new(false)}})
	require.NotEmpty(t, unlike(bold, regular))
	require.NotEmpty(t, unlike(usual, letter(comic.Override{Kind: comic.KindEffect})), "a sound is set like one")
}
