package documenttasks

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"plait/internal/core"
	"plait/internal/document"
	"plait/internal/languages"
	"plait/internal/translate/provider"
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
	if o.From, o.To, err = r.languages(); err != nil {
		return o, err
	}
	if o.Mode, err = tasks.OneOf("mode", cmp.Or(core.Mode(r.Mode), document.ModeConcurrent), document.ModeConcurrent, document.ModeSerial); err != nil {
		return o, err
	}
	if o.Output, err = tasks.OneOf("output", cmp.Or(document.Output(r.Output), document.OutputMono), document.OutputMono, document.OutputDual, document.OutputBoth); err != nil {
		return o, err
	}
	if o.Dual, err = tasks.OneOf("dual", cmp.Or(document.Dual(r.Dual), document.DualAlternating), document.DualAlternating, document.DualSideBySide); err != nil {
		return o, err
	}
	actions, err := tasks.OneOf("keep_actions", cmp.Or(r.KeepActions, "false"), "false", "true")
	if err != nil {
		return o, err
	}
	if o.Confidence, err = parseConfidence(r.Confidence); err != nil {
		return o, err
	}
	if o.TableThreads, err = parseTableThreads(r.TableThreads); err != nil {
		return o, err
	}
	o.KeepActions, o.Translator, o.Domain = actions == "true", r.Translator, r.Domain
	if o.Domain == "" {
		o.Domain = DefaultDomain
	}
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

func (r Request) languages() (from, to string, err error) {
	if r.From == "" {
		r.From = languages.Auto
	}
	if from, err = languages.ParseSource(r.From); err != nil {
		return "", "", err
	}
	if r.To == "" {
		return "", "", core.NewError(core.CodeInvalidInput, "the target language (to) is missing")
	}
	if to, err = languages.ParseTarget(r.To); err != nil {
		return "", "", err
	}
	if from == to {
		return "", "", core.Errorf(core.CodeInvalidInput, "the source language (from) and the target language (to) are both %s", to)
	}
	return from, to, nil
}

func (r Request) checkTexts() error {
	if r.Translator != "" && !slices.Contains(provider.Kinds(), r.Translator) {
		return core.Errorf(core.CodeInvalidInput, "translator %.20q is not known; known are %s", r.Translator, strings.Join(provider.Kinds(), ", "))
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
