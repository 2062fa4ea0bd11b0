package languages_test

import (
	"strings"
	"testing"

	"plait/internal/core"
	"plait/internal/languages"

	"github.com/stretchr/testify/require"
)

func TestLanguagesHaveOneCanonicalName(t *testing.T) {
	for tag, want := range map[string]string{
		"ja": "ja", "JA": "ja", "ja-JP": "ja", "zh": "zh-Hans", "zh-CN": "zh-Hans", "zh-TW": "zh-Hant", "zh-Hant": "zh-Hant",
		"en-US": "en", "no": "nb", "pt-BR": "pt", "ko-KR": "ko", "iw": "he", "ar-EG": "ar",
	} {
		got, err := languages.ParseTarget(tag)
		require.NoError(t, err, tag)
		require.Equal(t, want, got, tag)
	}
	auto, err := languages.ParseSource("auto")
	require.NoError(t, err)
	require.Equal(t, languages.Auto, auto)
	for tag, want := range map[string]string{"ko-KR": "ko", "ru": "ru", "uk": "uk", "bg-BG": "bg", "vi": "vi"} {
		got, err := languages.ParseSource(tag)
		require.NoError(t, err, tag)
		require.Equal(t, want, got, tag)
	}
	for _, tag := range []string{"", "auto", "und", "und-Latn", "und-JP", "xx", "tlh", "th", "hi", "en_", strings.Repeat("a", 10_000), "\x00"} {
		_, err := languages.ParseTarget(tag)
		require.Equal(t, core.CodeUnknownLanguage, core.CodeOf(err), "%.20q", tag)
		require.Less(t, len(err.Error()), 400)
	}
}
