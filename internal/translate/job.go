package translate

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"plait/internal/core"
	"plait/internal/translate/glossary"
	"plait/internal/translate/ledger"
	"plait/internal/translate/provider"
)

// job is one request on its way: what is translated, and what is still to be asked.
type job struct {
	request   Request
	page      page
	threshold int
	settled   bool
	// instructions are the lines that an answer must not echo.
	instructions []string
	// sources and translations are by the place of the segment; pending are the places that have no translation yet,
	// and defects what was wrong with their last answer.
	sources      []string
	translations []string
	pending      []int
	defects      map[int]defect
	// spoiled is the number of rounds with answers that were not fit: only those make the next one warmer. unfit says that
	// the present round has one.
	spoiled int
	unfit   bool
	// terms are the entries of the glossary that occur on the page. A fit answer that goes against them is kept as a draft, and
	// asked for once more with a reminder.
	terms     []glossary.Entry
	drafts    map[int]string
	reminders map[int][]glossary.Entry
	// orderDoubted says that a reply was taken for one whose texts stand at the wrong numbers.
	orderDoubted bool
	// insisted is the last answer of a segment that was taken for untranslated, in the form for comparing.
	insisted map[int]string
}

func newJob(m *model, r Request) *job {
	j := &job{
		request: r,
		page: page{
			from: r.From, to: r.To, synopsis: flatten(r.Synopsis), context: r.Context, done: r.Done,
			schema: m.config.Schema, prompts: m.config.Prompts,
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
		// Without a letter there is nothing to say in another language: "…!?" stays as it is drawn.
		if hasLetter(j.sources[i]) {
			j.pending = append(j.pending, i)
		}
	}
	j.terms = glossary.Occurring(r.Glossary, j.sources)
	j.page.terms, j.page.cast = j.terms, glossary.Occurring(withoutTerms(r.Cast, j.terms), j.sources)
	return j
}

// withoutTerms are the entries whose source the glossary does not name.
func withoutTerms(entries, terms []glossary.Entry) []glossary.Entry {
	return slices.DeleteFunc(slices.Clone(entries), func(e glossary.Entry) bool {
		return slices.ContainsFunc(terms, func(t glossary.Entry) bool { return t.Source == e.Source })
	})
}

// prompt asks for the segments at the places of chunk, with those already translated on the page as context.
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

// take keeps the fit translations of an answer. It reports whether the model has refused the content instead.
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
	}
	j.doubtOrder(chunk, replies)
	for n, i := range chunk {
		r := replies[n]
		if r.defect == "" {
			r.defect = j.remind(i, r.text)
		} else if draft, ok := j.drafts[i]; ok {
			r.text, r.defect = draft, "" // better than nothing
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

// doubtOrder rejects a reply whose texts seem to stand at the wrong numbers: they may all be a neighbor's. The next one is believed, for
// the page may be one whose translations have such lengths.
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

// againstTerms is the defect of a fit answer that does not use the terms of the glossary. It is never the last word.
const againstTerms defect = "against the glossary"

// remind holds an answer against the glossary. The second one is taken as it is: the model may know better, as where a term is
// part of another word.
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
