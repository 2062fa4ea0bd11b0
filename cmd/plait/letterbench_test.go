package main

import (
	"context"
	"flag"
	"image"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"plait/internal/assets"
	"plait/internal/benchtest"
	"plait/internal/comic"
	"plait/internal/comic/engine"
	"plait/internal/comic/letter"
	"plait/internal/config"
	"plait/internal/core"
	"plait/internal/files"
	"plait/internal/picture"
)

var benchSheetsFlag = flag.String("sheets", "", "folder of the contact sheets that BenchmarkLetter draws; its subfolders get the lettered pages")

// BenchmarkLetter letters the pages below -pages again, from the texts of the other folders there or from the scripts
// beside them, and prints one JSON line a direction. It looks at the result as a reader does: what it can measure on
// the pixels it does, and the engine reads the pages back.
//
//	go test ./cmd/plait -run '^$' -bench 'Letter$' -benchtime 1x -pages $PWD/examples -sheets $PWD/bench
func BenchmarkLetter(b *testing.B) {
	require.NotEmpty(b, *benchPagesFlag, "-pages names the folder of the pages")
	l, err := config.Load(config.Sources{Environ: newInstallation(b).env})
	require.NoError(b, err)
	l.Worker.DeviceSlots = 1
	e := &letterBench{b: b, ctx: b.Context()}
	c, err := engine.Configured(&l.Config)
	require.NoError(b, err)
	e.engine, err = engine.Open(e.ctx, c)
	require.NoError(b, err)
	defer func() { require.NoError(b, e.engine.Close()) }()
	set, err := assets.Open(l.AssetsDir)
	require.NoError(b, err)
	e.letterer, err = letter.Open(letter.Config{Assets: set.Dir()})
	require.NoError(b, err)
	for _, book := range letterBooks(b, *benchPagesFlag) {
		for range b.N {
			e.letterBook(book)
		}
	}
}

// letterBench letters pages and measures.
type letterBench struct {
	b      *testing.B
	ctx    context.Context
	engine *engine.Engine
	// letterer is as the engine's own, asked for its report.
	letterer *letter.Letterer
}

// letterBook reads each page once, and letters it in every direction.
func (e *letterBench) letterBook(book letterBook) {
	figures := make([]*letterFigures, len(book.targets))
	sheets := make([]*contactSheet, len(book.targets))
	for i, t := range book.targets {
		figures[i] = &letterFigures{Case: "letter", Pages: book.name, Onto: book.lang, Text: t.lang}
		sheets[i] = &contactSheet{}
	}
	first := book.targets[0]
	edits := &editFigures{Case: "letter edit", Pages: book.name, Onto: book.lang, Text: first.lang}
	for _, page := range book.pages {
		file, err := os.ReadFile(page)
		require.NoError(e.b, err)
		c, found, err := e.engine.Detect(e.ctx, file, comic.Options{From: book.lang, To: first.lang})
		require.NoError(e.b, err)
		edits.files = append(edits.files, page)
		e.edit(c, first.texts(e.b, page, found), edits)
		for i, t := range book.targets {
			texts := t.texts(e.b, page, found)
			if len(texts) == 0 {
				continue
			}
			made := e.letterPage(c, found.Regions, texts, t.lang)
			figures[i].files = append(figures[i].files, page)
			made.measure(figures[i])
			e.readBack(made, figures[i])
			sheets[i].add(c.Page(), made.page)
			e.keep(book, t, page, made.page)
		}
	}
	e.printEdits(edits)
	for i, f := range figures {
		e.print(f)
		if *benchSheetsFlag != "" {
			sheets[i].write(e.b, filepath.Join(*benchSheetsFlag, "letter-"+f.Pages+"-"+f.Text+".jpg"))
		}
	}
	if !book.scripted {
		e.letterStrip(book)
	}
}

// print finishes the figures of a case and writes them down.
func (e *letterBench) print(f *letterFigures) {
	f.finish()
	benchtest.Write(e.b, f.files, f)
}

// letterPage erases the regions that have a text, and letters it in their place, as the engine does.
func (e *letterBench) letterPage(c *engine.Context, all []comic.Region, texts []core.Translation, lang string) *letteredPage {
	given := map[int]string{}
	for _, t := range texts {
		given[t.Index] = t.Text
	}
	out := &letteredPage{lang: lang, texts: given}
	for _, r := range all {
		if r.TargetLang = lang; given[r.Index] != "" {
			out.regions = append(out.regions, r)
		}
	}
	began := time.Now()
	erased, err := e.engine.Erase(e.ctx, c, out.regions)
	require.NoError(e.b, err)
	out.page = erased.Image
	out.seconds = time.Since(began).Seconds()
	out.erased = image.NewNRGBA(out.page.Rect)
	copy(out.erased.Pix, out.page.Pix)
	began = time.Now()
	out.report, err = e.letterer.Draw(e.ctx, letter.Page{
		Erased: out.page, Original: c.Page(), Regions: out.regions, Translations: texts, Lang: lang,
	}, letter.DefaultParams())
	require.NoError(e.b, err)
	out.seconds += time.Since(began).Seconds()
	return out
}

// readBack reads the lettered page, and compares what it reads with what was set.
func (e *letterBench) readBack(made *letteredPage, f *letterFigures) {
	file, err := picture.Encode(e.ctx, made.page, picture.Info{Format: picture.BMP, Width: made.page.Rect.Dx(), Height: made.page.Rect.Dy()})
	require.NoError(e.b, err)
	_, found, err := e.engine.Detect(e.ctx, file, comic.Options{From: made.lang})
	require.NoError(e.b, err)
	made.compare(found.Regions, f)
}

// keep writes a lettered page as PNG.
func (e *letterBench) keep(book letterBook, t letterTarget, page string, img *image.NRGBA) {
	if *benchSheetsFlag == "" || book.scripted {
		return
	}
	name := strings.TrimSuffix(filepath.Base(page), filepath.Ext(page)) + ".png"
	require.NoError(e.b, files.WritePNG(filepath.Join(*benchSheetsFlag, t.lang+"-onto-"+book.lang, name), img))
}
