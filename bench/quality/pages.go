package main

import (
	"context"
	"encoding/json"
	"fmt"
	"image"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"plait/internal/picture"
)

// truePage is a page whose text is known.
type truePage struct {
	// Book and Lang are the names of the two folders that contain the page.
	Book, Lang string
	Name       string // without its extension
	// File is the path of the page, or Image is its content.
	File  string
	Image []byte
	// BareFile is the path of the same page without its text, or Bare is its content; both are empty if it is not known.
	BareFile string
	Bare     []byte
	Blocks   []block
	// Last says that the page is the last of its folder.
	Last bool
}

// path names the page in the file of figures.
func (p truePage) path() string { return p.Book + "-" + p.Lang + "/" + p.Name }

// content returns the page's file.
func (p truePage) content() ([]byte, error) {
	if p.Image != nil {
		return p.Image, nil
	}
	return os.ReadFile(p.File)
}

// bare returns the file of the page without its text.
func (p truePage) bare() ([]byte, error) {
	if p.Bare != nil {
		return p.Bare, nil
	}
	return os.ReadFile(p.BareFile)
}

// decoded returns the picture in a file of a page: its content, or the page without its text.
func decoded(ctx context.Context, file func() ([]byte, error)) (*image.NRGBA, error) {
	b, err := file()
	if err != nil {
		return nil, err
	}
	pic, err := picture.Decode(ctx, b, picture.DefaultLimits())
	if err != nil {
		return nil, err
	}
	return pic.Image, nil
}

func (p truePage) hasBare() bool { return p.Bare != nil || p.BareFile != "" }

// pages returns the pages below root that have a file with their text, such as BOOK/LANG/01.json for BOOK/LANG/01.jpg: those of langs
// (empty: all languages), and only every n-th page of each folder (n = every).
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
		stem := strings.TrimSuffix(path, ".json")
		if p.File, p.BareFile = imageOf(stem), imageOf(stem+".notext"); p.File == "" {
			return nil, fmt.Errorf("%s has no page with the same name", path)
		}
		all = append(all, p)
	}
	if len(all) == 0 {
		return nil, fmt.Errorf("%s has no folders BOOK/LANG with pages and their text", root)
	}
	return all, nil
}

// imageOf returns the JPEG or PNG file whose path is stem without its extension; empty if there is none.
func imageOf(stem string) string {
	for _, ending := range []string{".jpg", ".png"} {
		if _, err := os.Stat(stem + ending); err == nil {
			return stem + ending
		}
	}
	return ""
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
