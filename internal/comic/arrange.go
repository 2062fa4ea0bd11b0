package comic

import (
	"cmp"
	"math"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"plait/internal/core"
	"plait/internal/raster"
)

// Place is the place of the region in reading order: that of its index, counted from 1, unless a person has moved it.
func (r Region) Place() float64 {
	if r.Override.Place != 0 {
		return r.Override.Place
	}
	return float64(r.Index + 1)
}

// Arrange returns the regions of a page, given as they were found or drawn, as people have divided and joined them. The indices of the
// regions are their positions. A region that was joined into another stays in the list, and is absent. It fails with
// [core.CodeInvalidInput] when a region is joined into itself or into none of the page.
func Arrange(own []Region) ([]Region, error) {
	divided, parts, err := joined(own)
	if err != nil {
		return nil, err
	}
	arranged := slices.Clone(divided)
	for host, all := range parts {
		for _, i := range all[1:] {
			arranged[host] = arranged[host].with(divided[i])
		}
	}
	return arranged, nil
}

// joined returns the regions as people have divided them, and for each that has a text the indices of those whose texts it is made of: itself,
// and those that are joined into it by their places.
func joined(own []Region) (divided []Region, parts map[int][]int, err error) {
	divided, parts = slices.Clone(own), map[int][]int{}
	for i, r := range divided {
		if r.Override.Cut > 0 {
			divided[i], _ = r.Divide(r.Override.Cut)
		}
		host, err := hostOf(own, i)
		if err != nil {
			return nil, nil, err
		}
		parts[host] = append(parts[host], i)
	}
	for host, all := range parts {
		place := func(i int) float64 {
			if i == host {
				return 0
			}
			return own[i].Place()
		}
		slices.SortStableFunc(all, func(a, b int) int { return cmp.Compare(place(a), place(b)) })
	}
	return divided, parts, nil
}

// hostOf is the index of the region that has the text of a region, at the end of all joins.
func hostOf(regions []Region, index int) (int, error) {
	for range regions {
		into := regions[index].Override.JoinedInto
		if into == nil {
			return index, nil
		}
		if *into < 0 || *into >= len(regions) {
			return 0, core.Errorf(core.CodeInvalidInput, "joined_into %d is out of range: the page has %d regions", *into, len(regions))
		}
		index = *into
	}
	return 0, core.Errorf(core.CodeInvalidInput, "region_index %d is joined into itself", index)
}

// with is the region with the lines and the text of another one after its own.
func (r Region) with(next Region) Region {
	r.Lines, r.Texts = slices.Concat(r.Lines, next.Lines), slices.Concat(r.Texts, next.Texts)
	r.Ruby = slices.Concat(r.Ruby, next.Ruby)
	r.Text, r.Unread = JoinTexts([]string{r.Text, next.Text}), r.Unread && next.Unread
	return r
}

// Divide divides the region before a character of its text, counted from 0. A line that the cut is in is cut where that share of its
// characters ends.
func (r Region) Divide(at int) (first, second Region) {
	text := []rune(r.Text)
	at = min(at, len(text))
	first, second = r, r
	first.Text, second.Text = strings.TrimSpace(string(text[:at])), strings.TrimSpace(string(text[at:]))
	texts, count, all := make([]string, len(r.Lines)), make([]float64, len(r.Lines)), 0.0
	copy(texts, r.Texts)
	for i, said := range texts {
		count[i] = max(1, inked(said))
		all += count[i]
	}
	// The text may have other characters than its lines, so that the share counts.
	rest := all * inked(string(text[:at])) / max(1, inked(r.Text))
	first.Lines, first.Texts, second.Lines, second.Texts = nil, nil, nil, nil
	for i, line := range r.Lines {
		share := min(1, max(0, rest/count[i]))
		rest -= count[i]
		before, after := parted(texts[i], share)
		if near := 0.5 / count[i]; share < near || share > 1-near {
			share = float64(int(share + 0.5))
		}
		if share > 0 {
			first.Lines, first.Texts = append(first.Lines, cutLine(line, 0, share)), append(first.Texts, before)
		}
		if share < 1 {
			second.Lines, second.Texts = append(second.Lines, cutLine(line, share, 1)), append(second.Texts, after)
		}
	}
	first.Ruby, second.Ruby = besideLines(r.Ruby, first), besideLines(r.Ruby, second)
	return first, second
}

// inked counts the characters of a text without its spaces.
func inked(text string) (n float64) {
	for _, r := range text {
		if !unicode.IsSpace(r) {
			n++
		}
	}
	return n
}

func parted(text string, share float64) (before, after string) {
	runes := []rune(text)
	at := int(share*float64(len(runes)) + 0.5)
	return strings.TrimSpace(string(runes[:at])), strings.TrimSpace(string(runes[at:]))
}

// cutLine is the part of a line between two shares of its length along its reading direction: from its left to its right side, or for a
// column, which is higher than wide, from its upper to its lower one.
func cutLine(q raster.Quad, from, to float64) raster.Quad {
	if from == 0 && to == 1 {
		return q
	}
	if x0, y0, x1, y1 := q.Bounds(); y1-y0 > x1-x0 {
		return q.From(1).Between(from, to).From(3)
	}
	return q.Between(from, to)
}

// besideLines are the furigana whose middle is nearer to the lines of r than one size of its text.
func besideLines(ruby []raster.Quad, r Region) (list []raster.Quad) {
	x0, y0, x1, y1 := r.Bounds()
	near := raster.QuadOf(x0, y0, x1, y1).Inset(-r.FontSize)
	for _, q := range ruby {
		if near.Contains(q.Middle()) {
			list = append(list, q)
		}
	}
	return list
}

// BreakNear is the number of characters before the end of a word or, in Chinese and Japanese, a character, that is nearest to a share of a
// text, 0..1.
func BreakNear(text string, share float64) int {
	runes := []rune(text)
	want := share * float64(len(runes))
	best := len(runes)
	for i := 1; i < len(runes); i++ {
		breaks := unicode.IsSpace(runes[i]) || Unspaced(runes[i-1]) && Unspaced(runes[i])
		if breaks && math.Abs(float64(i)-want) < math.Abs(float64(best)-want) {
			best = i
		}
	}
	return best
}

// Split is where a person divides a region that may have been joined of several.
type Split struct {
	// Part is the region whose text is divided, or before which the joined regions are parted.
	Part int
	// At is the number of characters of the text of Part before the cut; 0 parts the joined regions.
	At int
	// After are the regions, joined into the same one, that follow Part.
	After []int
}

// SplitOf returns the split of a region before a character of its text, counted from 0. Own is as in [Arrange]. It fails with
// [core.CodeInvalidInput] where one side would have no text.
func SplitOf(own []Region, index, at int) (Split, error) {
	divided, parts, err := joined(own)
	if err != nil {
		return Split{}, err
	}
	text := ""
	for k, i := range parts[index] {
		text = JoinTexts([]string{text, divided[i].Text})
		length := utf8.RuneCountInString(divided[i].Text)
		begin := utf8.RuneCountInString(text) - length
		s := Split{Part: i, At: max(0, at-begin), After: append([]int(nil), parts[index][k+1:]...)}
		if at > 0 && at < begin+length && (at > begin || k > 0) {
			return s, nil
		}
	}
	return Split{}, core.Errorf(core.CodeInvalidInput, "region_index %d has no text on both sides of character %d", index, at)
}
