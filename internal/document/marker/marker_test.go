package marker_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"plait/internal/document/marker"
)

func TestCleanMendsWhatModelsMakeOfMarkers(t *testing.T) {
	for given, want := range map[string]string{
		"a {v1} b {v0}":               "a {v1} b {v0}",
		"a { v1 } b {v 0}":            "a {v1} b {v0}",
		"a { v 1 } b {V0}":            "a {v1} b {v0}",
		"a {v1.} b {v0,}":             "a {v1} b {v0}",
		"a {v1。} b {v0，}":             "a {v1} b {v0}",
		"a ｛v1｝ b {{v0}}":             "a {v1} b {v0}",
		"a {ｖ１} b \\{v0\\}":           "a {v1} b {v0}",
		"a `{v1}` b **{v0}**":         "a {v1} b {v0}",
		"a {v1} b {v0} {v2}":          "a {v1} b {v0}",
		"a {v1} b {v0} {vabc} c":      "a {v1} b {v0} c",
		"a {v1} b {v0} {v1abc}":       "a {v1} b {v0}",
		"a {v1} b {v} {v0}":           "a {v1} b {v0}",
		"a {v1} b {v112} {v0}":        "a {v1} b {v0}",
		"a {v1} {v1} b {v0}":          "a {v1} b {v0}",
		"a {v99999999999} {v1} {v0}":  "a {v1} {v0}",
		"{v0}: set {x | x < 1} {v1}":  "{v0}: set {x | x < 1} {v1}",
		"{v0} and {value} and {v1}":   "{v0} and {value} and {v1}",
		"（{v0}）的{v1}。":                "（{v0}）的{v1}。",
		"{v1}{v0}":                    "{v1}{v0}",
		"{v 1}和{ V0 }":                "{v1}和{v0}",
		"keep  two spaces {v0}{v1}":   "keep  two spaces {v0}{v1}",
		"{v0\n} {v1}":                 "{v0} {v1}",
		"{v0} {v1} " + "{v0}{v0}{v0}": "{v0} {v1}",
		"{v0} {v1} {v{v}1}":           "{v0} {v1}",
		"{v0} {v1} {v{v{v2}0}1}":      "{v0} {v1}",
	} {
		clean, missing := marker.Clean(given, 2)
		require.Equal(t, want, clean, given)
		require.Empty(t, missing, given)
	}
}

func TestCleanReportsWhatIsMissing(t *testing.T) {
	for given, want := range map[string][]int{
		"nothing": {0, 1, 2}, "{v1}": {0, 2}, "{v2}{v0}{v1}": nil, "{v0} {v1} {v3}": {2}, "v0 {v1} (v2)": {0, 2},
	} {
		_, missing := marker.Clean(given, 3)
		require.Equal(t, want, missing, given)
	}
	deep := strings.Repeat("{v", 1000) + strings.Repeat("}", 1000) + "{v0}"
	clean, missing := marker.Clean(deep, 1)
	require.Equal(t, []int{0}, missing)
	require.NotContains(t, clean, "{")
	clean, missing = marker.Clean("no formula {v0} here", 0)
	require.Equal(t, "no formula here", clean)
	require.Empty(t, missing)
}

func FuzzClean(f *testing.F) {
	f.Add("{v0} { v 1 }", 2)
	f.Add("{v1abc}｛V０｝", 1)
	f.Add("{v0} {v{v}0}", 1)
	f.Fuzz(func(t *testing.T, text string, formulas int) {
		if formulas < 0 || formulas > 100 {
			return
		}
		clean, missing := marker.Clean(text, formulas)
		exact := 0
		for number := range formulas {
			exact += min(strings.Count(clean, fmt.Sprintf("{v%d}", number)), 1)
		}
		require.Equal(t, formulas-len(missing), exact)
		again, stillMissing := marker.Clean(clean, formulas)
		require.Equal(t, clean, again)
		require.Equal(t, missing, stillMissing)
	})
}
