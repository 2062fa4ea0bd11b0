package document

import (
	"context"
	"slices"
	"strconv"
	"sync"
	"time"

	"golang.org/x/sync/errgroup"

	"plait/activities"
	"plait/internal/core"
	"plait/internal/document"
	"plait/internal/document/marker"
	"plait/internal/records"
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
		return outcome(in, run, translations), a.documents.SaveTranslations(ctx, run, translations)
	}
	return do(ctx, a, activities.Step[document.TranslateOutput]{Run: run, Pays: true}, work)
}

// outcome counts the blocks with and without a translation.
func outcome(in document.TranslateInput, run records.StageRun, t documentrecords.Translations) (out document.TranslateOutput) {
	out.Attempts = run.Attempt - in.Item.Attempts
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
	asked, err := j.questions(ctx)
	if err != nil {
		return documentrecords.Translations{}, err
	}
	group, working := errgroup.WithContext(ctx)
	for _, part := range j.divided(asked) {
		group.Go(func() error { return j.translateAll(working, part) })
	}
	err = group.Wait()
	slices.SortFunc(j.result.List, func(x, y core.Translation) int { return x.Index - y.Index })
	return j.result, err
}

// threaded are questions that are asked at the same time, as far as there are threads.
type threaded struct {
	questions []*question
	threads   int
}

// divided divides the questions into those that have threads of their own: table cells have, unless all texts are asked for one after the other.
func (j *job) divided(asked []*question) []threaded {
	texts, cells := j.threads(j.in.Options, j.in.Mode)
	if j.in.Mode != document.ModeConcurrent {
		return []threaded{{asked, texts}}
	}
	var list [2]threaded
	list[0].threads, list[1].threads = texts, cells
	for _, q := range asked {
		at := 0
		if q.isCell() {
			at = 1
		}
		list[at].questions = append(list[at].questions, q)
	}
	return list[:]
}

func (j *job) translateAll(ctx context.Context, t threaded) error {
	group, working := errgroup.WithContext(ctx)
	group.SetLimit(t.threads)
	for _, q := range t.questions {
		group.Go(func() error {
			_, err := activities.Guarded(func() (struct{}, error) { return struct{}{}, j.translate(working, q) })
			return err
		})
	}
	return group.Wait()
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

// translate asks one question under a slot. If the translation of a paragraph over two pages cannot be divided between them, each page asks
// for its own part.
func (j *job) translate(ctx context.Context, q *question) error {
	answer, usage, err := j.ask(ctx, q)
	if err != nil {
		return err
	}
	translation := answer.Translations[0]
	if q.part == nil {
		j.take(answer, usage, q.passages, func(p document.Passage) []string { return p.Split(translation.Text) })
		return nil
	}
	parts, ok := q.part(translation.Text)
	if !ok && translation.Text != "" {
		return j.translate(ctx, &question{text: q.passages[0], passages: q.passages, item: j.in.Item, before: q.before})
	}
	j.take(answer, usage, q.passages, func(p document.Passage) []string {
		if !ok {
			return make([]string, len(p.Blocks))
		}
		return parts
	})
	return nil
}

// ask asks the model, and estimates what the answer takes.
func (j *job) ask(ctx context.Context, q *question) (answer translate.Result, usage *core.Usage, err error) {
	p := q.text
	first := p.Blocks[0].Index
	request := translate.Request{
		Page: q.item, From: j.in.Options.From, To: j.in.Options.To, Prompts: j.prompts,
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
	slots := j.slots
	if q.isCell() {
		slots = j.tableSlots
	}
	answer, err = activities.InSlotOf(ctx, j.Host, slots, q.item, strconv.Itoa(first),
		func(ctx context.Context, slot *activities.ItemSlot) (translate.Result, error) {
			request.Slot = slot
			return j.translator.Translate(ctx, request)
		})
	if err == nil && q.item.Index == j.in.Item.Index { // the page on which a text begins has the estimate of it
		usage = estimated(j.translator, request)
	}
	return answer, usage, err
}

// The rules for the parts of a text that a translation keeps.
const (
	formulaRule = "Markers such as {v0} stand for formulas. Keep each marker exactly once, unchanged, where the formula belongs in the translation."
	tagRule     = "Tags such as <s1> and </s1> give words a style. Keep each pair around the translation of the same words."
)

// take adds the translations of passages to the result of the page. Split divides the answer among the blocks of a passage.
func (j *job) take(answer translate.Result, usage *core.Usage, passages []document.Passage, split func(document.Passage) []string) {
	j.mu.Lock()
	defer j.mu.Unlock()
	j.result.Model = answer.Model
	if usage != nil {
		total := *usage
		if j.result.Estimated != nil {
			total = j.result.Estimated.Plus(total)
		}
		j.result.Estimated = &total
	}
	for _, p := range passages {
		parts := split(p)
		for i, b := range p.Blocks {
			part := core.Translation{Index: b.Index, Text: parts[i], Untranslated: answer.Translations[0].Untranslated}
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
