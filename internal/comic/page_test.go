package comic_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"plait/internal/comic"
)

func TestCodePoints(t *testing.T) {
	t.Parallel()
	for characters, want := range map[string]string{
		"": "", "ᚠ\U0001D11E": "U+16A0 ᚠ, U+1D11E \U0001D11E", "\u0301\ue000": "U+0301, U+E000",
		strings.Repeat("ᚠ", 9): strings.Repeat("U+16A0 ᚠ, ", 8) + "…",
	} {
		require.Equal(t, want, comic.CodePoints(characters))
	}
}
