package pdfedit

import (
	"context"
	"maps"
	"slices"

	"github.com/pdfcpu/pdfcpu/pkg/pdfcpu/types"

	"plait/internal/document/pdfedit/output"
	"plait/internal/document/pdfedit/source"
)

// graph copies the objects of the source that can be reached from the catalog, each once. What an edit has replaced is not reached any more
// and stays behind.
type graph struct {
	file *source.File
	out  *output.File
	// clean changes a dictionary before it is copied, in place.
	clean  func(types.Dict)
	queue  []int
	queued map[int]bool
}

// copyFrom copies the object with a number and all that it refers to, in an order that depends on nothing but the file.
func (g *graph) copyFrom(ctx context.Context, number int) error {
	g.reach(number)
	for len(g.queue) > 0 {
		if err := ctx.Err(); err != nil {
			return err
		}
		next := g.queue[0]
		g.queue = g.queue[1:]
		if err := g.copy(next); err != nil {
			return err
		}
	}
	return nil
}

func (g *graph) reach(number int) {
	// Objects that this package has made are written by who made them.
	if number <= 0 || number >= g.file.Next || g.queued[number] {
		return
	}
	g.queued[number] = true
	g.queue = append(g.queue, number)
}

func (g *graph) copy(number int) error {
	object := g.file.Object(number)
	if stream, ok := object.(types.StreamDict); ok {
		g.visit(stream.Dict)
		return g.out.Stream(number, stream.Dict, stream.Raw)
	}
	g.visit(object)
	return g.out.Object(number, object)
}

// visit cleans the dictionaries of an object and reaches what it refers to.
func (g *graph) visit(object types.Object) {
	switch o := object.(type) {
	case types.IndirectRef:
		g.reach(o.ObjectNumber.Value())
	case types.Array:
		for _, element := range o {
			g.visit(element)
		}
	case types.Dict:
		g.clean(o)
		for _, key := range slices.Sorted(maps.Keys(o)) {
			g.visit(o[key])
		}
	}
}
