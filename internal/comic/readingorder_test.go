package comic_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"plait/internal/comic"
	"plait/internal/core"
)

func TestReadingOrder(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		order, language string
		rightToLeft     bool
	}{
		{"", "ja", true}, {"auto", "zh-Hant", true}, {"auto", "zh-Hans", false}, {"", "en", false},
		{"ltr", "ja", false}, {"rtl", "en", true},
	} {
		o, err := comic.ParseReadingOrder(c.order)
		require.NoError(t, err)
		require.Equal(t, c.rightToLeft, o.RightToLeft(c.language), "%v", c)
	}
	_, err := comic.ParseReadingOrder("up")
	require.Equal(t, core.CodeInvalidInput, core.CodeOf(err))
}
