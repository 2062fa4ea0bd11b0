package pdfedit

import (
	"maps"
	"slices"

	"github.com/pdfcpu/pdfcpu/pkg/pdfcpu/model"
	"github.com/pdfcpu/pdfcpu/pkg/pdfcpu/types"

	"plait/internal/document/pdfedit/source"
)

// setLabels gives every page the label that it has in the source, if pages were added or left out. A page and its translation have the same.
func (d *writer) setLabels() {
	ranges := map[int]types.Dict{}
	collectLabels(d.file, d.file.Dict(d.file.Catalog["PageLabels"]), ranges, 0)
	if len(ranges) == 0 || len(d.labels) == len(d.file.Pages) && len(d.twins) == 0 {
		return
	}
	starts := slices.Sorted(maps.Keys(ranges))
	var entries types.Array
	for position, index := range d.labels {
		at, found := slices.BinarySearch(starts, index)
		if !found {
			at--
		}
		label := types.Dict{}
		if at >= 0 {
			label = maps.Clone(ranges[starts[at]])
			first, ok := d.file.Number(label["St"])
			if !ok {
				first = 1
			}
			label["St"] = types.Integer(int(first) + index - starts[at])
		}
		entries = append(entries, types.Integer(position), label)
	}
	d.file.Catalog["PageLabels"] = types.Dict{"Nums": entries}
}

// collectLabels collects the ranges of a tree of labels by their first page.
func collectLabels(file *source.File, node types.Dict, ranges map[int]types.Dict, depth int) {
	if node == nil || depth > maxTree {
		return
	}
	entries := file.Array(node["Nums"])
	for i := 0; i+1 < len(entries); i += 2 {
		start, ok := file.Number(entries[i])
		if label := file.Dict(entries[i+1]); ok && label != nil {
			ranges[int(start)] = label
		}
	}
	for _, kid := range file.Array(node["Kids"]) {
		collectLabels(file, file.Dict(kid), ranges, depth+1)
	}
}

// setTitles translates the titles of the outline.
func setTitles(file *source.File, translate func(string) string) {
	seen := map[int]bool{}
	pending := []types.Object{file.Dict(file.Catalog["Outlines"])["First"]}
	for len(pending) > 0 {
		item, ok := pending[len(pending)-1].(types.IndirectRef)
		pending = pending[:len(pending)-1]
		dict := file.Dict(item)
		if !ok || dict == nil || seen[item.ObjectNumber.Value()] {
			continue
		}
		seen[item.ObjectNumber.Value()] = true
		if title, err := model.Text(file.Resolve(dict["Title"])); err == nil && title != "" {
			dict["Title"] = types.NewHexLiteral([]byte(types.EncodeUTF16String(translate(title))))
		}
		pending = append(pending, dict["Next"], dict["First"])
	}
}
