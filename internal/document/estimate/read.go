package estimate

import (
	"context"
	"math"
	"strings"

	"plait/internal/document"
	"plait/internal/document/flow"
	"plait/internal/document/pdf"
)

// Read counts the texts of pages of a file, by the geometry of their characters alone: the layout model, which names what regions hold, moves
// few texts between paragraphs and cells. A page that cannot be read has no texts. Pages are positions from 0; count counts the tokens of a
// text. A scan is not read: it has the texts that are assumed of one, or so many as the invisible text says that its scanner has put over it.
func Read(ctx context.Context, f *pdf.File, pages []int, scan Texts, count func(string) int) ([]Page, error) {
	list := make([]Page, len(pages))
	var before []document.Block
	for i, number := range pages {
		if i > 0 && pages[i-1] != number-1 {
			before = nil
		}
		list[i].Number = number + 1
		content, err := f.Content(ctx, number)
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		var blocks []document.Block
		switch {
		case err != nil:
		case content.Scanned():
			list[i].Scanned, list[i].Texts = true, scanned(content, scan, count)
		default:
			blocks = flow.Build(content, nil).Blocks
		}
		if err == nil {
			bookmarks, err := f.Bookmarks(ctx)
			if err != nil {
				return nil, err
			}
			blocks = append(blocks, document.BookmarkBlocks(bookmarks, number, blocks)...)
		}
		list[i].add(before, blocks, count)
		before = blocks
	}
	return list, nil
}

// add counts the texts of a page after another one. A paragraph that runs over both counts on the one on which it begins.
func (p *Page) add(before, blocks []document.Block, count func(string) int) {
	join, joined := document.JoinPages(before, blocks)
	for _, t := range document.Passages(blocks) {
		switch {
		case t.Blocks[0].Cell != nil:
			p.Cells++
			p.CellTokens += count(t.Text)
		case joined && t.Blocks[0].Index == join.After.Blocks[0].Index:
			p.ParagraphTokens += count(t.Text)
		default:
			p.Paragraphs++
			p.ParagraphTokens += count(t.Text)
		}
	}
}

// scanned are the texts of a scan.
func scanned(p document.Page, assumed Texts, count func(string) int) Texts {
	var hidden strings.Builder
	for _, g := range p.Glyphs {
		hidden.WriteString(g.Text)
	}
	tokens := count(strings.TrimSpace(hidden.String()))
	if tokens == 0 || assumed.ParagraphTokens == 0 {
		return assumed
	}
	paragraphs := float64(assumed.Paragraphs*tokens) / float64(assumed.ParagraphTokens)
	return Texts{Paragraphs: int(math.Ceil(paragraphs)), ParagraphTokens: tokens}
}
