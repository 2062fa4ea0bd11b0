package archive_test

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"plait/internal/archive"
)

func TestNaturalOrder(t *testing.T) {
	t.Parallel()
	for name, ordered := range map[string][]string{
		"numbers":           {"1.jpg", "2.jpg", "10.jpg", "100.jpg"},
		"zeros":             {"p001.jpg", "p2.jpg", "p010.jpg"},
		"equal values":      {"p01.jpg", "p1.jpg", "p2.jpg"},
		"folders":           {"ch 2/10.jpg", "ch 10/1.jpg", "ch 10/2.jpg"},
		"folder of a name":  {"a/b", "a b/a"},
		"case":              {"a1.jpg", "A2.jpg", "b1.jpg", "B2.jpg"},
		"shorter first":     {"page.jpg", "page 2.jpg", "page-3.jpg"},
		"extension":         {"a.jpg", "a.png", "a2.bmp"},
		"full width":        {"１.jpg", "2.jpg", "１０.jpg"},
		"Arabic-Indic":      {"٢.jpg", "١٠.jpg"},
		"Japanese":          {"第2話/1.jpg", "第10話/1.jpg"},
		"parts of chapters": {"10.5/1.jpg", "10.10/1.jpg", "11/1.jpg"},
		"long numbers":      {"99999999999999999999998.jpg", "99999999999999999999999.jpg", "100000000000000000000000.jpg"},
		"accents by case":   {"É1.jpg", "é2.jpg"},
		"cover":             {"000.jpg", "001.jpg", "cover.jpg"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			shuffled := slices.Clone(ordered)
			slices.Reverse(shuffled)
			archive.SortNaturally(shuffled, func(s string) string { return s })
			require.Equal(t, ordered, shuffled)
		})
	}
}

func FuzzSortNaturally(f *testing.F) {
	f.Add("a2", "a10", "A10")
	f.Add("a/2.jpg", "a 2.jpg", "a")
	f.Add("１", "1", "01")
	f.Add("\xff", "\xfe/", "k\u212a")
	f.Fuzz(func(t *testing.T, a, b, c string) {
		itself := func(s string) string { return s }
		want := []string{a, b, c}
		archive.SortNaturally(want, itself)
		for _, got := range [][]string{{a, c, b}, {b, a, c}, {b, c, a}, {c, a, b}, {c, b, a}} {
			archive.SortNaturally(got, itself)
			require.Equal(t, want, got, "the order does not depend on how the names came")
		}
	})
}
