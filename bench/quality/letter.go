package main

import (
	"context"
	"fmt"
	"image"
	"os"
	"path/filepath"
	"slices"
	"time"

	"plait/internal/comic"
	"plait/internal/comic/engine"
	"plait/internal/comic/letter"
	"plait/internal/core"
	"plait/internal/picture"
)

// lettering letters pages and measures the result.
type lettering struct {
	engine *engine.Engine
	// letterer is the same as that of the engine; its reports are needed.
	letterer *letter.Letterer
}

// target is a language in which a page is lettered.
type target struct {
	lang string
	// human is the page of the book in that language.
	human truePage
}

// targets returns the pages of the same book and name in the languages of -letter, if the page's own language is one of them.
func (o options) targets(p truePage) ([]target, error) {
	langs := o.letter
	if p.File == "" || !slices.Contains(langs, p.Lang) && !slices.Contains(langs, allLanguages) {
		return nil, nil
	}
	if slices.Contains(langs, allLanguages) {
		var err error
		if langs, err = siblings(filepath.Dir(p.File)); err != nil {
			return nil, err
		}
	}
	var all []target
	for _, folder := range langs {
		if folder == p.Lang {
			continue
		}
		human, ok, err := p.inLanguage(folder)
		if err != nil {
			return nil, err
		}
		if !ok || len(human.Blocks) == 0 {
			continue
		}
		lang, err := languageTag(folder)
		if err != nil {
			return nil, err
		}
		all = append(all, target{lang, human})
	}
	return all, nil
}

// allLanguages is the value of -letter for every language of a book.
const allLanguages = "all"

// siblings returns the names of the folders next to a folder, and its own.
func siblings(dir string) ([]string, error) {
	entries, err := os.ReadDir(filepath.Dir(dir))
	if err != nil {
		return nil, err
	}
	var names []string
	for _, e := range entries {
		if e.IsDir() {
			names = append(names, e.Name())
		}
	}
	return names, nil
}

// letterPage erases the regions that have a text, and letters it in their place, as the engine does.
func (l *lettering) letterPage(ctx context.Context, c *engine.Context, texts []core.Translation, lang string) (*letteredPage, error) {
	out := &letteredPage{lang: lang, original: c.Picture().Image, texts: core.TextsByRegion(texts)}
	var stay []comic.Region
	for _, r := range c.Regions() {
		if r.TargetLang = lang; out.texts[r.Index] != "" && !r.Says(out.texts[r.Index]) {
			out.regions = append(out.regions, r)
		} else {
			stay = append(stay, r)
		}
	}
	began := time.Now()
	erased, err := l.engine.Erase(ctx, c, out.regions)
	if err != nil {
		return nil, err
	}
	took := time.Since(began)
	out.page, out.erased = erased.Image, image.NewNRGBA(erased.Image.Rect)
	copy(out.erased.Pix, out.page.Pix)
	began = time.Now()
	page := letter.Page{Erased: out.page, Original: c.Picture().Image, Translations: texts, Lang: lang, Drawn: stay}
	for _, r := range out.regions {
		if slices.Contains(erased.Kept, r.Index) {
			page.Annotated = append(page.Annotated, r)
		} else {
			page.Regions = append(page.Regions, r)
		}
	}
	out.report, err = l.letterer.Draw(ctx, page, letter.DefaultParams())
	out.report.Regions = slices.DeleteFunc(out.report.Regions, func(r letter.Lettered) bool { return slices.Contains(erased.Kept, r.Index) })
	out.regions = page.Regions // annotations are no dialogue
	out.seconds = (took + time.Since(began)).Seconds()
	return out, err
}

// score measures a lettered page, and reads it back.
func (l *lettering) score(ctx context.Context, made *letteredPage) (t letterTally, err error) {
	made.measure(&t)
	file, err := picture.Encode(ctx, made.page, picture.Info{Format: picture.BMP, Width: made.page.Rect.Dx(), Height: made.page.Rect.Dy()})
	if err != nil {
		return t, err
	}
	_, found, err := l.engine.Detect(ctx, file, comic.Options{From: made.lang})
	if err != nil {
		return t, fmt.Errorf("read back: %w", err)
	}
	made.compare(found.Regions, &t)
	made.compareBreaks(&t)
	return t, nil
}
