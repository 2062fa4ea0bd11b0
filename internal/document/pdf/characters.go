package pdf

import (
	"math"
	"strings"
	"unicode"

	"github.com/klippa-app/go-pdfium"
	"github.com/klippa-app/go-pdfium/references"
	"github.com/klippa-app/go-pdfium/requests"

	"plait/internal/document"
)

// character is a character as PDFium reads it.
type character struct {
	text rune
	x, y float64
	ink  document.Box
	// guessed is set for a text that is the code of its glyph, whose font maps it to nothing.
	guessed bool
}

// maxCharacters bounds the characters of a page. A page of small print has 20,000.
const maxCharacters = 500_000

// lineEndHyphen is what PDFium reads for a hyphen at the end of a line.
const lineEndHyphen = 0x02

// readCharacters reads the characters of a page, without those that PDFium adds between words and lines.
func readCharacters(i pdfium.Pdfium, d references.FPDF_DOCUMENT, page int) ([]character, error) {
	loaded, err := i.FPDF_LoadPage(&requests.FPDF_LoadPage{Document: d, Index: page})
	if err != nil {
		return nil, err
	}
	defer func() { _, _ = i.FPDF_ClosePage(&requests.FPDF_ClosePage{Page: loaded.Page}) }()
	text, err := i.FPDFText_LoadPage(&requests.FPDFText_LoadPage{Page: requests.Page{ByReference: &loaded.Page}})
	if err != nil {
		return nil, err
	}
	defer func() { _, _ = i.FPDFText_ClosePage(&requests.FPDFText_ClosePage{TextPage: text.TextPage}) }()
	count, err := i.FPDFText_CountChars(&requests.FPDFText_CountChars{TextPage: text.TextPage})
	if err != nil {
		return nil, err
	}
	list := make([]character, 0, min(count.Count, maxCharacters))
	for n := range min(count.Count, maxCharacters) {
		c, drawn, err := readCharacter(i, text.TextPage, n)
		if err != nil {
			return nil, err
		}
		if drawn {
			list = append(list, c)
		}
	}
	return list, nil
}

func readCharacter(i pdfium.Pdfium, text references.FPDF_TEXTPAGE, n int) (c character, drawn bool, err error) {
	code, err := i.FPDFText_GetUnicode(&requests.FPDFText_GetUnicode{TextPage: text, Index: n})
	if err != nil {
		return c, false, err
	}
	if c.text = rune(code.Unicode); unicode.IsSpace(c.text) {
		added, err := i.FPDFText_IsGenerated(&requests.FPDFText_IsGenerated{TextPage: text, Index: n})
		if err != nil || added.IsGenerated {
			return c, false, err
		}
	}
	if c.text == lineEndHyphen {
		c.text = '-'
	}
	failed, err := i.FPDFText_HasUnicodeMapError(&requests.FPDFText_HasUnicodeMapError{TextPage: text, Index: n})
	if err != nil {
		return c, false, err
	}
	c.guessed = failed.HasUnicodeMapError
	origin, err := i.FPDFText_GetCharOrigin(&requests.FPDFText_GetCharOrigin{TextPage: text, Index: n})
	if err != nil {
		return c, false, nil //nolint:nilerr // a character without a position is one that PDFium added
	}
	c.x, c.y = origin.X, origin.Y
	box, err := i.FPDFText_GetCharBox(&requests.FPDFText_GetCharBox{TextPage: text, Index: n})
	if err == nil {
		c.ink = document.Box{X0: min(box.Left, box.Right), Y0: min(box.Bottom, box.Top), X1: max(box.Left, box.Right), Y1: max(box.Bottom, box.Top)}
	}
	return c, true, nil
}

// unmapped are the code points that stand for a glyph without a meaning.
func unmapped(r rune) bool {
	return r == 0 || r == 0xFFFE || r == 0xFFFF || r == unicode.ReplacementChar || unicode.IsControl(r) && !unicode.IsSpace(r)
}

// positions finds characters by their position.
type positions struct {
	cells map[[2]int][]int
	list  []character
	used  []bool
}

// cellSize is the size of the cells of positions in points. The two readers may see the same glyph in places that are apart by near em, up to
// cellSize: PDFium rounds widths to 1/1000 em, and the differences add up over a line.
const (
	cellSize = 2.0
	near     = 0.12
)

func newPositions(list []character) *positions {
	p := &positions{cells: make(map[[2]int][]int, len(list)), list: list, used: make([]bool, len(list))}
	for i, c := range list {
		cell := cellOf(c.x, c.y)
		p.cells[cell] = append(p.cells[cell], i)
	}
	return p
}

func cellOf(x, y float64) [2]int {
	return [2]int{int(math.Floor(x / cellSize)), int(math.Floor(y / cellSize))}
}

// take returns the text of the glyph of a size at a position, with the first of its characters: all unused characters at one place, in their
// order, for a ligature is several characters at one place. Found is false when there is none.
func (p *positions) take(x, y, size float64) (text string, first character, found bool) {
	at, distance := -1, min(max(near*size, near), cellSize)
	cell := cellOf(x, y)
	for dx := -1; dx <= 1; dx++ {
		for dy := -1; dy <= 1; dy++ {
			for _, i := range p.cells[[2]int{cell[0] + dx, cell[1] + dy}] {
				far := math.Hypot(p.list[i].x-x, p.list[i].y-y)
				if !p.used[i] && (far < distance-1e-9 || at < 0 && far <= distance) {
					at, distance = i, far
				}
			}
		}
	}
	if at < 0 {
		return "", first, false
	}
	var b strings.Builder
	first = p.list[at]
	for i := at; i < len(p.list) && !p.used[i]; i++ {
		c := p.list[i]
		if c.x != first.x || c.y != first.y || c.ink != first.ink && i > at {
			break
		}
		p.used[i] = true
		if !unmapped(c.text) {
			b.WriteRune(c.text)
		}
	}
	return b.String(), first, true
}
