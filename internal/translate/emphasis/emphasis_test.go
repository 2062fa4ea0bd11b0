package emphasis_test

import (
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/require"

	"plait/internal/translate/emphasis"
)

func TestTidy(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ name, text, want, plain string }{
		{"no tag", "Run < now", "Run < now", "Run < now"},
		{"a pair", "Not <em>you</em>!", "Not <em>you</em>!", "Not you!"},
		{"two pairs", "<em>Run</em>, <em>now</em>", "<em>Run</em>, <em>now</em>", "Run, now"},
		{"another form", "Not < EM >you</Em >", "Not <em>you</em>", "Not you"},
		{"spaces inside", "Not<em> you </em>there", "Not <em>you</em> there", "Not you there"},
		{"nothing inside", "Not <em></em>you", "Not you", "Not you"},
		{"only the first", "Not <em>you", "Not you", "Not you"},
		{"only the last", "Not you</em>", "Not you", "Not you"},
		{"one in another", "<em>Not <em>you</em></em>", "Not you", "Not you"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			require.Equal(t, c.want, emphasis.Tidy(c.text))
			require.Equal(t, c.plain, emphasis.Plain(c.text))
		})
	}
}

func TestRunes(t *testing.T) {
	t.Parallel()
	require.Equal(t, []bool{false, true, true, false}, emphasis.Runes(emphasis.Split("私<em>は私</em>。")))
	require.Nil(t, emphasis.Runes(emphasis.Split("私は私。")))
}

func FuzzTidy(f *testing.F) {
	for _, text := range []string{"a <em>b</em>", "<em><em>", "</em>", "<<em>/em>", "<em>私</em>は", "<em> </em>"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		plain, parts := emphasis.Split(text)
		at := 0
		for _, p := range parts {
			require.LessOrEqual(t, at, p.From)
			require.Less(t, p.From, p.End)
			at = p.End
		}
		require.LessOrEqual(t, at, len(plain))
		if in := emphasis.Runes(plain, parts); in != nil {
			require.Len(t, in, utf8.RuneCountInString(plain))
		}
		require.LessOrEqual(t, len(emphasis.Plain(emphasis.Tidy(text))), len(text))
	})
}
