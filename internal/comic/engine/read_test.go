package engine_test

import (
	"bytes"
	"encoding/json"
	"image"
	"image/color"
	"image/draw"
	"image/png"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/image/font"
	"golang.org/x/image/font/opentype"
	"golang.org/x/image/math/fixed"

	"plait/internal/assets/assetstest"
	"plait/internal/comic"
	"plait/internal/comic/engine"
	"plait/internal/languages"
)

// lettered is a page with each text, of one or more lines, in a white box of its own.
func lettered(t *testing.T, fontFile string, texts ...[]string) []byte {
	t.Helper()
	b, err := os.ReadFile(filepath.Join(assetstest.Open(t).Dir(), "fonts", fontFile))
	require.NoError(t, err)
	parsed, err := opentype.Parse(b)
	require.NoError(t, err)
	face, err := opentype.NewFace(parsed, &opentype.FaceOptions{Size: 34, DPI: 72})
	require.NoError(t, err)
	img := image.NewNRGBA(image.Rect(0, 0, 700, 220*len(texts)))
	draw.Draw(img, img.Rect, image.NewUniform(color.Gray{150}), image.Point{}, draw.Src)
	for i, lines := range texts {
		draw.Draw(img, image.Rect(80, 220*i+30, 620, 220*i+205), image.White, image.Point{}, draw.Src)
		for k, line := range lines {
			d := font.Drawer{Dst: img, Src: image.Black, Face: face, Dot: fixed.P(110, 220*i+100+44*k)}
			d.DrawString(line)
		}
	}
	var file bytes.Buffer
	require.NoError(t, png.Encode(&file, img))
	return file.Bytes()
}

// The base recognizer reads Hangul as spaces and Cyrillic letters as similar Latin ones, often with high confidence.
func TestTextThatNoModelReadsIsNotInvented(t *testing.T) {
	t.Parallel()
	e := open(t, 1, 2)
	for name, page := range map[string][]byte{
		"Korean": lettered(t, "NanumGothic_700Bold.ttf",
			[]string{"오늘 밤은 정말", "어두운데요?"}, []string{"그래, 저 등대가", "꺼졌기 때문이야."}),
		"Russian": lettered(t, "ComicRelief_700Bold.ttf",
			[]string{"ЧТО ЭТО БЫЛО?"}, []string{"НЕ ЗНАЮ,", "НО НАДО", "ПОСМОТРЕТЬ"}),
	} {
		_, found, err := e.Detect(t.Context(), page, comic.Options{From: languages.Auto})
		require.NoError(t, err)
		require.Equal(t, languages.Undetermined, found.FromLang, name)
		require.Len(t, found.Regions, 2, name)
		for _, r := range found.Regions {
			require.True(t, r.Unread, name)
			require.Empty(t, r.Text, name)
			require.Equal(t, comic.KindDialogue, r.Kind, name)
		}
	}
	_, found, err := e.Detect(t.Context(), lettered(t, "ComicRelief_700Bold.ttf",
		[]string{"Cette nuit est très sombre,", "n'est-ce pas ?"}, []string{"Oui, le phare s'est éteint."}), comic.Options{From: languages.Auto})
	require.NoError(t, err)
	require.Equal(t, "fr", found.FromLang)
	require.Len(t, found.Regions, 2)
	require.False(t, found.Regions[0].Unread)
}

func TestReadingIsTheSameTwiceAndOnAnyNumberOfThreads(t *testing.T) {
	t.Parallel()
	b, err := os.ReadFile(filepath.Join(assetstest.ModuleRoot(), "examples", "chapter", "03.png"))
	require.NoError(t, err)
	one, eight := open(t, 1, 1), open(t, 8, 4)
	var want []byte
	for _, e := range []*engine.Engine{one, one, eight} {
		_, found, err := e.Detect(t.Context(), b, comic.Options{From: languages.Auto})
		require.NoError(t, err)
		require.NotEmpty(t, found.Regions)
		found.Elapsed = nil
		got, err := json.Marshal(found)
		require.NoError(t, err)
		if want == nil {
			want = got
		}
		require.JSONEq(t, string(want), string(got))
	}
}

func TestTheReadingOrderCanBeChosen(t *testing.T) {
	t.Parallel()
	e := open(t, 1, 2)
	page := lettered(t, "MPLUSRounded1c_700Bold.ttf", []string{"やさしく？　　　はい、そうです"})
	first := map[comic.ReadingOrder]string{}
	for _, o := range []comic.ReadingOrder{comic.OrderOfLanguage, comic.OrderLeftToRight} {
		_, found, err := e.Detect(t.Context(), page, comic.Options{From: "ja", Order: o})
		require.NoError(t, err)
		require.Len(t, found.Regions, 2)
		first[o] = found.Regions[0].Text
	}
	require.Contains(t, first[comic.OrderOfLanguage], "はい")
	require.Contains(t, first[comic.OrderLeftToRight], "やさしく")
}
