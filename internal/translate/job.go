package translate

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"plait/internal/core"
	"plait/internal/translate/glossary"
	"plait/internal/translate/ledger"
	"plait/internal/translate/provider"
)

// job is the state of one request: what is translated, and what has to be asked.
type job struct {
	request   Request
	page      page
	threshold int
	settled   bool
	// instructions are the lines that an answer must not echo.
	instructions []string
	// sources and translations are indexed by segment; pending are the indexes without a translation yet, and defects the defects of their
	// last answers.
	sources      []string
	translations []string
	pending      []int
	defects      map[int]defect
	// spoiled is the number of rounds with unacceptable answers: only those make the next round warmer. unfit means that the current round
	// has one.
	spoiled int
	unfit   bool
	// terms are the entries of the glossary that occur on the page. An acceptable answer that contradicts them is kept as a draft, and
	// asked for once more with a reminder.
	terms     []glossary.Entry
	drafts    map[int]string
	reminders map[int][]glossary.Entry
	// orderDoubted means that a reply was rejected because its texts seemed to be at the wrong numbers.
	orderDoubted bool
	// insisted is the last answer of a segment that was rejected as untranslated, normalized.
	insisted map[int]string
}

func newJob(m *model, r Request) *job {
	j := &job{
		request: r,
		page: page{
			from: r.From, to: r.To, synopsis: flatten(r.Synopsis), context: r.Context, done: r.Done,
			before: r.Before, rules: r.Rules, schema: m.config.Schema, prompts: cmp.Or(r.Prompts, m.config.Prompts),
		},
		settled:      m.settled,
		threshold:    m.config.RepetitionThreshold,
		translations: make([]string, len(r.Segments)),
		defects:      map[int]defect{},
		insisted:     map[int]string{},
		drafts:       map[int]string{},
		reminders:    map[int][]glossary.Entry{},
	}
	j.instructions = instructionLines(j.page)
	for i, s := range r.Segments {
		j.sources = append(j.sources, flatten(s.Text))
		// A text without letters, such as "…!?", needs no translation and keeps its original lettering.
		if hasLetter(j.sources[i]) {
			j.pending = append(j.pending, i)
		}
	}
	j.terms = glossary.Occurring(r.Glossary, j.sources)
	j.page.terms, j.page.cast = j.terms, glossary.Occurring(withoutTerms(r.Cast, j.terms), j.sources)
	return j
}

// withoutTerms returns the entries whose source is not in the glossary.
func withoutTerms(entries, terms []glossary.Entry) []glossary.Entry {
	return slices.DeleteFunc(slices.Clone(entries), func(e glossary.Entry) bool {
		return slices.ContainsFunc(terms, func(t glossary.Entry) bool { return t.Source == e.Source })
	})
}

// prompt asks for the segments of chunk, with the texts of the page that are already translated as context.
func (j *job) prompt(chunk []int) (system, user string) {
	p := j.page
	p.done = slices.Clone(p.done)
	for i, source := range j.sources {
		if j.translations[i] != "" {
			p.done = append(p.done, Pair{Source: source, Translation: j.translations[i]})
		}
	}
	sources := make([]string, len(chunk))
	for n, i := range chunk {
		sources[n] = j.sources[i]
		for _, e := range j.reminders[i] {
			p.reminders = append(p.reminders, fmt.Sprintf("Segment %d must call %s %q.", n+1, flatten(e.Source), flatten(e.Wanted())))
		}
	}
	return p.prompt(sources)
}

// take stores the acceptable translations of an answer. It reports whether the model has refused the content.
func (j *job) take(chunk []int, answer ledger.Answer) (refused bool) {
	if answer.FinishReason == string(provider.FinishRefused) {
		for _, i := range chunk {
			j.defects[i] = core.UntranslatedRefused
		}
		return true
	}
	replies := parseReply(answer.Text, len(chunk), j.page.schema, answer.FinishReason == string(provider.FinishLength))
	for n, i := range chunk {
		if replies[n].defect == "" {
			replies[n].defect = j.check(i, replies[n].text)
		}
		if replies[n].defect == "" {
			replies[n] = j.examine(i, replies[n])
		}
	}
	j.doubtOrder(chunk, replies)
	for n, i := range chunk {
		r := replies[n]
		if r.defect == "" {
			r.defect = j.remind(i, r.text)
		} else if draft, ok := j.drafts[i]; ok {
			r.text, r.defect = draft, "" // an acceptable draft is better than nothing
		}
		if r.defect != "" {
			j.defects[i] = r.defect
			j.unfit = true
			continue
		}
		j.translations[i] = r.text
		delete(j.defects, i)
		j.pending = slices.DeleteFunc(j.pending, func(p int) bool { return p == i })
	}
	return !slices.ContainsFunc(replies, func(r answered) bool { return r.defect != core.UntranslatedRefused })
}

// examine applies the check of the caller to an acceptable answer.
func (j *job) examine(i int, r answered) answered {
	if j.request.Examine == nil {
		return r
	}
	mended, ok := j.request.Examine(j.request.Segments[i].Index, r.text)
	if !ok {
		return answered{defect: core.UntranslatedForm}
	}
	return answered{text: mended}
}

// doubtOrder rejects a reply whose texts seem to be at the wrong numbers: each may belong to a neighbor. It accepts the next one, because
// the translations of this page may simply have such lengths.
func (j *job) doubtOrder(chunk []int, replies []answered) {
	if j.orderDoubted || j.settled {
		return
	}
	sources := make([]string, len(chunk))
	for n, i := range chunk {
		sources[n] = j.sources[i]
	}
	if misplaced(sources, replies) || filledUp(sources, replies) {
		j.orderDoubted = true
		setAll(replies, core.UntranslatedMerged)
	}
}

// againstTerms is the defect of an acceptable answer that does not use the terms of the glossary. It is never final.
const againstTerms defect = "against the glossary"

// remind checks an answer against the glossary. The second answer is accepted in any case: the model may be right, for example when a term
// is part of another word.
func (j *job) remind(i int, text string) defect {
	if _, reminded := j.drafts[i]; reminded || j.settled {
		return ""
	}
	violated := glossary.Violated(j.terms, j.sources[i], text)
	if len(violated) == 0 {
		return ""
	}
	j.drafts[i], j.reminders[i] = text, violated
	return againstTerms
}

// cool ends a round.
func (j *job) cool() {
	if j.unfit {
		j.spoiled++
	}
	j.unfit = false
}

// allRefused reports whether models refused the content of everything that is pending.
func (j *job) allRefused() bool {
	return !slices.ContainsFunc(j.pending, func(i int) bool { return j.defects[i] != core.UntranslatedRefused })
}

// result is one translation for each segment: the text, or the reason why there is none.
func (j *job) result() []core.Translation {
	translations := make([]core.Translation, len(j.sources))
	for i, s := range j.request.Segments {
		t := core.Translation{Index: s.Index, Text: j.translations[i], Untranslated: j.defects[i]}
		if draft, ok := j.drafts[i]; ok && t.Text == "" {
			t.Text, t.Untranslated = draft, ""
		}
		translations[i] = t
	}
	return translations
}

// counts are the defects that are left: "2 missing, 1 untranslated".
func (j *job) counts() string {
	counts := map[defect]int{}
	for _, d := range j.defects {
		counts[d]++
	}
	var parts []string
	for _, d := range slices.Sorted(maps.Keys(counts)) {
		parts = append(parts, fmt.Sprintf("%d %s", counts[d], d))
	}
	return strings.Join(parts, ", ")
}
