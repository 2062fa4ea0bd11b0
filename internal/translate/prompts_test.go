package translate_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"plait/internal/core"
	"plait/internal/llmtest"
	"plait/internal/translate"
)

// told is the system text for a page of that pair of languages.
func told(t *testing.T, domain, dir, from, to string) string {
	t.Helper()
	prompts, err := translate.LoadPrompts(domain, dir)
	require.NoError(t, err)
	s := llmtest.New(t)
	r := request("おはよう")
	r.From, r.To = from, to
	_, err = newTranslator(t, s, &memory{}, func(c *translate.Config) { c.Prompts = prompts }).Translate(t.Context(), r)
	require.NoError(t, err)
	return s.Calls()[0].System
}

func TestDomainsAndStyles(t *testing.T) {
	t.Parallel()
	comic := told(t, "comic", "", "ja", "en")
	require.True(t, strings.HasPrefix(comic, "You translate comics from Japanese into English."))
	require.Contains(t, comic, "- Honorifics: keep -san")
	require.Contains(t, told(t, "medical", "", "ja", "de"), "doses")
	require.NotContains(t, told(t, "general", "", "ja", "de"), "Honorifics")
	require.Contains(t, told(t, "general", "", "ko", "en-GB"), "오빠", "a style is that of the languages, not of their regions")
}

// A person's own files go before the embedded ones, and cannot change what an answer must look like.
func TestOwnPrompts(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(dir, "comic.txt"), []byte("Be brief in {{.To}}.\x00"), 0o600))
	require.NoError(t, os.WriteFile(filepath.Join(dir, "style.ja-en.txt"), []byte("- No suffixes."), 0o600))
	require.NoError(t, os.WriteFile(filepath.Join(dir, "broken.txt"), []byte("{{.Nothing}}"), 0o600))
	require.NoError(t, os.WriteFile(filepath.Join(dir, "long.txt"), []byte(strings.Repeat("long ", 20_000)), 0o600))
	own := told(t, "comic", dir, "ja", "en")
	require.True(t, strings.HasPrefix(own, "Be brief in English.\n"))
	require.True(t, strings.HasSuffix(own, "- No suffixes."))
	require.Contains(t, own, "exactly once")
	for _, domain := range []string{"broken", "long", "absent", "../comic", ""} {
		_, err := translate.LoadPrompts(domain, dir)
		require.Equal(t, core.CodeInvalidInput, core.CodeOf(err), domain)
	}
}
