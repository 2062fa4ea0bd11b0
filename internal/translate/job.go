package translate

import (
	"fmt"
	"slices"
	"strings"

	"plait/internal/pipeline"
	"plait/internal/translate/ledger"
	"plait/internal/translate/provider"
)

// job is one request on its way: what is translated, and what is still to be asked.
type job struct {
	request   Request
	page      page
	threshold int
	// sources and translations are by the place of the segment; pending are the places that have no translation yet,
	// and defects what was wrong with their last answer.
	sources      []string
	translations []string
	pending      []int
	defects      map[int]defect
	// insisted is the last answer of a segment that was taken for untranslated, in the form for comparing.
	insisted map[int]string
}

func newJob(m *model, r Request) *job {
	j := &job{
		request:      r,
		page:         page{from: r.From, to: r.To, context: r.Context},
		threshold:    m.config.RepetitionThreshold,
		translations: make([]string, len(r.Segments)),
		defects:      map[int]defect{},
		insisted:     map[int]string{},
	}
	for i, s := range r.Segments {
		j.sources = append(j.sources, flatten(s.Text))
		// Without a letter there is nothing to say in another language: "…!?" stays as it is drawn.
		if hasLetter(j.sources[i]) {
			j.pending = append(j.pending, i)
		}
	}
	return j
}

// prompt asks for the segments at the places of chunk, with those already translated on the page as context.
func (j *job) prompt(chunk []int) (system, user string) {
	p := j.page
	for i, source := range j.sources {
		if j.translations[i] != "" {
			p.done = append(p.done, Pair{Source: source, Translation: j.translations[i]})
		}
	}
	sources := make([]string, len(chunk))
	for n, i := range chunk {
		sources[n] = j.sources[i]
	}
	return p.prompt(sources)
}

// take keeps the fit translations of an answer.
func (j *job) take(chunk []int, answer ledger.Answer) {
	replies := parseReply(answer.Text, len(chunk), answer.FinishReason == string(provider.FinishLength))
	instructions := instructionLines(j.page)
	for n, i := range chunk {
		r := replies[n]
		if r.defect == "" {
			r.defect = j.check(i, r.text, instructions)
		}
		if r.defect != "" {
			j.defects[i] = r.defect
			continue
		}
		j.translations[i] = r.text
		delete(j.defects, i)
		j.pending = slices.DeleteFunc(j.pending, func(p int) bool { return p == i })
	}
}

// counts are the defects that are left: "2 missing, 1 untranslated".
func (j *job) counts() string {
	counts := map[defect]int{}
	for _, d := range j.defects {
		counts[d]++
	}
	var parts []string
	for _, d := range allDefects {
		if counts[d] > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", counts[d], d))
		}
	}
	return strings.Join(parts, ", ")
}

func (j *job) invalid(name string) error {
	return pipeline.Errorf(pipeline.CodeTranslationInvalid, "%s gave no fit translation for %d of %d regions (%s)",
		name, len(j.pending), len(j.sources), j.counts())
}
