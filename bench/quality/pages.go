package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// truePage is a page with what is known to stand on it.
type truePage struct {
	// Book and Lang are the two folders that the page lies in.
	Book, Lang string
	Name       string // without its ending
	// File is the page's file, or Image what it would hold.
	File   string
	Image  []byte
	Blocks []block
	// Last says that the page ends its folder.
	Last bool
}

// pages are those below root that have their text beside them, as BOOK/LANG/01.jpg has 01.json: of some languages, all
// where none is named, and of each folder every so many.
func pages(root string, langs []string, every int) ([]truePage, error) {
	truths, err := filepath.Glob(filepath.Join(root, "*", "*", "*.json"))
	if err != nil {
		return nil, err
	}
	slices.Sort(truths)
	var all []truePage
	last, count := "", 0
	for i, path := range truths {
		folder := filepath.Dir(path)
		p := truePage{Book: filepath.Base(filepath.Dir(folder)), Lang: filepath.Base(folder), Name: strings.TrimSuffix(filepath.Base(path), ".json"),
			Last: i+1 == len(truths) || filepath.Dir(truths[i+1]) != folder}
		if len(langs) > 0 && !slices.Contains(langs, p.Lang) {
			continue
		}
		if folder != last {
			last, count = folder, 0
		}
		if count++; count%every != 0 {
			continue
		}
		if p.Blocks, err = readTruth(path); err != nil {
			return nil, err
		}
		for _, ending := range []string{".jpg", ".png"} {
			if _, err := os.Stat(strings.TrimSuffix(path, ".json") + ending); err == nil {
				p.File = strings.TrimSuffix(path, ".json") + ending
			}
		}
		if p.File == "" {
			return nil, fmt.Errorf("%s has no page beside it", path)
		}
		all = append(all, p)
	}
	if len(all) == 0 {
		return nil, fmt.Errorf("%s has no folders BOOK/LANG of pages with their text", root)
	}
	return all, nil
}

func readTruth(path string) ([]block, error) {
	b, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	var truth struct{ Blocks []block }
	if err := json.Unmarshal(b, &truth); err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return truth.Blocks, nil
}
