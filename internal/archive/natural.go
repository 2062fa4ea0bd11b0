package archive

import (
	"bytes"
	"cmp"
	"path"
	"slices"
	"strings"

	"golang.org/x/text/collate"
	"golang.org/x/text/language"
)

// SortNaturally sorts items by their paths in natural order: folder by folder, names by Unicode's root collation (CLDR), and runs of
// digits of any script by their value, so that 2 comes before 10. A file comes before files whose longer names begin with its own
// ("page.jpg", "page 2.jpg"), whatever their extensions. Names that collate equally are ordered by their bytes. The order depends only
// on the names and the version of golang.org/x/text, not on a locale.
func SortNaturally[T any](items []T, name func(T) string) {
	type keyed struct {
		item T
		name string
		key  [][]byte
	}
	c, all := collate.New(language.Und, collate.Numeric), make([]keyed, len(items))
	for i, item := range items {
		all[i] = keyed{item, name(item), naturalKey(c, name(item))}
	}
	slices.SortStableFunc(all, func(a, b keyed) int {
		return cmp.Or(slices.CompareFunc(a.key, b.key, bytes.Compare), strings.Compare(a.name, b.name))
	})
	for i, k := range all {
		items[i] = k.item
	}
}

// naturalKey returns the collation keys of each folder of a path, of the file name without its extension, and of the extension.
func naturalKey(c *collate.Collator, p string) [][]byte {
	parts := strings.Split(p, "/")
	file := parts[len(parts)-1]
	ext := path.Ext(file)
	parts = append(parts[:len(parts)-1], strings.TrimSuffix(file, ext), ext)
	key := make([][]byte, len(parts))
	for i, part := range parts {
		key[i] = c.KeyFromString(new(collate.Buffer), part)
	}
	return key
}
