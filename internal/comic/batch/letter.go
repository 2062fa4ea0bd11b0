package batch

import (
	"context"
	"errors"
	"slices"

	"plait/internal/comic"
	"plait/internal/comic/engine"
	"plait/internal/core"
	"plait/internal/files"
	"plait/internal/translate"
	"plait/internal/translate/glossary"
)

// Letterer letters pages with the translations of a script.
type Letterer struct {
	Options comic.Options
	Script  translate.Translator
	// Untranslated are the kinds of regions that keep their original lettering if the script lacks them.
	Untranslated comic.RegionKinds
	// Glossary are terms that are never broken across lines.
	Glossary []glossary.Entry
	Pages    []files.Page
	// Files are the paths of the results, and Stages the files of the steps of each page; nil writes none.
	Files  []string
	Stages *StageFiles
	// Check examines the result of page i; nil means no check.
	Check func(ctx context.Context, i int, result []byte) error
}

// LetteredPage is the result of lettering a page.
type LetteredPage struct {
	// File is the path of the written page; empty when it was not written.
	File string
	// Regions is the number of regions that were lettered.
	Regions int
	// Unknown is the number of regions that the script lacks and that keep their original lettering.
	Unknown int
	// Missing are the characters that no font has and that were left out.
	Missing string
}

// StageFiles are the files of the steps of each page: its regions, the mask of what was erased, the erased page, and the result.
type StageFiles struct {
	regions, masks, erased, results []string
}

// NewStageFiles chooses the files in dir; flag is the command-line flag that names dir.
func NewStageFiles(n *files.Names, flag, dir string) (s *StageFiles, err error) {
	s = &StageFiles{}
	for _, step := range []struct {
		files  *[]string
		ending func(files.Page) string
	}{
		{&s.regions, files.Ending(".regions.png")},
		{&s.masks, files.Ending(".mask.png")},
		{&s.erased, files.Ending(".erased.png")},
		{&s.results, func(p files.Page) string { return ".result" + files.OwnEnding(p) }},
	} {
		if *step.files, err = n.In(flag, dir, step.ending); err != nil {
			return nil, err
		}
	}
	return s, nil
}

// write writes the files of the steps of page i before its result. A page without a translation has no mask and no erased page.
func (s *StageFiles) write(i int, page *engine.Context) error {
	err := writeOverlay(s.regions[i], page)
	if erased := page.Erased(); erased != nil {
		err = errors.Join(err, files.WritePNG(s.masks[i], erased.Mask()), files.WritePNG(s.erased[i], erased.Image))
	}
	return err
}

// Letter letters page i.
func (w *Letterer) Letter(ctx context.Context, e *Engine, i int, page []byte, done *LetteredPage) error {
	c, found, err := e.Detect(ctx, page, w.Options)
	if err != nil {
		return err
	}
	translations, err := w.translate(ctx, w.Pages[i].Name, found)
	if err != nil {
		return err
	}
	for _, t := range translations {
		if t.Untranslated != "" {
			done.Unknown++
		}
	}
	if w.Stages != nil {
		if c, err = e.Prepare(ctx, c, translations); err != nil {
			return err
		}
		if err := w.Stages.write(i, c); err != nil {
			return err
		}
	}
	result, report, err := e.Render(ctx, c, translations)
	if err != nil {
		return err
	}
	empty := func(t core.Translation) bool { return t.Text == "" }
	done.Regions, done.Missing = len(slices.DeleteFunc(translations, empty)), report.Missing
	if w.Stages != nil {
		if err := files.WriteBytes(w.Stages.results[i], result); err != nil {
			return err
		}
	}
	if w.Files != nil {
		done.File = w.Files[i]
		if err := files.WriteBytes(done.File, result); err != nil {
			return err
		}
	}
	if w.Check == nil {
		return nil
	}
	return w.Check(ctx, i, result)
}

// translate looks the regions of a page up in the script.
func (w *Letterer) translate(ctx context.Context, page string, found comic.DetectOutput) ([]core.Translation, error) {
	request := translate.Request{Page: core.Item{Name: page}, From: found.FromLang, To: w.Options.To}
	for _, r := range found.Regions {
		request.Segments = append(request.Segments, translate.Segment{Index: r.Index, Text: r.Text, Optional: w.Untranslated.Have(r)})
	}
	answer, err := w.Script.Translate(ctx, request)
	return glossary.Mark(w.Glossary, answer.Translations), err
}
