package pdfedit

import (
	"github.com/pdfcpu/pdfcpu/pkg/pdfcpu/types"

	"plait/internal/document/pdfedit/source"
)

// replacements are the entries of marked content and of structure elements that viewers read out or extract in place of the glyphs.
var replacements = []string{"ActualText", "Alt", "E"}

// maxTree bounds the depth of number trees and of structure elements.
const maxTree = 64

// dropReplacements removes the replacements of the structure elements that have these marked contents, and of the elements around them:
// otherwise readers would go on to read the text that was there.
func dropReplacements(file *source.File, page types.Dict, marks map[int]bool) {
	key, ok := file.Number(page["StructParents"])
	if !ok || len(marks) == 0 {
		return
	}
	tree := file.Dict(file.Dict(file.Catalog["StructTreeRoot"])["ParentTree"])
	elements := file.Array(lookup(file, tree, int(key), 0))
	for mark := range marks {
		if mark < 0 || mark >= len(elements) {
			continue
		}
		element := file.Dict(elements[mark])
		for depth := 0; element != nil && depth < maxTree; depth++ {
			for _, replacement := range replacements {
				delete(element, replacement)
			}
			element = file.Dict(element["P"])
		}
	}
}

// lookup returns the value of a number tree, nil if there is none.
func lookup(file *source.File, node types.Dict, key, depth int) types.Object {
	if node == nil || depth > maxTree {
		return nil
	}
	numbers := file.Array(node["Nums"])
	for i := 0; i+1 < len(numbers); i += 2 {
		if n, ok := file.Number(numbers[i]); ok && int(n) == key {
			return numbers[i+1]
		}
	}
	for _, kid := range file.Array(node["Kids"]) {
		dict := file.Dict(kid)
		limits := file.Array(dict["Limits"])
		if len(limits) == 2 {
			low, _ := file.Number(limits[0])
			high, _ := file.Number(limits[1])
			if key < int(low) || key > int(high) {
				continue
			}
		}
		if value := lookup(file, dict, key, depth+1); value != nil {
			return value
		}
	}
	return nil
}
