package main

import (
	"cmp"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"plait/internal/comic"
	"plait/internal/core"
	"plait/internal/languages"
	"plait/internal/translate/script"
)

// joinedShare is the least overlap, as a share of the smaller box, of a block with a region that has a block already.
const joinedShare = 0.3

// compare orders blocks from the top, and those side by side from the left.
func (b block) compare(o block) int {
	shared := min(b.Box[3], o.Box[3]) - max(b.Box[1], o.Box[1])
	if shared <= 0 || shared < 0.5*min(b.Box[3]-b.Box[1], o.Box[3]-o.Box[1]) {
		return cmp.Compare(b.Box[1], o.Box[1])
	}
	return cmp.Compare(b.Box[0], o.Box[0])
}

// languageTag returns the tag of a language as folders of pages name it: cn is the country of Simplified Chinese.
func languageTag(folder string) (string, error) {
	if folder == "cn" {
		folder = "zh"
	}
	return languages.ParseTarget(folder)
}

// inLanguage returns the page of the same book and name in another language, and false if there is none.
func (p truePage) inLanguage(lang string) (truePage, bool, error) {
	stem := filepath.Join(filepath.Dir(p.File), "..", lang, p.Name)
	o := truePage{Book: p.Book, Lang: lang, Name: p.Name, File: imageOf(stem), BareFile: imageOf(stem + ".notext")}
	if p.File == "" || o.File == "" {
		return o, false, nil
	}
	var err error
	if o.Blocks, err = readTruth(stem + ".json"); os.IsNotExist(err) {
		return o, false, nil
	}
	return o, err == nil, err
}

// coveredShare is the least share of a region that a block covers if it has the text of the region.
const coveredShare = 0.5

// divide returns the blocks with those that cover several regions below each other divided among these: each line is in the region that is
// nearest to it.
func divide(blocks []block, regions []comic.Region) (parts []block) {
	for _, b := range blocks {
		var covered []box
		for _, r := range regions {
			var o box
			if o[0], o[1], o[2], o[3] = r.Bounds(); b.Box.shared(o) >= coveredShare*o.area() {
				covered = append(covered, o)
			}
		}
		if len(covered) < 2 || len(b.Lines) < len(covered) {
			parts = append(parts, b)
			continue
		}
		slices.SortFunc(covered, func(x, y box) int { return cmp.Compare(x[1], y[1]) })
		lines := make([][]string, len(covered))
		for i, line := range b.Lines {
			y := b.Box[1] + (b.Box[3]-b.Box[1])*(float64(i)+0.5)/float64(len(b.Lines))
			nearest := 0
			for k, o := range covered {
				if o.distance(y) < covered[nearest].distance(y) {
					nearest = k
				}
			}
			lines[nearest] = append(lines[nearest], line)
		}
		for k, o := range covered {
			parts = append(parts, block{Box: o, Lines: lines[k]})
		}
	}
	return parts
}

// pairTexts returns the text of each region in another language: that of its blocks. What has no block stays as it is drawn.
func pairTexts(regions []comic.Region, blocks []block) []core.Translation {
	out := make([]core.Translation, len(regions))
	for j, given := range pairBlocks(regions, blocks) {
		out[j].Index = regions[j].Index
		for _, b := range given {
			out[j].Text = strings.TrimSpace(out[j].Text + " " + strings.Join(b.Lines, " "))
		}
	}
	return out
}

// pairBlocks gives each block to a region by place: the pairs that overlap most first, one to one. Blocks that are left join the region
// that they overlap. It returns the blocks of each region, in reading order.
func pairBlocks(regions []comic.Region, blocks []block) [][]block {
	blocks = divide(blocks, regions)
	type pair struct {
		block, region int
		score         float64
	}
	var pairs []pair
	for i, b := range blocks {
		for j, r := range regions {
			if score := overlap(b, r); score > 0 {
				pairs = append(pairs, pair{i, j, score})
			}
		}
	}
	slices.SortStableFunc(pairs, func(x, y pair) int { return cmp.Compare(y.score, x.score) })
	given, taken := make([][]block, len(regions)), make([]bool, len(blocks))
	for _, again := range []bool{false, true} {
		for _, p := range pairs {
			if taken[p.block] || len(given[p.region]) > 0 && (!again || p.score < joinedShare) {
				continue
			}
			taken[p.block] = true
			given[p.region] = append(given[p.region], blocks[p.block])
		}
	}
	for _, own := range given {
		slices.SortFunc(own, block.compare)
	}
	return given
}

// overlap returns the share of the smaller of the two boxes that is inside the other.
func overlap(b block, r comic.Region) float64 {
	var o box
	o[0], o[1], o[2], o[3] = r.Bounds()
	return b.Box.shared(o) / min(b.Box.area(), o.area())
}

// scripted is a folder of pages with a script of their translations.
type scripted struct {
	name   string
	pages  []string
	script *script.File
}

// scriptedFolders returns the folders below root whose pages have a script: script.LANG.json in the folder, or else beside it.
func scriptedFolders(root string) ([]scripted, error) {
	folders, err := os.ReadDir(root)
	if err != nil {
		return nil, err
	}
	var all []scripted
	for _, f := range folders {
		dir := filepath.Join(root, f.Name())
		pages, err := imagesIn(dir)
		if err != nil {
			return nil, err
		}
		if len(pages) == 0 {
			continue
		}
		scripts, err := scriptsOf(dir)
		if err != nil {
			return nil, err
		}
		for _, s := range scripts {
			all = append(all, scripted{f.Name(), pages, s})
		}
	}
	if len(all) == 0 {
		return nil, fmt.Errorf("%s has no folder of pages with a script", root)
	}
	return all, nil
}

// imagesIn returns the JPEG and PNG files of a folder.
func imagesIn(dir string) ([]string, error) {
	var pages []string
	for _, pattern := range []string{"*.jpg", "*.png"} {
		found, err := filepath.Glob(filepath.Join(dir, pattern))
		if err != nil {
			return nil, err
		}
		pages = append(pages, found...)
	}
	slices.Sort(pages)
	return pages, nil
}

func scriptsOf(dir string) ([]*script.File, error) {
	for _, place := range []string{dir, filepath.Dir(dir)} {
		found, err := filepath.Glob(filepath.Join(place, "script.*.json"))
		if err != nil {
			return nil, err
		}
		var all []*script.File
		for _, path := range found {
			content, err := os.ReadFile(path)
			if err != nil {
				return nil, err
			}
			parsed, err := script.Parse(content)
			if err != nil {
				return nil, fmt.Errorf("%s: %w", path, err)
			}
			all = append(all, parsed)
		}
		if len(all) > 0 {
			return all, nil
		}
	}
	return nil, nil
}

// texts returns the translations that the script has for the regions of a page: one for each region, empty if there is none.
func (s scripted) texts(page string, regions []comic.Region) []core.Translation {
	out := make([]core.Translation, len(regions))
	for i, r := range regions {
		out[i].Index = r.Index
	}
	known, ok := s.script.Find(filepath.Base(page))
	if !ok {
		return out
	}
	readings := make([]script.Reading, len(regions))
	for i, r := range regions {
		readings[i] = script.Reading{Index: r.Index, Text: r.Text}
	}
	for i, place := range known.Match(readings) {
		if place >= 0 {
			out[i].Text = known.Regions[place].Translation
		}
	}
	return out
}
