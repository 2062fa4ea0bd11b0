package document

import (
	"context"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"golang.org/x/sync/errgroup"

	"plait/activities"
	"plait/internal/core"
	"plait/internal/document"
	"plait/internal/document/marker"
	documentrecords "plait/internal/records/document"
	"plait/internal/translate"
)

// Translate translates the passages of a page, each with a call of its own. It needs no device. A repeated attempt asks the same questions,
// whose recorded answers it reuses.
func (a *Activities) Translate(ctx context.Context, in document.TranslateInput) (document.TranslateOutput, error) {
	run := a.Run(ctx, in.Item, document.StageTranslate, in.Mode)
	run.Attempt += in.Attempts
	work := func(ctx context.Context, page documentrecords.Page) (document.TranslateOutput, error) {
		if page.Paused {
			return document.TranslateOutput{}, core.NewError(core.CodePaused, "the task is paused")
		}
		started := time.Now()
		translations, err := a.translations(ctx, in)
		if err != nil {
			return document.TranslateOutput{}, err
		}
		translations.Elapsed = core.ElapsedMS{"total": time.Since(started).Milliseconds()}
		return outcome(translations), a.documents.SaveTranslations(ctx, run, translations)
	}
	return do(ctx, a, activities.Step[document.TranslateOutput]{Run: run, Pays: true}, work)
}

// outcome counts the blocks with and without a translation.
func outcome(t documentrecords.Translations) (out document.TranslateOutput) {
	for _, one := range t.List {
		if one.Text == "" {
			out.Untranslated++
		} else {
			out.Translated++
		}
	}
	return out
}

// job is the translation of a page.
type job struct {
	*Activities
	in         document.TranslateInput
	translator translate.Translator
	prompts    *translate.Prompts
	context    documentrecords.PromptContext

	mu     sync.Mutex
	result documentrecords.Translations
}

func (a *Activities) translations(ctx context.Context, in document.TranslateInput) (documentrecords.Translations, error) {
	j, err := a.newJob(ctx, in)
	if err != nil {
		return documentrecords.Translations{}, err
	}
	blocks, err := a.documents.Blocks(ctx, in.Item.TaskID, in.Item.Index)
	if err != nil {
		return documentrecords.Translations{}, err
	}
	plain := make([]document.Block, len(blocks))
	for i, b := range blocks {
		plain[i] = b.Block
	}
	group, working := errgroup.WithContext(ctx)
	group.SetLimit(1)
	if in.Mode == document.ModeConcurrent {
		group.SetLimit(a.slots.Count)
	}
	for _, q := range questions(document.Passages(plain), j.context.Before) {
		group.Go(func() error {
			_, err := activities.Guarded(func() (struct{}, error) { return struct{}{}, j.translate(working, q) })
			return err
		})
	}
	err = group.Wait()
	slices.SortFunc(j.result.List, func(x, y core.Translation) int { return x.Index - y.Index })
	return j.result, err
}

// question is a text to translate, and all passages of the page that have it: the cells of a table often repeat a text.
type question struct {
	passages []document.Passage
	// before are the texts before the first passage.
	before []string
}

// questions returns the questions for the passages of a page. Two passages have one question if their texts and the texts before them are
// equal, so that two calls at the same time never ask the same.
func questions(passages []document.Passage, before []string) []*question {
	var list []*question
	asked := map[string]*question{}
	context := earlier{texts: before}
	for _, p := range passages {
		told := context.of(p)
		context.add(p)
		key := strings.Join(append([]string{p.Text}, told...), "\x00")
		q := asked[key]
		if q == nil {
			q = &question{before: told}
			asked[key] = q
			list = append(list, q)
		}
		q.passages = append(q.passages, p)
	}
	return list
}

func (a *Activities) newJob(ctx context.Context, in document.TranslateInput) (*job, error) {
	if a.translators == nil {
		return nil, core.NewError(core.CodeTranslatorMissing, "this worker has no translator")
	}
	j := &job{Activities: a, in: in}
	var err error
	if j.translator, err = a.translators(ctx, in.Options.Translator); err != nil {
		return nil, err
	}
	if j.prompts, err = a.prompts(in.Options.Domain); err != nil {
		return nil, err
	}
	j.context, err = a.documents.PromptContext(ctx, in.Item, in.Options.To)
	j.result.Provider = j.translator.Name()
	return j, err
}

// translate asks one question under a slot.
func (j *job) translate(ctx context.Context, q *question) error {
	p := q.passages[0]
	first := p.Blocks[0].Index
	request := translate.Request{
		Page: j.in.Item, From: j.in.Options.From, To: j.in.Options.To, Prompts: j.prompts,
		Segments: []translate.Segment{{Index: first, Text: p.Text}}, Before: q.before,
		Glossary: j.context.Glossary, Synopsis: j.context.Synopsis,
	}
	if len(p.Formulas) > 0 {
		request.Rules = append(request.Rules, formulaRule)
	}
	if p.Tagged() {
		request.Rules = append(request.Rules, tagRule)
	}
	request.Examine = func(_ int, text string) (string, bool) {
		clean, missing := marker.Clean(text, len(p.Formulas))
		return clean, len(missing) == 0
	}
	answer, err := activities.InSlotOf(ctx, j.Host, j.slots, j.in.Item, strconv.Itoa(first),
		func(ctx context.Context, slot *activities.ItemSlot) (translate.Result, error) {
			request.Slot = slot
			return j.translator.Translate(ctx, request)
		})
	if err != nil {
		return err
	}
	j.take(q, answer, estimated(j.translator, request))
	return nil
}

// The rules for the parts of a text that a translation keeps.
const (
	formulaRule = "Markers such as {v0} stand for formulas. Keep each marker exactly once, unchanged, where the formula belongs in the translation."
	tagRule     = "Tags such as <s1> and </s1> give words a style. Keep each pair around the translation of the same words."
)

// take adds the answer to a question to the result of the page.
func (j *job) take(q *question, answer translate.Result, estimate *core.Usage) {
	j.mu.Lock()
	defer j.mu.Unlock()
	j.result.Model = answer.Model
	if estimate != nil {
		total := *estimate
		if j.result.Estimated != nil {
			total = j.result.Estimated.Plus(total)
		}
		j.result.Estimated = &total
	}
	translation := answer.Translations[0]
	for _, p := range q.passages {
		parts := p.Split(translation.Text)
		for i, b := range p.Blocks {
			part := core.Translation{Index: b.Index, Text: parts[i], Untranslated: translation.Untranslated}
			j.result.List = append(j.result.List, part)
		}
	}
}

// estimated is the usage that the request was estimated to take; nil for a translator that calls no model.
func estimated(t translate.Translator, r translate.Request) *core.Usage {
	estimator, ok := t.(translate.Estimator)
	if !ok {
		return nil
	}
	u := estimator.Estimate(r)
	return &u
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
