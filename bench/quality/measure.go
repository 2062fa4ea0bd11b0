package main

import (
	"context"
	"fmt"
	"image"
	"maps"
	"path/filepath"
	"slices"

	"plait/internal/assets"
	"plait/internal/comic"
	"plait/internal/comic/engine"
	"plait/internal/comic/letter"
	"plait/internal/files"
	"plait/internal/languages"
	"plait/internal/onnx"
	"plait/internal/picture"
)

// measurement is what is measured, and its results.
type measurement struct {
	options
	engine   *engine.Engine
	letterer lettering
	other    *peer // nil for none

	ways     []way // of reading; the first is also erased and lettered
	theirs   way
	lines    map[string][]found // of the first way, by folder
	erased   []eraseRow
	lettered letterRows
	strips   map[[3]string]*strip // by book, language of the pages, and language of the texts
	edits    editTally
	edited   []string // pages
	sheets   map[string]*contactSheet
}

// open opens the engine. The caller closes it.
func (m *measurement) open(ctx context.Context) error {
	set, err := assets.Open(m.assets)
	if err != nil {
		return err
	}
	if m.letterer.letterer, err = letter.Open(letter.Config{Assets: set.Dir()}); err != nil {
		return err
	}
	m.engine, err = engine.Open(ctx, engine.Config{
		Assets: set, Runtime: onnx.Config{Device: onnx.CPU, Threads: 1}, Places: 1, Workers: 1, Fast: m.fast, Limits: picture.DefaultLimits(),
	})
	return err
}

// run measures the pages of list, then those with scripts.
func (m *measurement) run(ctx context.Context, list []truePage) error {
	m.letterer.engine, ctx = m.engine, comic.Without(ctx, m.ways[0].without...)
	m.lines, m.strips, m.sheets = map[string][]found{}, map[[3]string]*strip{}, map[string]*contactSheet{}
	for i, p := range list {
		if err := m.page(ctx, p); err != nil {
			return fmt.Errorf("%s %s %s: %w", p.Book, p.Lang, p.Name, err)
		}
		if i+1 == len(list) || list[i+1].Book != p.Book || list[i+1].Lang != p.Lang {
			if err := m.endFolder(ctx); err != nil {
				return fmt.Errorf("%s %s: %w", p.Book, p.Lang, err)
			}
		}
	}
	if err := m.letterScripts(ctx); err != nil {
		return err
	}
	return m.keep(m.lines)
}

// page reads a page in every way, and then with the peer if there is one, so that other load on the machine affects all alike. Then it
// erases and letters the page.
func (m *measurement) page(ctx context.Context, p truePage) error {
	var detected *engine.Context
	for i := range m.ways {
		w := &m.ways[i]
		c, read, t, err := readPage(comic.Without(ctx, w.without...), m.engine, p)
		if err != nil {
			return err
		}
		w.add(p, t)
		if i == 0 {
			detected = c
			m.lines[p.Book+"-"+p.Lang] = append(m.lines[p.Book+"-"+p.Lang], read...)
		}
	}
	if m.other != nil {
		t, err := m.other.read(p)
		if err != nil {
			return fmt.Errorf("the peer: %w", err)
		}
		m.theirs.name = "rapidocr " + m.other.version
		m.theirs.add(p, t)
	}
	if m.erase && p.hasBare() {
		if err := m.erasePage(ctx, p, detected); err != nil {
			return fmt.Errorf("erase: %w", err)
		}
	}
	targets, err := m.targets(p)
	if err != nil {
		return err
	}
	for _, t := range targets {
		if err := m.letterPage(ctx, p, detected, t); err != nil {
			return fmt.Errorf("letter in %s: %w", t.lang, err)
		}
	}
	return nil
}

func (m *measurement) erasePage(ctx context.Context, p truePage, c *engine.Context) error {
	erased, bare, t, err := erasePage(ctx, m.letterer.engine, c, p)
	if err != nil {
		return err
	}
	if n := len(m.erased); n == 0 || m.erased[n-1].book != p.Book || m.erased[n-1].lang != p.Lang {
		m.erased = append(m.erased, eraseRow{book: p.Book, lang: p.Lang, half: m.half(p.Book)})
	}
	row := &m.erased[len(m.erased)-1]
	row.names = append(row.names, p.path())
	row.add(t)
	return m.show(m.sheetFolder(p), "erase-"+p.Book+"-"+p.Lang, p.Name, c.Picture().Image, erased, bare)
}

func (m *measurement) letterPage(ctx context.Context, p truePage, c *engine.Context, t target) error {
	made, err := m.letterer.letterPage(ctx, c, pairTexts(c.Regions(), t.human.Blocks), t.lang)
	if err != nil {
		return err
	}
	made.human = map[int][]block{}
	for i, blocks := range pairBlocks(c.Regions(), t.human.Blocks) {
		made.human[c.Regions()[i].Index] = blocks
	}
	human, err := decoded(ctx, t.human.content)
	if err != nil {
		return err
	}
	if t.human.hasBare() {
		bare, err := decoded(ctx, t.human.bare)
		if err != nil {
			return err
		}
		made.setStrokes(human, bare)
	}
	if err := m.addLettered(ctx, made, p, m.half(p.Book), t.lang); err != nil {
		return err
	}
	if m.strip {
		key := [3]string{p.Book, p.Lang, t.lang}
		if m.strips[key] == nil {
			m.strips[key] = &strip{}
		}
		m.strips[key].add(c.Picture().Image, t.human.Blocks)
	}
	if m.sheetFolder(p) == "" {
		return nil
	}
	return m.show(m.sheetFolder(p), "letter-"+p.Book+"-"+p.Lang+"-"+t.human.Lang, p.Name, c.Picture().Image, made.page, human)
}

// addLettered measures a lettered page and adds the result to its row.
func (m *measurement) addLettered(ctx context.Context, made *letteredPage, p truePage, half, lang string) error {
	made.name = p.Book + " " + p.Lang + "→" + lang + " " + p.Name
	t, err := m.letterer.score(ctx, made)
	if err != nil {
		return err
	}
	row := m.lettered.row(p.Book, half, p.Lang, lang)
	row.names = append(row.names, p.path())
	row.add(t)
	return nil
}

// mostOwn is the greatest number of pages on a contact sheet that is kept with the project.
const mostOwn = 8

// show adds a page to a contact sheet, and writes what was made of it, the second picture, beside the sheet. Sheets of the project's own
// pages show the first mostOwn, and nothing is written beside them.
func (m *measurement) show(folder, sheet, page string, pictures ...*image.NRGBA) error {
	if folder == "" {
		return nil
	}
	path := filepath.Join(folder, sheet)
	if m.sheets[path] == nil {
		m.sheets[path] = &contactSheet{}
	}
	if folder == m.ownSheets {
		if len(m.sheets[path].rows) < mostOwn {
			m.sheets[path].add(pictures...)
		}
		return nil
	}
	m.sheets[path].add(pictures...)
	return files.WritePNG(filepath.Join(path, page+".png"), pictures[1])
}

// endFolder letters the strips of the folder that ended, and writes its contact sheets.
func (m *measurement) endFolder(ctx context.Context) error {
	for _, key := range slices.SortedFunc(maps.Keys(m.strips), func(a, b [3]string) int { return slices.Compare(a[:], b[:]) }) {
		t, err := m.letterer.letterStrip(ctx, *m.strips[key], key[0]+" "+key[1]+"→"+key[2]+stripEnding, key[2])
		if err != nil {
			return fmt.Errorf("the strip in %s: %w", key[2], err)
		}
		row := m.lettered.row(key[0]+stripEnding, m.half(key[0])+stripEnding, key[1], key[2])
		row.names = append(row.names, key[0]+"-"+key[1]+"/strip")
		row.add(t)
	}
	clear(m.strips)
	for path, s := range m.sheets {
		if err := s.write(path + ".jpg"); err != nil {
			return err
		}
	}
	clear(m.sheets)
	return nil
}

// letterScripts letters the pages of -scripts, and edits them.
func (m *measurement) letterScripts(ctx context.Context) error {
	if m.scripts == "" {
		return nil
	}
	folders, err := scriptedFolders(m.scripts)
	if err != nil {
		return err
	}
	for _, s := range folders {
		for _, file := range s.pages {
			if err := m.letterScripted(ctx, s, file); err != nil {
				return fmt.Errorf("%s: %w", file, err)
			}
		}
		if err := m.endFolder(ctx); err != nil {
			return err
		}
	}
	return nil
}

func (m *measurement) letterScripted(ctx context.Context, s scripted, file string) error {
	p := truePage{Book: s.name, Lang: s.script.From, Name: filepath.Base(file), File: file}
	content, err := p.content()
	if err != nil {
		return err
	}
	c, found, err := m.letterer.engine.Detect(ctx, content, comic.Options{From: languages.Auto, To: s.script.To})
	if err != nil {
		return err
	}
	texts := s.texts(file, found.Regions)
	made, err := m.letterer.letterPage(ctx, c, texts, s.script.To)
	if err != nil {
		return err
	}
	if err := m.addLettered(ctx, made, p, exampleHalf, s.script.To); err != nil {
		return err
	}
	if err := m.edits.edit(ctx, m.letterer.engine, c, texts); err != nil {
		return fmt.Errorf("edit: %w", err)
	}
	m.edited = append(m.edited, p.path())
	return m.show(m.ownSheets, "letter-"+s.name+"-"+s.script.To, p.Name, c.Picture().Image, made.page)
}
