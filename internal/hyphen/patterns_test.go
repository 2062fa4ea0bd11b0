package hyphen_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"plait/internal/assets/assetstest"
	"plait/internal/core"
	"plait/internal/hyphen"
)

func patterns(t *testing.T, lang string) *hyphen.Patterns {
	t.Helper()
	p, err := hyphen.Load(assetstest.Location(), lang)
	require.NoError(t, err)
	return p
}

func TestPatternsAreThoseOfTheLanguage(t *testing.T) {
	t.Parallel()
	require.Equal(t, "stra-ßen-bahn", divided(patterns(t, "de-AT"), "straßenbahn"))
	require.Nil(t, patterns(t, "ja"))
	_, err := hyphen.Load(t.TempDir(), "de")
	require.Equal(t, core.CodeModelMissing, core.CodeOf(err), "%v", err)
}

func TestWordsAreHyphenatedByTheirLanguage(t *testing.T) {
	t.Parallel()
	for lang, words := range map[string][]string{
		"en": {"hy-phen-ation", "demon-stra-tion", "ta-ble", "cats", "fan-tas-tic", "reci-procity"},
		"de": {"stra-ßen-bahn", "schiff-fahrt", "über-mor-gen", "zau-be-rin"},
		"fr": {"de-main", "sor-cière", "ma-gni-fique"},
		"es": {"ma-ra-vi-lloso", "ade-lante"},
		"it": {"me-ra-vi-glioso"},
		"nl": {"hek-sen-mees-ter"},
		"pt": {"ma-ra-vi-lhoso"},
		"pl": {"cza-row-nica"},
		"sv": {"trol-leri"},
		"da": {"trold-man-den"},
		"nb": {"hek-seri"},
		"fi": {"noi-ta-vaino"},
		"ru": {"вол-шеб-ница"},
	} {
		p := patterns(t, lang)
		for _, want := range words {
			require.Equal(t, want, divided(p, strings.ReplaceAll(want, "-", "")), lang)
		}
	}
}

func TestShortAndEndlessWordsAreNotHyphenated(t *testing.T) {
	t.Parallel()
	p := patterns(t, "en")
	for _, word := range []string{"", "a", "idea", "ago", strings.Repeat("abc", 100)} {
		require.Empty(t, p.Divide([]rune(word)), word)
	}
}

func TestParseRejectsInvalidFiles(t *testing.T) {
	t.Parallel()
	for _, file := range []string{
		"", "})(this, [", "})(this, [[], {}])", "})(this, [[[1]], {a: 1}, {}])", "})(this, [[[1]], {a: {}, 'b}, {}])",
		"})(this, [" + strings.Repeat("[", 1000),
	} {
		_, err := hyphen.Parse(file)
		require.Error(t, err, file)
	}
}

func FuzzParse(f *testing.F) {
	f.Add("})(this, [[[0, 1], [2]], {a: [{b: 0}, 1], \"'\": 1}, {table: [2]}])", "table")
	f.Add("})(this, [[], {}, {}])", "word")
	f.Fuzz(func(t *testing.T, file, word string) {
		p, err := hyphen.Parse(file)
		if err != nil {
			return
		}
		letters := []rune(word)
		for _, at := range p.Divide(letters) {
			require.Less(t, at, len(letters))
			require.Positive(t, at)
		}
	})
}

func divided(p *hyphen.Patterns, word string) string {
	letters, from := []rune(word), 0
	var parts []string
	for _, at := range p.Divide(letters) {
		parts = append(parts, string(letters[from:at]))
		from = at
	}
	return strings.Join(append(parts, string(letters[from:])), "-")
}
