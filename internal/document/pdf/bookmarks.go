package pdf

import (
	"context"

	"github.com/pdfcpu/pdfcpu/pkg/pdfcpu/model"
	"github.com/pdfcpu/pdfcpu/pkg/pdfcpu/types"

	"plait/internal/document"
)

// The limits of an outline. What is beyond them is not read.
const (
	maxBookmarks    = 10_000
	maxDestinations = 100_000
)

// Bookmarks returns the bookmarks of the file in their order. One that leads to no page of it has the page of the one before. A damaged outline
// has those that can be read.
func (f *File) Bookmarks(ctx context.Context) ([]document.Bookmark, error) {
	if f.outlined {
		return f.bookmarks, nil
	}
	objects, err := f.Objects(ctx)
	if err != nil {
		return nil, err
	}
	f.bookmarks, f.outlined = readOutline(objects), true
	return f.bookmarks, nil
}

// readOutline returns the bookmarks up to one on which the object model fails: that costs no page.
func readOutline(objects *model.XRefTable) []document.Bookmark {
	o := outline{objects: objects, seen: map[int]bool{}}
	func() {
		var err error
		defer recovered(&err)
		o.read()
	}()
	return o.list
}

// outline reads the outline of a file.
type outline struct {
	objects *model.XRefTable
	// seen are the objects that were visited: files may have circles.
	seen map[int]bool
	// pages are the positions of pages by their objects, and named the destinations with a name.
	pages map[int]int
	named map[string]types.Object
	// list are the bookmarks so far.
	list []document.Bookmark
}

func (o *outline) read() {
	catalog, err := o.objects.Catalog()
	if err != nil {
		return
	}
	root := o.dict(catalog["Outlines"])
	if root == nil {
		return
	}
	o.collect(catalog)
	page := 0
	for open := []types.Object{root["First"]}; len(open) > 0 && len(o.list) < maxBookmarks; {
		at := open[len(open)-1]
		open = open[:len(open)-1]
		item := o.dict(at)
		if item == nil || !o.first(at) {
			continue
		}
		if to, ok := o.leadsTo(item); ok {
			page = to
		}
		if title := o.text(item["Title"]); title != "" {
			o.list = append(o.list, document.Bookmark{Title: title, Page: page})
		}
		open = append(open, item["Next"], item["First"])
	}
}

// collect finds the pages and the names of destinations.
func (o *outline) collect(catalog types.Dict) {
	o.pages, o.named = map[int]int{}, map[string]types.Object{}
	o.walk(catalog["Pages"], func(at types.Object, node types.Dict) {
		if ref, ok := at.(types.IndirectRef); ok && node["Kids"] == nil {
			o.pages[ref.ObjectNumber.Value()] = len(o.pages)
		}
	})
	for name, to := range o.dict(catalog["Dests"]) {
		o.named[name] = to
	}
	o.walk(o.dict(catalog["Names"])["Dests"], func(_ types.Object, node types.Dict) {
		entries := o.array(node["Names"])
		for i := 0; i+1 < len(entries) && len(o.named) < maxDestinations; i += 2 {
			o.named[o.text(entries[i])] = entries[i+1]
		}
	})
}

// walk visits the nodes of a tree of /Kids in their order.
func (o *outline) walk(root types.Object, visit func(types.Object, types.Dict)) {
	for open := []types.Object{root}; len(open) > 0; {
		at := open[len(open)-1]
		open = open[:len(open)-1]
		node := o.dict(at)
		if node == nil || !o.first(at) {
			continue
		}
		visit(at, node)
		kids := o.array(node["Kids"])
		for i := len(kids) - 1; i >= 0; i-- {
			open = append(open, kids[i])
		}
	}
}

// first reports whether an object is visited for the first time.
func (o *outline) first(at types.Object) bool {
	ref, ok := at.(types.IndirectRef)
	if !ok {
		return true
	}
	number := ref.ObjectNumber.Value()
	was := o.seen[number]
	o.seen[number] = true
	return !was
}

// leadsTo returns the position of the page to which a bookmark leads: by its destination, or by an action that goes there.
func (o *outline) leadsTo(item types.Dict) (page int, ok bool) {
	to := item["Dest"]
	if action := o.dict(item["A"]); to == nil && action != nil {
		to = action["D"]
	}
	for range 4 { // a name stands for a destination, or for a dictionary with one
		to, _ = o.objects.Dereference(to)
		switch t := to.(type) {
		case types.Array:
			if len(t) == 0 {
				return 0, false
			}
			ref, isRef := t[0].(types.IndirectRef)
			if !isRef {
				return 0, false
			}
			page, ok = o.pages[ref.ObjectNumber.Value()]
			return page, ok
		case types.Dict:
			to = t["D"]
		case types.Name:
			to = o.named[string(t)]
		default:
			to = o.named[o.text(to)]
		}
	}
	return 0, false
}

func (o *outline) dict(of types.Object) types.Dict {
	d, _ := o.objects.DereferenceDict(of)
	return d
}

func (o *outline) array(of types.Object) types.Array {
	a, _ := o.objects.DereferenceArray(of)
	return a
}

// text decodes a string; empty for any other object.
func (o *outline) text(of types.Object) string {
	of, err := o.objects.Dereference(of)
	if err != nil || of == nil {
		return ""
	}
	text, err := model.Text(of)
	if err != nil {
		return ""
	}
	return text
}
