package documenttasks

import (
	"cmp"
	"strconv"
	"strings"

	"plait/internal/core"
	"plait/internal/document"
	"plait/tasks"
)

// Request is an unchecked request for the translation of a document.
type Request struct {
	// Request contains the file.
	tasks.Request
	// From, To, Mode, Output, Dual, Domain and KeepActions are names, and Confidence and TableThreads are numbers, that Plan checks. All but To
	// have a default.
	From, To, Mode, Output, Dual, Domain, KeepActions, Confidence, TableThreads string
	// Pages are the pages to translate, as [ParsePages] reads them; empty is all.
	Pages string
	// Password opens an encrypted file; it is not stored.
	Password string
	// Translator is the name of a configured translator; empty means the default.
	Translator string
	// PromptContext goes to the model with every page.
	tasks.PromptContext
}

const (
	maxDomainRunes = 40
	// DefaultDomain is the domain of documents by default.
	DefaultDomain = "general"
)

// options checks the options of the request, without those that depend on the file.
func (r Request) options() (o document.Options, err error) {
	if err := r.Request.Check(); err != nil {
		return o, err
	}
	if o.From, o.To, err = tasks.Languages(r.From, r.To); err != nil {
		return o, err
	}
	if o.Mode, err = core.OneOf("mode", cmp.Or(core.Mode(r.Mode), document.ModeConcurrent), document.ModeConcurrent, document.ModeSerial); err != nil {
		return o, err
	}
	if o.Output, err = core.OneOf("output", cmp.Or(document.Output(r.Output), document.OutputMono), document.OutputMono, document.OutputDual, document.OutputBoth); err != nil {
		return o, err
	}
	if o.Dual, err = core.OneOf("dual", cmp.Or(document.Dual(r.Dual), document.DualAlternating), document.DualAlternating, document.DualSideBySide); err != nil {
		return o, err
	}
	if o.KeepActions, err = tasks.Switch("keep_actions", r.KeepActions); err != nil {
		return o, err
	}
	if o.Confidence, err = parseConfidence(r.Confidence); err != nil {
		return o, err
	}
	if o.TableThreads, err = parseTableThreads(r.TableThreads); err != nil {
		return o, err
	}
	o.Translator, o.Domain = r.Translator, cmp.Or(r.Domain, DefaultDomain)
	return o, r.checkTexts()
}

// The bounds of the confidence of regions are those of the setting.
const minConfidence, maxConfidence = 0.01, 0.99

func parseConfidence(text string) (float64, error) {
	if text == "" {
		return 0, nil
	}
	c, err := strconv.ParseFloat(text, 64)
	if err != nil || !(c >= minConfidence && c <= maxConfidence) {
		return 0, core.Errorf(core.CodeInvalidInput, "confidence %.20q is not a number from %g to %g", text, minConfidence, maxConfidence)
	}
	return c, nil
}

// maxTableThreads is the largest number of table slots of an installation.
const maxTableThreads = 100

func parseTableThreads(text string) (int, error) {
	if text == "" {
		return 0, nil
	}
	n, err := strconv.Atoi(text)
	if err != nil || n < 1 || n > maxTableThreads {
		return 0, core.Errorf(core.CodeInvalidInput, "table_threads %.20q is not a number from 1 to %d", text, maxTableThreads)
	}
	return n, nil
}

func (r Request) checkTexts() error {
	if err := tasks.CheckTranslator(r.Translator); err != nil {
		return err
	}
	if err := tasks.CheckText("domain", r.Domain, maxDomainRunes); err != nil {
		return err
	}
	return r.PromptContext.Check()
}

// maxRanges bounds the parts of a list of pages.
const maxRanges = 500

// ParsePages reads a list of pages, numbered from 1, such as "1-3,7,12-": a part without an end goes to the last page. An empty list is all
// pages. It returns the positions from 0, ascending and each once, and fails with INVALID_INPUT.
func ParsePages(list string, total int) ([]int, error) {
	if strings.TrimSpace(list) == "" {
		list = "1-"
	}
	parts := strings.Split(list, ",")
	if len(parts) > maxRanges {
		return nil, core.Errorf(core.CodeInvalidInput, "pages has more than %d parts", maxRanges)
	}
	chosen := make([]bool, total)
	for _, part := range parts {
		first, last, err := pageRange(strings.TrimSpace(part), total)
		if err != nil {
			return nil, err
		}
		for page := first; page <= last; page++ {
			chosen[page-1] = true
		}
	}
	var pages []int
	for page, yes := range chosen {
		if yes {
			pages = append(pages, page)
		}
	}
	return pages, nil
}

func pageRange(part string, total int) (first, last int, err error) {
	from, to, isRange := strings.Cut(part, "-")
	first, err = strconv.Atoi(strings.TrimSpace(from))
	last = first
	if err == nil && isRange {
		last = total
		if to = strings.TrimSpace(to); to != "" {
			last, err = strconv.Atoi(to)
		}
	}
	switch {
	case err != nil || first < 1 || last < first:
		return 0, 0, core.Errorf(core.CodeInvalidInput, "pages %.40q is not a list such as 1-3,7,12-", part)
	case last > total:
		return 0, 0, core.Errorf(core.CodeInvalidInput, "pages %.40q is beyond the %d pages of the document", part, total)
	}
	return first, last, nil
}
