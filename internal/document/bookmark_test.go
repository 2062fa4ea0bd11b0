package document_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"plait/internal/document"
)

func TestBookmarksWithoutAHeadingAreTexts(t *testing.T) {
	bookmarks := []document.Bookmark{
		{Title: "Another page", Page: 1}, {Title: "2 The  method", Page: 3}, {Title: "The\nmap", Page: 3}, {Title: "the map", Page: 3}, {Title: "3.1", Page: 3},
		{Title: "A cell", Page: 3}, {Title: strings.Repeat("long ", 50), Page: 3}, {Title: "", Page: 3}, {Title: "Kept name", Page: 3},
	}
	blocks := []document.Block{
		block(0, "The method"), block(1, "A cell", func(b *document.Block) { b.Cell = &document.Cell{} }),
		block(2, "Kept name", func(b *document.Block) { b.Untranslated = document.ReasonUnmapped }),
	}
	list := document.BookmarkBlocks(bookmarks, 3, blocks)
	var texts []string
	for i, b := range list {
		texts = append(texts, b.Text)
		require.Equal(t, document.ClassBookmark, b.Class)
		require.Equal(t, 3+i, b.Index)
		require.Empty(t, b.Glyphs)
	}
	require.Equal(t, []string{"The map", "A cell", "Kept name"}, texts)
	passages := document.Passages(append(blocks, list...))
	require.Equal(t, "The map", passages[2].Text)
	require.Empty(t, document.BookmarkBlocks(bookmarks, 2, blocks))
}
