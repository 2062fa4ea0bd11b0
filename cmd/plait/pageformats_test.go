package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"image"
	"image/color"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"plait/internal/core"
	"plait/internal/picture"
)

// pageFormat is how the page of a file goes out.
type pageFormat struct {
	format picture.Format
	color  picture.ColorKind
	depth  int
	// sees says that the page has transparent paper, and profile the space of its color profile.
	sees    bool
	profile string
	// off is the most that a channel differs from the plain page on average: by compression, by few colors.
	off float64
}

// pageFormats are the files of testdata/kinds.
var pageFormats = map[string]pageFormat{
	"plain.png":               {picture.PNG, picture.ColorRGB, 8, false, "", 0},
	"interlaced.png":          {picture.PNG, picture.ColorRGB, 8, false, "", 0},
	"orientation6.png":        {picture.PNG, picture.ColorRGB, 8, false, "", 0},
	"profile.png":             {picture.PNG, picture.ColorRGB, 8, false, "RGB ", 0},
	"deep.png":                {picture.PNG, picture.ColorRGB, 16, false, "", 0},
	"deep-gray.png":           {picture.PNG, picture.ColorGray, 16, false, "", 0},
	"gray-profile.png":        {picture.PNG, picture.ColorGray, 8, false, "GRAY", 0},
	"gray-alpha.png":          {picture.PNG, picture.ColorRGB, 8, true, "", 6},
	"palette.png":             {picture.PNG, picture.ColorPalette, 8, false, "", 4},
	"bits.png":                {picture.PNG, picture.ColorGray, 8, false, "", 40},
	"transparent.png":         {picture.PNG, picture.ColorRGB, 8, true, "", 2},
	"transparent-palette.png": {picture.PNG, picture.ColorPalette, 8, true, "", 6},
	"orientation2.jpg":        {picture.JPEG, picture.ColorRGB, 8, false, "", 3},
	"orientation3.jpg":        {picture.JPEG, picture.ColorRGB, 8, false, "", 3},
	"orientation4.jpg":        {picture.JPEG, picture.ColorRGB, 8, false, "", 3},
	"orientation5.jpg":        {picture.JPEG, picture.ColorRGB, 8, false, "", 3},
	"orientation6.jpg":        {picture.JPEG, picture.ColorRGB, 8, false, "", 3},
	"orientation7.jpg":        {picture.JPEG, picture.ColorRGB, 8, false, "", 3},
	"orientation8.jpg":        {picture.JPEG, picture.ColorRGB, 8, false, "", 3},
	"progressive.jpg":         {picture.JPEG, picture.ColorRGB, 8, false, "", 3},
	"profile.jpg":             {picture.JPEG, picture.ColorRGB, 8, false, "RGB ", 3},
	"gray.jpg":                {picture.JPEG, picture.ColorGray, 8, false, "GRAY", 3},
	"cmyk.jpg":                {picture.JPEG, picture.ColorRGB, 8, false, "", 3},
	"ycck.jpg":                {picture.JPEG, picture.ColorRGB, 8, false, "", 3},
	"lossy.webp":              {picture.WebP, picture.ColorRGB, 8, false, "", 3},
	"lossless.webp":           {picture.WebP, picture.ColorRGB, 8, false, "", 0},
	"orientation8.webp":       {picture.WebP, picture.ColorRGB, 8, false, "", 3},
	"profile.webp":            {picture.WebP, picture.ColorRGB, 8, false, "RGB ", 3},
	"transparent.webp":        {picture.WebP, picture.ColorRGB, 8, true, "", 2},
	"palette.gif":             {picture.GIF, picture.ColorPalette, 8, false, "", 4},
	"interlaced.gif":          {picture.GIF, picture.ColorPalette, 8, false, "", 4},
	"bits.bmp":                {picture.BMP, picture.ColorPalette, 8, false, "", 40},
}

// A page is read and lettered in every kind of file, and goes out upright, in its colors and in its own format.
func TestPagesOfEveryKindOfFile(t *testing.T) {
	t.Parallel()
	in := newUnwatched(t)
	pages, out := filepath.Join(in.dir, "pages"), filepath.Join(in.dir, "out")
	require.NoError(t, os.CopyFS(pages, os.DirFS(filepath.Join("testdata", "kinds"))))
	require.NoError(t, os.Remove(filepath.Join(pages, "README.md")))
	broken := breakPages(t, pages)

	f := in.plait("read", pages, "--from", "ja", "--json")
	require.Equal(t, exitPartial, f.status, f.stderr)
	for _, l := range readLines(t, f.stdout) {
		if l.Error != nil {
			require.Contains(t, l.Error.Message, broken[l.Page].words, l.Page)
			require.Equal(t, broken[l.Page].code, l.Error.Code, l.Page)
			require.Contains(t, f.stderr, fmt.Sprintf("plait: %s: %s\n", l.Page, l.Error.Message))
			delete(broken, l.Page)
			continue
		}
		require.Contains(t, pageFormats, l.Page)
		require.Equal(t, []int{275, 150, 1}, []int{l.Width, l.Height, len(l.Regions)}, l.Page)
		require.Equal(t, "今夜は星がきれいだね。", l.Regions[0].Text, l.Page)
	}
	require.Empty(t, broken)

	f = in.plait("letter", pages, "--script", scriptOfKinds(t, in.dir), "--from", "ja", "--to", "en", "-o", out)
	require.Equal(t, exitPartial, f.status, f.stderr)
	plain, _ := lettered(t, filepath.Join(out, "plain.png"))
	for name, want := range pageFormats {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			img, info := lettered(t, filepath.Join(out, name))
			require.Equal(t, []any{want.format, want.color, want.depth, want.sees}, []any{info.Format, info.Color, info.Depth, info.Alpha})
			_, source := lettered(t, filepath.Join(pages, name))
			require.True(t, bytes.Equal(source.ICC, info.ICC), "the page keeps its profile")
			if want.profile != "" {
				require.Equal(t, want.profile, string(info.ICC[16:20]))
			}
			gray := want.color == picture.ColorGray || source.Color == picture.ColorGray || source.Depth == 1
			require.LessOrEqual(t, difference(plain, img, gray), want.off+0.5)
		})
	}
}

// scriptOfKinds translates the pages of all kinds.
func scriptOfKinds(t *testing.T, dir string) string {
	t.Helper()
	type region struct {
		Source      string `json:"source"`
		Translation string `json:"translation"`
	}
	type page struct {
		Page    string   `json:"page"`
		Regions []region `json:"regions"`
	}
	var pages []page
	for name := range pageFormats {
		// Longer lettering has more colors than a palette takes beside those of the page.
		pages = append(pages, page{name, []region{{"今夜は星がきれいだね。", "Lovely stars!"}}})
	}
	b, err := json.Marshal(map[string]any{"from": "ja", "to": "en", "pages": pages})
	require.NoError(t, err)
	name := filepath.Join(dir, "kinds.json")
	require.NoError(t, os.WriteFile(name, b, 0o600))
	return name
}

// refusal is why a file is no page.
type refusal struct {
	code  core.Code
	words string
}

// breakPages adds files that are no pages, and names those of the folder that are none.
func breakPages(t *testing.T, dir string) map[string]refusal {
	t.Helper()
	file := func(name string) []byte {
		b, err := os.ReadFile(filepath.Join(dir, name))
		require.NoError(t, err)
		return b
	}
	bomb := file("plain.png")
	copy(bomb[16:], "\x00\x00\xea\x60\x00\x00\xea\x60\x08\x02\x00\x00\x00\x0f\xb0\xe2\x15")
	for name, b := range map[string][]byte{
		"cut.jpg": file("progressive.jpg")[:4000], "cut.png": file("plain.png")[:4000], "cut.webp": file("lossy.webp")[:4000],
		"rubbish.jpg": bytes.Repeat([]byte("rubbish"), 100), "nothing.png": {}, "bomb.png": bomb,
	} {
		require.NoError(t, os.WriteFile(filepath.Join(dir, name), b, 0o600))
	}
	return map[string]refusal{
		"animated.gif": {core.CodeInvalidImage, "animated"}, "animated.webp": {core.CodeInvalidImage, "animated"},
		"cut.jpg": {core.CodeInvalidImage, "truncated"}, "cut.png": {core.CodeInvalidImage, "truncated"},
		"cut.webp": {core.CodeInvalidImage, "truncated"}, "rubbish.jpg": {core.CodeInvalidImage, "not an image"},
		"nothing.png": {core.CodeInvalidImage, "empty"}, "bomb.png": {core.CodeImageTooLarge, "60000 x 60000"},
	}
}

// lettered is a page as a reader sees it, and what its file says.
func lettered(t *testing.T, name string) (*image.NRGBA, picture.Info) {
	t.Helper()
	b, err := os.ReadFile(name)
	require.NoError(t, err)
	p, err := picture.Decode(t.Context(), b, picture.DefaultLimits())
	require.NoError(t, err, name)
	return p.Image, p.Info
}

// difference is the mean difference of the channels of two pictures, or of their grays.
func difference(a, b *image.NRGBA, gray bool) float64 {
	sum := 0
	for y := range a.Rect.Dy() {
		for x := range a.Rect.Dx() {
			p, q := a.NRGBAAt(x, y), b.NRGBAAt(x, y)
			if gray {
				v, _ := color.GrayModel.Convert(p).(color.Gray)
				p = color.NRGBA{v.Y, v.Y, v.Y, 255}
			}
			for _, d := range []int{int(p.R) - int(q.R), int(p.G) - int(q.G), int(p.B) - int(q.B)} {
				sum += max(d, -d)
			}
		}
	}
	return float64(sum) / float64(3*a.Rect.Dx()*a.Rect.Dy())
}
