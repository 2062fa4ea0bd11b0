package pdfedit

import (
	"fmt"
	"maps"

	"github.com/pdfcpu/pdfcpu/pkg/pdfcpu/types"

	"plait/internal/document/pdfedit/source"
)

// withResource returns a copy of resources with one more of a kind, such as Font, under a name that is free. The name begins with prefix.
func withResource(file *source.File, resources types.Dict, kind, prefix string, value types.Object) (types.Dict, string) {
	copied := maps.Clone(resources)
	if copied == nil {
		copied = types.Dict{}
	}
	entries := maps.Clone(file.Dict(resources[kind]))
	if entries == nil {
		entries = types.Dict{}
	}
	name := prefix
	for n := 1; entries[name] != nil; n++ {
		name = fmt.Sprintf("%s%d", prefix, n)
	}
	entries[name] = value
	copied[kind] = entries
	return copied, name
}
