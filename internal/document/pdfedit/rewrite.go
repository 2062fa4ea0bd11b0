package pdfedit

import (
	"maps"
	"slices"

	"github.com/pdfcpu/pdfcpu/pkg/pdfcpu/types"

	"plait/internal/document"
	"plait/internal/document/pdf/content"
	"plait/internal/document/pdfedit/source"
)

// rewritten is the new content of a page.
type rewritten struct {
	content   []byte
	resources types.Dict
	// marks are the identifiers of marked content from which glyphs were removed.
	marks map[int]bool
	// open is how many states the content of the source saves without restoring them.
	open int
}

// rewriter rewrites the content of one page.
type rewriter struct {
	file    *source.File
	faces   *faces
	plan    *plan
	rotate  int // that of the page
	page    *streamEdit
	streams map[*content.Stream]*streamEdit
	ends    map[*content.Stream]map[int]int
	unmark  map[markPlace]bool
	marks   map[int]bool
	late    []document.Text // texts that are drawn after everything else
	last    []byte          // what draws moved glyphs there
}

// rewrite edits the content of a page, and writes the copies of its forms that change.
func (d *writer) rewrite(page *source.Page, read *document.Page, edit *document.Edit) (rewritten, error) {
	data, err := d.file.Content(page)
	if err != nil {
		return rewritten{}, err
	}
	resources := d.file.Dict(page.Dict["Resources"])
	root := &content.Stream{Bytes: data, Resources: resources}
	r := &rewriter{
		file: d.file, faces: d.faces, plan: newPlan(read, edit), rotate: read.Rotate, page: newStreamEdit(root),
		streams: map[*content.Stream]*streamEdit{}, ends: map[*content.Stream]map[int]int{}, unmark: map[markPlace]bool{}, marks: map[int]bool{},
	}
	walked := content.Page{Objects: d.file.Table(), Content: data, Resources: resources, Crop: page.Crop}
	if err := content.Walk(walked, r.visit); err != nil {
		return rewritten{}, err
	}
	for _, op := range slices.Sorted(maps.Keys(r.plan.texts)) {
		r.late = append(r.late, r.plan.texts[op]...) // those of operators that do not exist
	}
	if err := d.writeForms(r.page); err != nil {
		return rewritten{}, err
	}
	balance := balanceOf(data)
	patches, err := d.patches(r.page, edit.Patches)
	if err != nil {
		return rewritten{}, err
	}
	end, err := r.end(balance, patches)
	if err != nil {
		return rewritten{}, err
	}
	return rewritten{content: append(r.page.bytes(), end...), resources: r.page.resources, marks: r.marks, open: balance.open}, nil
}

// visit edits one operator.
func (r *rewriter) visit(d content.Drawing) error {
	switch {
	case d.Show != nil:
		return r.show(d)
	case d.Path != nil:
		r.path(d)
	}
	return nil
}

// edited returns the edit of a stream. The stream of the page is the one without a form.
func (r *rewriter) edited(stream *content.Stream) *streamEdit {
	if stream.Form == nil {
		return r.page
	}
	edit, ok := r.streams[stream]
	if !ok {
		edit = newStreamEdit(stream)
		r.streams[stream] = edit
		parent := r.edited(stream.Parent)
		parent.forms = append(parent.forms, edit)
	}
	return edit
}
