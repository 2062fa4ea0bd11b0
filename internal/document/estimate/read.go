package estimate

import (
	"context"

	"plait/internal/document"
	"plait/internal/document/flow"
	"plait/internal/document/pdf"
)

// Read counts the texts of pages of a file, by the geometry of their characters alone: the layout model, which names what regions hold, moves
// few texts between paragraphs and cells. A page that cannot be read has no texts. Pages are positions from 0; count counts the tokens of a
// text.
func Read(ctx context.Context, f *pdf.File, pages []int, count func(string) int) ([]Page, error) {
	list := make([]Page, len(pages))
	for i, number := range pages {
		list[i].Number = number + 1
		content, err := f.Content(ctx, number)
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		if err != nil {
			continue
		}
		for _, b := range flow.Build(content, nil).Blocks {
			list[i].add(b, count)
		}
	}
	return list, nil
}

func (p *Page) add(b document.Block, count func(string) int) {
	switch {
	case b.Untranslated != "":
	case b.Cell != nil:
		p.Cells++
		p.CellTokens += count(b.Text)
	default:
		p.Paragraphs++
		p.ParagraphTokens += count(b.Text)
	}
}
