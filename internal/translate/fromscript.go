package translate

import (
	"context"
	"fmt"
	"log/slog"
	"strings"

	"plait/internal/core"
	"plait/internal/translate/script"
)

// maxNamed bounds how many regions an error names.
const maxNamed = 5

// fromScript takes the translations that a person made.
type fromScript struct {
	file *script.File
	log  *slog.Logger
}

// FromScript makes a translator of a script. A region whose translation the script leaves empty stays as it is drawn. So
// does one that the script does not know, where nothing was read or the segment is optional; any other fails the page with
// CodeScriptIncomplete. Regions that only the script knows are left aside: a page may be read a little differently each
// time. It needs no ledger and pays nothing.
func FromScript(file *script.File, log *slog.Logger) Translator {
	return &fromScript{file: file, log: log}
}

// Name is core.TranslatorScript.
func (*fromScript) Name() string { return core.TranslatorScript }

// Check is always well: the script is in memory.
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
		}
		result.Translations = append(result.Translations, translation)
	}
	switch {
	case len(unknown) == 0:
	case !found:
		return Result{}, core.Errorf(core.CodeScriptIncomplete, "the script has no page %q, which has %d regions", r.Page.Name, len(r.Segments))
	default:
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

// required reports whether a script must know the region: what nobody could read stays as it is drawn.
func (s Segment) required() bool { return s.Text != "" && !s.Optional }
