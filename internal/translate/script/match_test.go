package script_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"plait/internal/translate/script"
)

func TestFind(t *testing.T) {
	t.Parallel()
	f := script.File{Pages: []script.Page{
		{Page: "ch1/001.png"}, {Page: "ch2/001.png"}, {Page: "ch1/Cover.PNG"}, {Page: `ch1\003.jpg`}, {Page: "004.JPG"}, {Page: "004.jpg"},
	}}
	for page, want := range map[string]string{
		"ch2/001.png": "ch2/001.png", // the whole name
		"Cover.PNG":   "ch1/Cover.PNG",
		"x/cover.png": "ch1/Cover.PNG", // another folder and case
		"003.webp":    `ch1\003.jpg`,   // another format
		"004.jpg":     "004.jpg",
		"001.png":     "", // two of that name
		"004.png":     "",
		"005.png":     "",
	} {
		found, ok := f.Find(page)
		require.Equal(t, want != "", ok, page)
		if ok {
			require.Equal(t, want, found.Page)
		}
	}
}

func TestMatch(t *testing.T) {
	t.Parallel()
	region := func(n int, source string) script.Region { return script.Region{Region: number(n), Source: source} }
	page := script.Page{Regions: []script.Region{
		region(0, "おはよう、みんな！"), region(1, "えっ"), region(2, "えっ"), region(3, "遅刻しちゃう"), {Source: "WAIT FOR ME!"}, {Region: number(9)},
	}}
	for name, test := range map[string]struct {
		readings []script.Reading
		want     []int
	}{
		"as exported":            {[]script.Reading{{0, "おはよう、みんな！"}, {1, "えっ"}, {2, "えっ"}, {3, "遅刻しちゃう"}}, []int{0, 1, 2, 3}},
		"read a little wrong":    {[]script.Reading{{0, "おはょう みんな"}, {3, "遅刻しちやラ"}}, []int{0, 3}},
		"other numbers":          {[]script.Reading{{0, "遅刻しちゃう"}, {1, "おはよう、みんな！"}}, []int{3, 0}},
		"punctuation and widths": {[]script.Reading{{5, "Ｗａｉｔ　ｆｏｒ　ｍｅ"}}, []int{4}},
		"one to one":             {[]script.Reading{{5, "えっ"}, {6, "えっ!"}, {7, "えっ?"}}, []int{1, 2, -1}},
		"by the number alone":    {[]script.Reading{{9, "なんでも"}}, []int{5}},
		"unknown":                {[]script.Reading{{3, "知らない話だ"}, {4, ""}}, []int{-1, -1}},
		"the more alike wins":    {[]script.Reading{{7, "遅刻しちや"}, {8, "遅刻しちゃう"}}, []int{-1, 3}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			require.Equal(t, test.want, page.Match(test.readings))
		})
	}
}

func TestNormalize(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"Ｈｅｌｌｏ, World!": "helloworld", "ｶﾞﾝ ﾊﾞﾚ！": "ガンバレ", "……！ ？": "......!?", "Straße": "strasse", "": "",
	} {
		require.Equal(t, want, script.Normalize(text))
	}
}
