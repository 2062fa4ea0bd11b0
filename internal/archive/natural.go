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

// SortNaturally sorts items by their paths as a reader expects: folder by folder, names by the root collation of Unicode (CLDR),
// and runs of digits of any script by their value, so that 2 comes before 10. A file comes before those whose longer names begin
// with its own ("page.jpg", "page 2.jpg"), whatever their extensions. Names that collate equally are ordered by their bytes. The
// order depends on the names alone, not on a locale; it is fixed by the version of golang.org/x/text.
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

// naturalKey are the collation keys of the folders of a path, of the file's name and of its extension.
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
