package engine

import (
	"context"
	"io"

	"plait/internal/document"
	"plait/internal/document/pdf"
	"plait/internal/document/pdfedit"
)

// WriteOptions say which file to write.
type WriteOptions struct {
	// Output is mono or dual, and Dual the arrangement of a dual file.
	Output document.Output
	Dual   document.Dual
	// Language is that of the translation.
	Language string
	// KeepActions keeps JavaScript and launch actions.
	KeepActions bool
	// Titles translates the titles of bookmarks; nil leaves them.
	Titles func(title string) string
}

// Write writes a file of the result. Edit returns the edit of a page, and nil for a page that stays as it is; it is called for the pages of
// the document in order.
func (e *Engine) Write(
	ctx context.Context, source io.ReadSeeker, f *pdf.File, o WriteOptions, edit func(page int) (*document.Edit, error), w io.Writer,
) error {
	edits := func(ctx context.Context, page int) (document.Page, *document.Edit, error) {
		change, err := edit(page)
		if err != nil || change == nil {
			return document.Page{}, nil, err
		}
		content, err := f.Content(ctx, page)
		return content, change, err
	}
	return pdfedit.Write(ctx, source, edits, pdfedit.Options{
		Output: outputOf(o), Language: o.Language, Faces: e.faces.Bytes, KeepScripts: o.KeepActions, Titles: o.Titles,
	}, w)
}

func outputOf(o WriteOptions) pdfedit.Output {
	switch {
	case o.Output != document.OutputDual:
		return pdfedit.Mono
	case o.Dual == document.DualSideBySide:
		return pdfedit.SideBySide
	}
	return pdfedit.Alternating
}
