package llmtest_test

import (
	"testing"
	"unicode"

	"github.com/stretchr/testify/require"

	"plait/internal/llmtest"
)

func FuzzMarkIsReversible(f *testing.F) {
	for _, seed := range []string{"", "Hello, you!", "こんにちは", "~ rot", "混ぜた mixed 😀"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, source string) {
		source = string([]rune(source)) // a string of Unicode is what it speaks of
		require.Equal(t, source, llmtest.Unmark(llmtest.Mark(source)))
	})
}

func TestMarkIsLatinAndNotTheSource(t *testing.T) {
	t.Parallel()
	for _, source := range []string{"Hello!", "行くぞ！", "Ünïcode"} {
		marked := llmtest.Mark(source)
		require.NotEqual(t, source, marked)
		for _, r := range marked {
			require.Less(t, r, rune(unicode.MaxASCII))
		}
	}
}
