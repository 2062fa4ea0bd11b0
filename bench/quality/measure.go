package main

import (
	"context"
	"fmt"
	"image"
	"path/filepath"

	"plait/internal/assets"
	"plait/internal/comic/engine"
	"plait/internal/files"
	"plait/internal/onnx"
	"plait/internal/picture"
)

// measurement is what is measured, and its results.
type measurement struct {
	options
	engine *engine.Engine
	other  *peer // nil for none

	ways   []way // of reading; the first is also erased
	theirs way
	lines  map[string][]found // of the first way, by folder
	erased []eraseRow
	sheets map[string]*contactSheet
}

// open opens the engine. The caller closes it.
func (m *measurement) open(ctx context.Context) error {
	set, err := assets.Open(m.assets)
	if err != nil {
		return err
	}
	m.engine, err = engine.Open(ctx, engine.Config{
		Assets: set, Device: onnx.CPU, Threads: 1, Places: 1, Workers: 1, Fast: m.fast, Limits: picture.DefaultLimits(),
	})
	return err
}

// run measures the pages of list.
func (m *measurement) run(ctx context.Context, list []truePage) error {
	m.lines, m.sheets = map[string][]found{}, map[string]*contactSheet{}
	for i, p := range list {
		if err := m.page(ctx, p); err != nil {
			return fmt.Errorf("%s %s %s: %w", p.Book, p.Lang, p.Name, err)
		}
		if i+1 == len(list) || list[i+1].Book != p.Book || list[i+1].Lang != p.Lang {
			if err := m.writeSheets(); err != nil {
				return fmt.Errorf("%s %s: %w", p.Book, p.Lang, err)
			}
		}
	}
	return m.keep(m.lines)
}

// page reads a page in every way, and then with the peer if there is one, so that other load on the machine affects all alike. Then it
// erases the page.
func (m *measurement) page(ctx context.Context, p truePage) error {
	var found *engine.Context
	for i := range m.ways {
		w := &m.ways[i]
		c, read, t, err := readPage(ctx, m.engine.Without(w.without), p)
		if err != nil {
			return err
		}
		w.add(p, t)
		if i == 0 {
			found = c
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
		if err := m.erasePage(ctx, p, found); err != nil {
			return fmt.Errorf("erase: %w", err)
		}
	}
	return nil
}

func (m *measurement) erasePage(ctx context.Context, p truePage, c *engine.Context) error {
	erased, bare, t, err := erasePage(ctx, m.engine.Without(m.ways[0].without), c, p)
	if err != nil {
		return err
	}
	if n := len(m.erased); n == 0 || m.erased[n-1].book != p.Book || m.erased[n-1].lang != p.Lang {
		m.erased = append(m.erased, eraseRow{book: p.Book, lang: p.Lang, half: m.half(p.Book)})
	}
	row := &m.erased[len(m.erased)-1]
	row.names = append(row.names, p.path())
	row.add(t)
	return m.show(m.sheetFolder(p), "erase-"+p.Book+"-"+p.Lang, p.Name, c.Page(), erased, bare)
}

// show adds a page to a contact sheet, and writes what was made of it, the second picture, beside the sheet.
func (m *measurement) show(folder, sheet, page string, pictures ...*image.NRGBA) error {
	if folder == "" {
		return nil
	}
	path := filepath.Join(folder, sheet)
	if m.sheets[path] == nil {
		m.sheets[path] = &contactSheet{}
	}
	m.sheets[path].add(pictures...)
	if folder == m.ownSheets {
		return nil
	}
	return files.WritePNG(filepath.Join(path, page+".png"), pictures[1])
}

// writeSheets writes the contact sheets of a folder.
func (m *measurement) writeSheets() error {
	for path, s := range m.sheets {
		if err := s.write(path + ".jpg"); err != nil {
			return err
		}
	}
	clear(m.sheets)
	return nil
}
