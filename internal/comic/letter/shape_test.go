package letter

import (
	"path/filepath"
	"testing"

	"github.com/go-text/typesetting/font"
	"github.com/stretchr/testify/require"

	"plait/internal/assets/assetstest"
	"plait/internal/fontfile"
)

// The axis of a column is x = 0, and the cell is from y = 0 to 1 em. Marks and small kana are to the right in the upper half.
func TestFormsForColumns(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"MPLUSRounded1c_700Bold", "ZenMaruGothic_700Bold", "NotoSansJP_700Bold"} {
		f, err := fontfile.Read(filepath.Join(assetstest.Dir(t), "fonts", name+".ttf"))
		require.NoError(t, err)
		text := []rune("話、っ…。12。")
		set := newTypesetter().shape(text, target{lang: "ja", script: japanese}, fontChain{font.NewFace(f)}, true)
		require.Len(t, set, len(text)-1, name)
		require.True(t, set[3].glyphs[0].sideways, "%s: the ellipsis is turned", name)
		for _, at := range []int{1, 2, 4, 6} {
			g := set[at].glyphs[0]
			ink, ok := g.face.GlyphExtents(g.id)
			require.True(t, ok)
			em := float64(f.Upem())
			x, y := g.x+float64(ink.XBearing+ink.Width/2)/em, g.y-float64(ink.YBearing+ink.Height/2)/em
			require.Greater(t, x, 0.05, "%s: number %d in its cell", name, at)
			require.Less(t, y, 0.55, "%s: number %d in its cell", name, at)
		}
	}
}

// A letter with dots is composed of the letter and the dots. Its form in a word shows in its width: a final ي is twice as wide as a medial
// one.
func TestArabicLettersJoin(t *testing.T) {
	t.Parallel()
	f, err := fontfile.Read(filepath.Join(assetstest.Dir(t), "fonts", "NotoSansArabic_700Bold.ttf"))
	require.NoError(t, err)
	for _, c := range []struct {
		word   string
		letter int
	}{{"بيت", 1}, {"ضوئنا", 2}, {"الصغير", 4}, {"منارة", 1}} {
		alone := newTypesetter().shape([]rune(c.word)[c.letter:c.letter+1], target{lang: "ar", script: arabic}, fontChain{font.NewFace(f)}, false)
		joined := newTypesetter().shape([]rune(c.word), target{lang: "ar", script: arabic}, fontChain{font.NewFace(f)}, false)
		require.Len(t, joined, len([]rune(c.word)))
		require.Less(t, joined[c.letter].advance, 0.75*alone[0].advance, "letter %d of %s", c.letter, c.word)
	}
}
