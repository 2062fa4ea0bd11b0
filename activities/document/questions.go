package document

import (
	"context"
	"strings"

	"plait/internal/core"
	"plait/internal/document"
)

// question is a text to translate, and all passages of the page that have it: the cells of a table often repeat a text.
type question struct {
	// text is what the model is asked for: the first passage, or the paragraph over two pages of which it is a part.
	text     document.Passage
	passages []document.Passage
	// item is the page on which the text begins.
	item core.Item
	// before are the texts before the text.
	before []string
	// part returns the part of the page in the translation of a paragraph over two pages, as [document.Join.Split] does; nil for a text on
	// one page.
	part func(translation string) ([]string, bool)
}

// isCell reports whether the text is that of a table cell.
func (q *question) isCell() bool { return q.text.Blocks[0].Cell != nil }

// questions returns what the step asks.
func (j *job) questions(ctx context.Context) ([]*question, error) {
	page, err := j.blocks(ctx, j.in.Item.Index)
	if err != nil || j.in.Head == document.HeadAlone {
		return j.headAlone(ctx, page, err)
	}
	head, begun, err := j.joinBefore(ctx, page, j.in.Head == document.HeadLater)
	if err != nil {
		return nil, err
	}
	foot, goesOn, err := j.joinAfter(ctx, page)
	if err != nil {
		return nil, err
	}
	list := newQuestions(j.in.Item, j.context.Before)
	for _, p := range document.Passages(page) {
		told := list.told(p)
		switch {
		case begun && sameText(p, head.After): // a later step asks for it
		case goesOn && sameText(p, foot.Before):
			list.list = append(list.list, &question{
				text: foot.Whole, passages: []document.Passage{p}, item: j.in.Item, before: told,
				part: func(translation string) ([]string, bool) {
					part, _, ok := foot.Split(translation)
					return part, ok
				},
			})
		default:
			list.add(p, told)
		}
	}
	return list.list, nil
}

// headAlone returns the question for the paragraph that begins on the page before. It is the question of that page, with the same texts before
// it, so that one answer serves both.
func (j *job) headAlone(ctx context.Context, page []document.Block, err error) ([]*question, error) {
	if err != nil {
		return nil, err
	}
	join, ok, err := j.joinBefore(ctx, page, true)
	if err != nil || !ok {
		return nil, err
	}
	before := j.in.Item
	before.Index--
	known, err := j.documents.PromptContext(ctx, before, j.in.Options.To)
	if err != nil {
		return nil, err
	}
	earlier, err := j.blocks(ctx, before.Index)
	if err != nil {
		return nil, err
	}
	list := newQuestions(before, known.Before)
	var told []string
	for _, p := range document.Passages(earlier) {
		if told = list.told(p); sameText(p, join.Before) {
			break
		}
	}
	j.result.Continuing = []int{join.After.Blocks[0].Index}
	return []*question{{
		text: join.Whole, passages: []document.Passage{join.After}, item: before, before: told,
		part: func(translation string) ([]string, bool) {
			_, part, ok := join.Split(translation)
			return part, ok
		},
	}}, nil
}

// joinBefore returns the paragraph that begins on the page before and ends on this one, if it is asked for; false when there is none.
func (j *job) joinBefore(ctx context.Context, page []document.Block, asked bool) (document.Join, bool, error) {
	if !asked || !j.in.Options.Adjacent(j.in.Item.Index-1) {
		return document.Join{}, false, nil
	}
	before, err := j.blocks(ctx, j.in.Item.Index-1)
	join, ok := document.JoinPages(before, page)
	return join, ok, err
}

// joinAfter returns the paragraph that begins on this page and ends on the next one, if it is asked for; false when there is none.
func (j *job) joinAfter(ctx context.Context, page []document.Block) (document.Join, bool, error) {
	if !j.in.RunsOn || !j.in.Options.Adjacent(j.in.Item.Index) {
		return document.Join{}, false, nil
	}
	next, err := j.blocks(ctx, j.in.Item.Index+1)
	join, ok := document.JoinPages(page, next)
	return join, ok, err
}

// blocks reads the blocks of a page of the document.
func (j *job) blocks(ctx context.Context, item int) ([]document.Block, error) {
	read, err := j.documents.Blocks(ctx, j.in.Item.TaskID, item)
	list := make([]document.Block, len(read))
	for i, b := range read {
		list[i] = b.Block
	}
	return list, err
}

// sameText reports whether two passages of a page begin with the same block.
func sameText(a, b document.Passage) bool { return a.Blocks[0].Index == b.Blocks[0].Index }

// questions collects the questions for the passages of a page. Two passages have one question if their texts and the texts before them are
// equal, so that two calls at the same time never ask the same.
type questions struct {
	item    core.Item
	list    []*question
	asked   map[string]*question
	earlier earlier
}

func newQuestions(item core.Item, before []string) *questions {
	return &questions{item: item, asked: map[string]*question{}, earlier: earlier{texts: before}}
}

// told returns what a model is told before a passage, and notes the passage for those after it.
func (q *questions) told(p document.Passage) []string {
	told := q.earlier.of(p)
	q.earlier.add(p)
	return told
}

func (q *questions) add(p document.Passage, told []string) {
	key := strings.Join(append([]string{p.Text}, told...), "\x00")
	if known := q.asked[key]; known != nil {
		known.passages = append(known.passages, p)
		return
	}
	q.asked[key] = &question{text: p, passages: []document.Passage{p}, item: q.item, before: told}
	q.list = append(q.list, q.asked[key])
}

// earlier collects the texts that a passage is told: the last heading, and the paragraphs right before it.
type earlier struct {
	heading string
	texts   []string
}

const (
	// contextTexts is how many paragraphs before a text a model is told, and contextRunes how many characters of each: enough for pronouns
	// and abbreviations.
	contextTexts = 2
	contextRunes = 400
)

func (e *earlier) of(p document.Passage) (texts []string) {
	if p.Blocks[0].Cell != nil {
		if e.heading == "" {
			return nil
		}
		return []string{e.heading}
	}
	if e.heading != "" {
		texts = append(texts, e.heading)
	}
	return append(texts, e.texts[max(0, len(e.texts)-contextTexts):]...)
}

func (e *earlier) add(p document.Passage) {
	text := p.Text
	if runes := []rune(text); len(runes) > contextRunes {
		text = string(runes[len(runes)-contextRunes:])
	}
	switch b := p.Blocks[0]; {
	case b.Class == document.ClassTitle, b.Class == document.ClassTableCaption:
		e.heading = text
	case b.Cell == nil && b.Class == document.ClassText:
		e.texts = append(e.texts, text)
	}
}
