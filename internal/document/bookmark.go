package document

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// Bookmark is an entry of the outline of a document.
type Bookmark struct {
	Title string
	// Page is the position of the page to which it leads, from 0.
	Page int
}

// MaxTitle is the length in characters up to which the title of a bookmark is translated, and up to which a text can be its heading.
const MaxTitle = 200

// BookmarkBlocks returns the titles of the bookmarks that lead to a page as blocks that follow those of the page. They have no place on it, and
// are translated with it. Titles that read as a heading of the page get its translation, and are no blocks; see [Titles].
func BookmarkBlocks(bookmarks []Bookmark, page int, blocks []Block) (list []Block) {
	var headings []Heading
	for _, b := range blocks {
		if b.Untranslated == "" && b.Cell == nil && len(b.Formulas) == 0 && utf8.RuneCountInString(b.Text) <= MaxTitle {
			headings = append(headings, Heading{Source: b.Text, Translation: known})
		}
	}
	asked := map[string]bool{}
	translated := Titles(headings)
	for _, bookmark := range bookmarks {
		title := strings.Join(strings.Fields(bookmark.Title), " ")
		key := titleKey(title)
		if bookmark.Page != page || asked[key] || strings.HasSuffix(translated(title), known) ||
			utf8.RuneCountInString(title) > MaxTitle || !strings.ContainsFunc(title, unicode.IsLetter) {
			continue
		}
		asked[key] = true
		list = append(list, Block{Index: len(blocks) + len(list), Class: ClassBookmark, Text: title, Spans: []Span{{End: len(title)}}})
	}
	return list
}

// known stands for the translation of a heading.
const known = "\ufffd"
