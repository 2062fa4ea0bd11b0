package letter_test

import (
	"image"
	"image/color"
	"image/png"
	"os"
	"testing"

	"github.com/stretchr/testify/require"

	"plait/internal/comic"
	"plait/internal/comic/letter"
)

// TestSheet compares a sheet of bubbles in many scripts with testdata/sheet.png, which is meant for review by people: words are whole,
// lines have the right direction, and marks are upright or turned as they should be. PLAIT_UPDATE=1 draws the file again.
func TestSheet(t *testing.T) {
	t.Parallel()
	type bubble struct {
		lang, text string
		vertical   bool
		caption    bool
	}
	bubbles := []bubble{
		{lang: "en", text: "\"Wait--\" she said... don't you know ♪ la la ♡ \U0001F600?"},
		{lang: "de", text: "Die Straßenbahn \"Linie 5\" fährt übermorgen wieder!"},
		{lang: "fr", text: "Où étais-tu passé ? Je t'ai cherché \"partout\" !"},
		{lang: "vi", text: "Đừng lo, tôi sẽ tìm được bạn trước khi trời tối!"},
		{lang: "ru", text: "Ты разве не знала? Конкурс зелий -- сегодня!"},
		{lang: "el", text: "Δεν ήξερες ότι ο διαγωνισμός αρχίζει στις 12;"},
		{lang: "ko", text: "마법약 대회는 12시에 시작한대요! 몰랐어요?"},
		{lang: "ar", text: "ألم تعرفي أن مسابقة الجرعات تبدأ الساعة 12؟"},
		{lang: "he", text: "לא ידעת שתחרות Potion מתחילה בשעה 12?"},
		{lang: "ja", text: "コンテストは12時に始まるって、知らなかったの!?"},
		{lang: "zh-Hans", text: "你不知道魔药大赛12点开始吗？"},
		{lang: "zh-Hant", text: "你不知道「魔藥大賽」12點開始嗎？"},
		{lang: "ja", vertical: true, text: "コーヒーが12杯……「ええっ!?」と私は――OK、2025年～♪"},
		{lang: "ja", vertical: true, text: "（えっ、本当に？）きゃああああっ！！"},
		{lang: "zh-Hant", vertical: true, text: "你們聽過「飛天魔藥」嗎？——沒有……嗯～"},
		{lang: "en", caption: true, text: "Meanwhile, on the other side of the valley, nobody had seen a thing."},
	}
	const w, h, columns = 300, 210, 4
	page := image.NewNRGBA(image.Rect(0, 0, w*columns, h*((len(bubbles)+columns-1)/columns)))
	for i := range page.Pix {
		page.Pix[i] = 215
	}
	for i, b := range bubbles {
		box := image.Rect(0, 0, w-30, h-30).Add(image.Pt(15+w*(i%columns), 15+h*(i/columns)))
		r := source(0, box, 0.6, 2)
		switch {
		case b.caption:
			caption(page, box.Inset(20))
			r.Alignment = comic.AlignLeft
		default:
			oval(page, box)
		}
		if b.vertical {
			r = vertical(r)
		}
		report, err := letterer(t).Draw(t.Context(), letter.Page{
			Erased: page, Original: clone(page), Regions: []comic.Region{r}, Translations: translations([]string{b.text}), Lang: b.lang,
		}, letter.DefaultParams())
		require.NoError(t, err)
		require.Empty(t, report.Regions[0].Missing, b.text)
		require.Equal(t, letter.Fits, report.Regions[0].Fit, b.text)
	}
	requireGolden(t, "testdata/sheet.png", page)
}

// requireGolden compares a page with a picture. Processors round sums differently, so a few pixels may differ slightly; a glyph that moved
// or changed does not pass.
func requireGolden(t *testing.T, path string, page *image.NRGBA) {
	t.Helper()
	if os.Getenv("PLAIT_UPDATE") != "" {
		f, err := os.Create(path)
		require.NoError(t, err)
		gray := image.NewGray(page.Rect)
		for y := range page.Rect.Dy() {
			for x := range page.Rect.Dx() {
				gray.Set(x, y, page.At(x, y))
			}
		}
		require.NoError(t, (&png.Encoder{CompressionLevel: png.BestCompression}).Encode(f, gray))
		require.NoError(t, f.Close())
	}
	f, err := os.Open(path)
	require.NoError(t, err)
	defer func() { require.NoError(t, f.Close()) }()
	want, err := png.Decode(f)
	require.NoError(t, err)
	require.Equal(t, want.Bounds(), page.Rect)
	differ := 0
	for y := range page.Rect.Dy() {
		for x := range page.Rect.Dx() {
			a, b := color.GrayModel.Convert(want.At(x, y)).(color.Gray), color.GrayModel.Convert(page.At(x, y)).(color.Gray)
			if max(a.Y, b.Y)-min(a.Y, b.Y) > 24 {
				differ++
			}
		}
	}
	require.Less(t, differ, 40, "pixels that differ from %s", path)
}
