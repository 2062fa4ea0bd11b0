package main

import (
	"cmp"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"plait/internal/comic"
	"plait/internal/core"
	"plait/internal/languages"
	"plait/internal/translate/script"
)

// letterBook is a folder of pages that BenchmarkLetter letters again.
type letterBook struct {
	name, lang string
	pages      []string
	targets    []letterTarget
	// scripted: the texts come from a script, not from the same pages in another language.
	scripted bool
}

// letterTarget is a language, and where its texts come from.
type letterTarget struct {
	lang  string
	texts func(b *testing.B, page string, found comic.DetectOutput) []core.Translation
	// blocks are what stands on the page of that name in the language; nil for a script.
	blocks func(b *testing.B, page string) []truthBlock
}

// pageTruth is the JSON beside a page: what stands on it, and where.
type pageTruth struct {
	Language string       `json:"language"`
	Blocks   []truthBlock `json:"blocks"`
}

// truthBlock is one block of lettering; Box is x0, y0, x1, y1 in pixels.
type truthBlock struct {
	Box   [4]float64 `json:"box"`
	Lines []string   `json:"lines"`
}

// compare orders blocks from the top, and those side by side from the left.
func (k truthBlock) compare(o truthBlock) int {
	if k.Box[3] <= o.Box[1] || o.Box[3] <= k.Box[1] || min(k.Box[3], o.Box[3])-max(k.Box[1], o.Box[1]) < 0.5*min(k.Box[3]-k.Box[1], o.Box[3]-o.Box[1]) {
		return cmp.Compare(k.Box[1], o.Box[1])
	}
	return cmp.Compare(k.Box[0], o.Box[0])
}

// letterBooks are the folders of pages below root. Pages with their text beside them, as 01.jpg has 01.json, get the
// texts of the pages of that name in the other folders; pages with a script beside their folder or in it, as
// script.en.json, get its translations.
func letterBooks(b *testing.B, root string) []letterBook {
	b.Helper()
	folders := benchPages(b, root)
	langs := map[string]string{}
	for name, pages := range folders {
		if t, ok := readTruth(b, pages[0]); ok {
			langs[name] = languageTag(b, t.Language)
		}
	}
	var out []letterBook
	for name, pages := range folders {
		book := letterBook{name: name, lang: langs[name], pages: pages}
		if book.lang == "" {
			book.scripted = true
			book.addScript(b, filepath.Dir(pages[0]))
		} else {
			for other, lang := range langs {
				if other != name {
					book.targets = append(book.targets, otherLanguage(filepath.Join(root, other), lang))
				}
			}
		}
		slices.SortFunc(book.targets, func(x, y letterTarget) int { return cmp.Compare(x.lang, y.lang) })
		if len(book.targets) > 0 {
			out = append(out, book)
		}
	}
	slices.SortFunc(out, func(x, y letterBook) int { return cmp.Compare(x.name, y.name) })
	require.NotEmpty(b, out, "%s has no pages in two languages, and none with a script", root)
	return out
}

// languageTag is the tag of a language as folders of pages name it: cn is the country of Simplified Chinese.
func languageTag(b *testing.B, name string) string {
	b.Helper()
	if name == "cn" {
		name = "zh"
	}
	tag, err := languages.ParseTarget(name)
	require.NoError(b, err)
	return tag
}

func (k *letterBook) addScript(b *testing.B, dir string) {
	b.Helper()
	for _, pattern := range []string{filepath.Join(dir, "script.*.json"), filepath.Join(filepath.Dir(dir), "script.*.json")} {
		files, err := filepath.Glob(pattern)
		require.NoError(b, err)
		for _, file := range files {
			text, err := os.ReadFile(file)
			require.NoError(b, err)
			parsed, err := script.Parse(text)
			require.NoError(b, err)
			k.lang = parsed.From
			k.targets = append(k.targets, letterTarget{lang: parsed.To, texts: func(_ *testing.B, page string, found comic.DetectOutput) []core.Translation {
				return scriptTexts(parsed, page, found.Regions)
			}})
		}
		if len(files) > 0 {
			return
		}
	}
}

// scriptTexts are the translations of the regions that the script knows.
func scriptTexts(file *script.File, page string, regions []comic.Region) []core.Translation {
	known, ok := file.Find(filepath.Base(page))
	if !ok {
		return nil
	}
	readings := make([]script.Reading, len(regions))
	for i, r := range regions {
		readings[i] = script.Reading{Index: r.Index, Text: r.Text}
	}
	out := make([]core.Translation, len(regions))
	for i, place := range known.Match(readings) {
		out[i].Index = regions[i].Index
		if place >= 0 {
			out[i].Text = known.Regions[place].Translation
		}
	}
	return out
}

// otherLanguage gives each region the text that stands in its place on the page of the same name in another folder.
// Sound effects, and what is of the page rather than of the story, stay as they are drawn.
func otherLanguage(dir, lang string) letterTarget {
	blocks := func(b *testing.B, page string) []truthBlock {
		b.Helper()
		truth, _ := readTruth(b, filepath.Join(dir, filepath.Base(page)))
		return truth.Blocks
	}
	return letterTarget{lang: lang, blocks: blocks, texts: func(b *testing.B, page string, found comic.DetectOutput) []core.Translation {
		b.Helper()
		if known := blocks(b, page); len(known) > 0 {
			return pairTexts(found.Regions, known)
		}
		return nil
	}}
}

func readTruth(b *testing.B, page string) (t pageTruth, ok bool) {
	b.Helper()
	text, err := os.ReadFile(strings.TrimSuffix(page, filepath.Ext(page)) + ".json")
	if os.IsNotExist(err) {
		return t, false
	}
	require.NoError(b, err)
	require.NoError(b, json.Unmarshal(text, &t))
	return t, true
}

// pairTexts gives each block to a region by place: the pairs that overlap most first, one to one; blocks that are left
// join the region that they overlap.
func pairTexts(regions []comic.Region, blocks []truthBlock) []core.Translation {
	type pair struct {
		block, region int
		score         float64
	}
	var pairs []pair
	for i, k := range blocks {
		for j, r := range regions {
			if score := overlap(k, r); score > 0 {
				pairs = append(pairs, pair{i, j, score})
			}
		}
	}
	slices.SortStableFunc(pairs, func(x, y pair) int { return cmp.Compare(y.score, x.score) })
	given, taken := make([][]int, len(regions)), make([]bool, len(blocks))
	for _, again := range []bool{false, true} {
		for _, p := range pairs {
			if taken[p.block] || len(given[p.region]) > 0 && (!again || p.score < 0.3) {
				continue
			}
			taken[p.block] = true
			given[p.region] = append(given[p.region], p.block)
		}
	}
	out := make([]core.Translation, 0, len(regions))
	for j, r := range regions {
		t := core.Translation{Index: r.Index}
		slices.SortFunc(given[j], func(x, y int) int { return blocks[x].compare(blocks[y]) })
		if r.Kind == comic.KindDialogue || r.Kind == comic.KindFree {
			for _, i := range given[j] {
				t.Text = strings.TrimSpace(t.Text + " " + strings.Join(blocks[i].Lines, " "))
			}
		}
		out = append(out, t)
	}
	return out
}

// overlap is the part of the smaller of the two boxes that lies in the other.
func overlap(k truthBlock, r comic.Region) float64 {
	x0, y0, x1, y1 := r.Bounds()
	w, h := min(x1, k.Box[2])-max(x0, k.Box[0]), min(y1, k.Box[3])-max(y0, k.Box[1])
	if w <= 0 || h <= 0 {
		return 0
	}
	return w * h / min((x1-x0)*(y1-y0), (k.Box[2]-k.Box[0])*(k.Box[3]-k.Box[1]))
}
