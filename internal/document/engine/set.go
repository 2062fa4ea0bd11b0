package engine

import (
	"errors"
	"slices"
	"strings"

	"plait/internal/document"
	"plait/internal/document/typeset"
)

// Translated is a block with its translation; empty for a block that stays as it is.
type Translated struct {
	document.Block
	Translation string
}

// SetBlock says how the translation of a block was set.
type SetBlock struct {
	Index int
	// Scale is the size relative to that of the source; 0 for a block that stays as it was, for the reason.
	Scale    float64
	Overflow bool
	Reason   document.Reason
}

// Set sets the translations of a page and returns its edit. The scales bound the sizes of its texts. A translation that cannot be set leaves
// its block as it was. The cells of a column, or of a row, have one size as far as they fit. The columns of tables change sides in languages
// that are written in the other direction.
func (e *Engine) Set(page document.Page, blocks []Translated, lang string, scales typeset.Scales) (document.Edit, []SetBlock) {
	if tables := mirrors(&page, blocks, typeset.RightToLeft(lang)); len(tables) > 0 {
		edit, set := e.set(page, blocks, lang, scales, tables)
		if !slices.ContainsFunc(tables, func(m *mirror) bool { return m.failed(blocks, edit) }) {
			return edit, set
		}
	}
	return e.set(page, blocks, lang, scales, nil)
}

// set is Set with the columns of these tables on their other sides.
func (e *Engine) set(
	page document.Page, source []Translated, lang string, scales typeset.Scales, tables []*mirror,
) (document.Edit, []SetBlock) {
	edit := document.Edit{Index: page.Index}
	t := e.typesetter(lang)
	blocks := source
	for _, m := range tables {
		blocks = m.blocks(blocks)
	}
	list := parts(blocks)
	results := make([]typeset.Result, len(list))
	set := make([]SetBlock, len(list))
	var cells []typeset.NeededCell
	for i, p := range list {
		results[i], set[i] = p.set(t, page, scales.Limit(p.block))
		if p.block.Cell != nil && set[i].Reason == "" {
			cells = append(cells, typeset.NeededCell{Block: i, Cell: *p.block.Cell, Size: p.block.Size, Scale: set[i].Scale})
		}
	}
	for i, limit := range typeset.CellLimits(cells) {
		if set[i].Scale > limit {
			results[i], set[i] = list[i].set(t, page, limit)
		}
	}
	for i, p := range list {
		if set[i].Reason == "" {
			add(&edit, p.block, results[i])
		}
	}
	for _, m := range tables {
		m.add(&edit, source)
	}
	order(page, blocks, typeset.RightToLeft(lang), &edit)
	return edit, set
}

// part is a block with its part of the translation of a passage.
type part struct {
	block       document.Block
	translation string
}

// parts are the blocks that are set, in the order of their passages.
func parts(blocks []Translated) (list []part) {
	for _, passage := range passages(blocks) {
		if passage.blocks[0].Class == document.ClassBookmark || passage.unchanged() {
			continue
		}
		for i, block := range passage.blocks {
			if passage.parts[i] != "" {
				block.Formulas = passage.formulas
				list = append(list, part{block, passage.parts[i]})
			}
		}
	}
	return list
}

func (p part) set(t *typeset.Typesetter, page document.Page, limit float64) (typeset.Result, SetBlock) {
	s := SetBlock{Index: p.block.Index}
	result, err := t.Set(page, p.block, p.translation, limit)
	switch {
	case errors.Is(err, typeset.ErrNoRoom):
		s.Reason = document.ReasonNoRoom
	case err != nil:
		s.Reason = document.ReasonNoFont
	default:
		s.Scale, s.Overflow = result.Scale, result.Overflow
	}
	return result, s
}

// add adds a text to an edit: its block is removed with the dots that the text reaches, and its formulas move.
func add(edit *document.Edit, block document.Block, r typeset.Result) {
	edit.Remove = append(append(edit.Remove, block.Glyphs...), r.Covered...)
	edit.Repaints = append(edit.Repaints, r.Repaints...)
	edit.Moves = append(edit.Moves, r.Moves...)
	if len(r.Text.Runs) > 0 {
		edit.Texts = append(edit.Texts, r.Text)
	}
}

// passage is a paragraph with the translations of its blocks, whose markers are numbered through all of them.
type passage struct {
	blocks   []document.Block
	formulas []document.Formula
	// source is the source text without tags.
	source string
	parts  []string
}

// unchanged reports whether the translation is the source text, such as that of a name: its glyphs are the best way to set it.
func (p passage) unchanged() bool {
	plain := strings.NewReplacer(" ", "", "-", "", "\u00ad", "")
	return plain.Replace(document.WithoutTags(strings.Join(p.parts, ""))) == plain.Replace(p.source)
}

// passages joins translated blocks as they were joined for the translator. If one of a passage is not translated, none is.
func passages(blocks []Translated) (list []passage) {
	texts := map[int]string{}
	plain := make([]document.Block, len(blocks))
	for i, b := range blocks {
		plain[i] = b.Block
		texts[b.Index] = b.Translation
	}
	for _, p := range document.Passages(plain) {
		q := passage{blocks: p.Blocks, formulas: p.Formulas, source: document.WithoutTags(p.Text)}
		for _, b := range p.Blocks {
			q.parts = append(q.parts, texts[b.Index])
		}
		list = append(list, q)
	}
	return list
}
