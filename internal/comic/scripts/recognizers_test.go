package scripts_test

import (
	"context"
	"errors"
	"image"
	"testing"

	"github.com/stretchr/testify/require"

	"plait/internal/comic/ocr"
	"plait/internal/comic/scripts"
	"plait/internal/raster"
)

// lines is a reader that identifies each line by its upper left corner, and counts its calls.
type lines struct {
	readings []ocr.Reading
	asked    int
}

func (l *lines) Read(_ context.Context, _ *image.NRGBA, quads []raster.Quad) ([]ocr.Reading, error) {
	var found []ocr.Reading
	for _, q := range quads {
		l.asked++
		found = append(found, l.readings[int(q[0][0])])
	}
	return found, nil
}

type broken struct{}

var errBroken = errors.New("broken")

func (broken) Read(context.Context, *image.NRGBA, []raster.Quad) ([]ocr.Reading, error) {
	return nil, errBroken
}

func TestReread(t *testing.T) {
	t.Parallel()
	said := func(text string, prob float64) ocr.Reading { return ocr.Reading{Text: text, Prob: prob} }
	japanese := []string{"Hiragana", "Katakana", "Han"}
	for name, c := range map[string]struct {
		scripts    []string
		language   string
		given      bool
		base, more []ocr.Reading
		want       []string
		asked      int
	}{
		"a page in the script, given": {
			[]string{"Cyrillic"}, "ru", true,
			[]ocr.Reading{said("CCCP", 0.99), said("Hello", 0.99), said("Bot", 0.95), said("???", 0.3)},
			[]ocr.Reading{said("СССР", 0.97), said("Hello", 0.99), said("Вот", 0.5), said("да", 0.4)},
			[]string{"СССР", "Hello", "Bot", "да"}, 4,
		},
		"another language, given": {
			[]string{"Cyrillic"}, "ja", true, []ocr.Reading{said("夜", 0.2)}, []ocr.Reading{said("да", 1)}, []string{"夜"}, 0,
		},
		"told by a doubtful line": {
			[]string{"Hangul"}, "en", false,
			[]ocr.Reading{said("OI", 0.95), said("早", 0.4)}, []ocr.Reading{said("이", 0.9), said("안녕", 0.98)},
			[]string{"이", "안녕"}, 2,
		},
		"nothing doubtful": {
			[]string{"Hangul"}, "en", false, []ocr.Reading{said("Oh", 0.95)}, []ocr.Reading{said("이", 0.9)}, []string{"Oh"}, 0,
		},
		"doubtful, but in no such script": {
			[]string{"Hangul"}, "en", false,
			[]ocr.Reading{said("Ugh", 0.7), said("Oh", 0.95)}, []ocr.Reading{said("Ugh", 0.99), said("이", 0.9)},
			[]string{"Ugh", "Oh"}, 1,
		},
		"a script that the base knows": {
			japanese, "ja", true,
			[]ocr.Reading{said("夜", 0.95), said("朋", 0.6), said("タ", 0.8)}, []ocr.Reading{said("夕", 1), said("朝", 0.9), said("夕", 0.7)},
			[]string{"夜", "朝", "タ"}, 2,
		},
		"a page of another language": {
			japanese, "en", false, []ocr.Reading{said("UGH", 0.5)}, []ocr.Reading{said("うぐ", 0.9)}, []string{"UGH"}, 0,
		},
		"an unknown language": {
			[]string{"Thai"}, "?", true, []ocr.Reading{said("UGH", 0.5)}, []ocr.Reading{said("ก", 0.9)}, []string{"UGH"}, 0,
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			more := &lines{readings: c.more}
			p := scripts.Page{Readings: c.base, Language: c.language, Given: c.given}
			for i := range c.base {
				p.Quads = append(p.Quads, raster.Quad{{float64(i), 0}})
			}
			require.NoError(t, scripts.Reread(t.Context(), []scripts.Recognizer{{Reader: more, Scripts: c.scripts}}, p))
			var texts []string
			for _, r := range p.Readings {
				texts = append(texts, r.Text)
			}
			require.Equal(t, c.want, texts)
			require.Equal(t, c.asked, more.asked)
		})
	}
	p := scripts.Page{Quads: make([]raster.Quad, 1), Readings: make([]ocr.Reading, 1), Language: "ja"}
	err := scripts.Reread(t.Context(), []scripts.Recognizer{{Reader: broken{}, Scripts: japanese}}, p)
	require.ErrorIs(t, err, errBroken)
}

func TestScriptsThatNobodyReads(t *testing.T) {
	t.Parallel()
	hangul := []scripts.Recognizer{{Scripts: []string{"Hangul"}}}
	for tag, want := range map[string][]string{
		"en": nil, "ja": nil, "zh-Hant": nil, "ko": {"Hangul"}, "ru": {"Cyrillic"}, "uk": {"Cyrillic"}, "bg": {"Cyrillic"}, "": nil, "auto": nil,
	} {
		require.Equal(t, want, scripts.Lacking(nil, tag), tag)
	}
	require.Empty(t, scripts.Lacking(hangul, "ko"))
	require.Equal(t, []string{"Cyrillic"}, scripts.Lacking(hangul, "ru"))
}
