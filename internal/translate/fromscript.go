package translate

import (
	"context"
	"fmt"
	"log/slog"
	"strings"

	"plait/internal/core"
	"plait/internal/translate/script"
)

// maxNamed bounds the number of regions that an error names.
const maxNamed = 5

// fromScript returns the translations of a script.
type fromScript struct {
	file   *script.File
	strict bool
	log    *slog.Logger
}

// FromScript makes a translator from a script. A region with an empty translation keeps its original lettering. So does a region that is
// missing in the script, which is marked core.UntranslatedMissing unless it has no text or its segment is optional. A page that is missing
// and has such regions fails with CodeScriptIncomplete; with strict, so does a page with any of them. Regions that only the script has are
// ignored, because detection may read a page slightly differently each time. It needs no ledger and costs nothing.
func FromScript(file *script.File, strict bool, log *slog.Logger) Translator {
	return &fromScript{file: file, strict: strict, log: log}
}

// Name is core.TranslatorScript.
func (*fromScript) Name() string { return core.TranslatorScript }

// Check always succeeds: the script is in memory.
func (*fromScript) Check(context.Context) (Health, error) {
	return Health{Provider: core.TranslatorScript}, nil
}

// Translate matches the regions of the page with those of the script.
func (t *fromScript) Translate(ctx context.Context, r Request) (Result, error) {
	if err := ctx.Err(); err != nil {
		return Result{}, err
	}
	result := Result{Provider: core.TranslatorScript}
	page, found := t.file.Find(r.Page.Name)
	if !found {
		page = &script.Page{}
	}
	readings := make([]script.Reading, len(r.Segments))
	for i, s := range r.Segments {
		readings[i] = script.Reading{Index: s.Index, Text: s.Text}
	}
	var unknown []string
	for i, place := range page.Match(readings) {
		translation := core.Translation{Index: r.Segments[i].Index}
		switch {
		case place >= 0:
			translation.Text = strings.TrimSpace(page.Regions[place].Translation)
		case r.Segments[i].required():
			unknown = append(unknown, fmt.Sprint(translation.Index))
			translation.Untranslated = core.UntranslatedMissing
		}
		result.Translations = append(result.Translations, translation)
	}
	switch {
	case len(unknown) == 0:
	case !found:
		return Result{}, core.Errorf(core.CodeScriptIncomplete, "the script has no page %q, which has %d regions", r.Page.Name, len(r.Segments))
	case t.strict:
		named := strings.Join(unknown[:min(len(unknown), maxNamed)], ", ")
		if len(unknown) > maxNamed {
			named += ", …"
		}
		return Result{}, core.Errorf(core.CodeScriptIncomplete, "the script has no translation for %d of %d regions of page %q (region %s)",
			len(unknown), len(r.Segments), r.Page.Name, named)
	}
	t.log.DebugContext(ctx, "translated from the script", "page", r.Page.String(), "regions", len(r.Segments))
	return result, nil
}

// required reports whether a script must contain the region: a region without text keeps its original lettering.
func (s Segment) required() bool { return s.Text != "" && !s.Optional }
