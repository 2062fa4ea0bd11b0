package main

import (
	"cmp"
	"math"
	"slices"
	"strings"
	"unicode"

	"github.com/agnivade/levenshtein"
	"golang.org/x/text/cases"
	"golang.org/x/text/unicode/norm"
)

// The constants of scoring. Lengths are in pixels, and shares are 0..1.
const (
	// blockMargin is how far outside of a block's box the center of a line of the block may be.
	blockMargin = 10
	// A line belongs to a block if at least lineShare of the line is inside the block, or blockShare of the block inside the line.
	lineShare, blockShare = 0.5, 0.6
	// A block is found if lines cover at least foundShare of it, and read if its errors are at most readErrors of its characters.
	foundShare, readErrors = 0.4, 0.5
	// A block with more than longestText characters is a list of credits, which is not scored.
	longestText = 400
	// A block that overlaps such a list by at least ignoredShare of its area is not scored either.
	ignoredShare = 0.3
	// A text that is on a page at least repeatedSound times is a sound.
	repeatedSound = 4
	// At most mergedBlocks blocks are merged if a line runs through them. The line must overlap each block by at least sharedShare of the
	// smaller of the two.
	mergedBlocks, sharedShare = 5, 0.2
	// The lines of a text are compared in every order if there are at most permutedLines.
	permutedLines = 6
	// coverageSteps is the number of points per side of the grid that measures which share of a block is covered.
	coverageSteps = 24
)

// kind says how a block is scored.
type kind int

const (
	dialogue kind = iota
	sound
	ignored
)

// block is a piece of lettering on a page, with its known text.
type block struct {
	Box   box      `json:"box"`
	Lines []string `json:"lines"`
	kind  kind
	text  string // normalized
}

// found is a recognized line.
type found struct {
	Page string  `json:"page"`
	Box  box     `json:"box"`
	Text string  `json:"text"`
	Prob float64 `json:"score"`
}

// scored is the score of a block: its numbers of errors and characters, for all characters and for letters and digits only.
type scored struct {
	kind                                      kind
	found, read, exact                        bool
	errors, characters, wrongLetters, letters float64
}

// signs maps variants of a punctuation mark to one form.
var signs = strings.NewReplacer("’", "'", "‘", "'", "“", `"`, "”", `"`, "〝", `"`, "〟", `"`, "—", "-", "–", "-", "―", "-", "‐", "-",
	"〜", "~", "∼", "~", "･", "・", "·", "・", "•", "・", "⋯", "…", "♡", "♥", "−", "-")

// normal normalizes a text for comparison: without spaces and case, and with one form of each character and punctuation mark.
func normal(s string) string {
	s = signs.Replace(cases.Fold().String(norm.NFKC.String(signs.Replace(s))))
	return strings.Map(func(r rune) rune {
		if unicode.IsSpace(r) {
			return -1
		}
		return r
	}, norm.NFKC.String(s))
}

// letters returns only the letters, digits and combining marks of a text.
func letters(s string) string {
	return strings.Map(func(r rune) rune {
		if unicode.In(r, unicode.L, unicode.N, unicode.M) {
			return r
		}
		return -1
	}, s)
}

func length(s string) float64 { return float64(len([]rune(s))) }

// classify sets the kind and the normalized text of each block.
func classify(blocks []block) {
	count := map[string]int{}
	for i := range blocks {
		b := &blocks[i]
		b.text = normal(strings.Join(b.Lines, ""))
		count[b.text]++
	}
	for i := range blocks {
		switch b := &blocks[i]; {
		case length(b.text) > longestText:
			b.kind = ignored
		case count[b.text] >= repeatedSound || letters(b.text) == "":
			b.kind = sound
		}
	}
	lists := slices.DeleteFunc(slices.Clone(blocks), func(b block) bool { return b.kind != ignored })
	for i := range blocks {
		b := &blocks[i]
		if slices.ContainsFunc(lists, func(l block) bool { return b.Box.shared(l.Box) >= ignoredShare*b.Box.area() }) {
			b.kind = ignored
		}
	}
}

// page is the state of a page that is being scored.
type page struct {
	blocks []block // without those that are ignored
	others []block // those that are ignored
	lines  []found
	texts  []string // of lines, normalized
	// of is the index of the block of each line: -1 for an ignored block, nowhere for none.
	of []int
	// choices are the blocks to which each line may belong, the best first.
	choices [][]int
	// group is the group of each block. A group has the index of one of its blocks.
	group []int
}

// nowhere is the block of a line that belongs to no block.
const nowhere = -2

// score compares the recognized lines with the blocks of a page. wrong are the lines that belong to no block.
func score(blocks []block, lines []found) (results []scored, wrong []found) {
	p := &page{}
	classify(blocks)
	for _, b := range blocks {
		if b.kind == ignored {
			p.others = append(p.others, b)
		} else {
			p.group = append(p.group, len(p.blocks))
			p.blocks = append(p.blocks, b)
		}
	}
	for _, l := range lines {
		if text := normal(l.Text); text != "" {
			p.lines, p.texts = append(p.lines, l), append(p.texts, text)
		}
	}
	p.choose()
	p.improve()
	p.merge()
	for i, l := range p.lines {
		if p.of[i] == nowhere && !slices.ContainsFunc(p.others, func(b block) bool { return b.Box.grown(blockMargin).holds(l.Box.middle()) }) {
			wrong = append(wrong, l)
		}
	}
	return p.results(), wrong
}

// choose finds the blocks to which each line may belong, and assigns the line to the best.
func (p *page) choose() {
	for _, l := range p.lines {
		x, y := l.Box.middle()
		var at []int
		share := map[int]float64{}
		for k, b := range p.blocks {
			grown, both := b.Box.grown(blockMargin), l.Box.shared(b.Box)
			if grown.holds(x, y) || l.Box.shared(grown) >= lineShare*l.Box.area() || both >= blockShare*b.Box.area() {
				at = append(at, k)
				share[k] = both / min(b.Box.area(), l.Box.area())
			}
		}
		slices.SortFunc(at, func(a, b int) int {
			return cmp.Or(cmp.Compare(share[b], share[a]), cmp.Compare(p.blocks[a].Box.area(), p.blocks[b].Box.area()), cmp.Compare(b, a))
		})
		if len(at) > 0 && slices.ContainsFunc(p.others, func(b block) bool { return b.Box.holds(x, y) }) {
			at = append(at, -1)
		}
		best := nowhere
		if len(at) > 0 {
			best = at[0]
		}
		p.choices, p.of = append(p.choices, at), append(p.of, best)
	}
}

// improve assigns lines to others of their possible blocks if that reduces the errors.
func (p *page) improve() {
	const rounds = 3
	for range rounds {
		moved := false
		for i, choices := range p.choices {
			if len(choices) < 2 {
				continue
			}
			current, best := p.of[i], p.of[i]
			base, least := math.Inf(1), math.Inf(1)
			for _, k := range choices {
				p.of[i] = k
				var sum float64
				for _, j := range choices {
					if j >= 0 {
						sum += p.distance([]int{j}, nil).errors
					}
				}
				if k == current {
					base = sum
				}
				if sum < least || sum == least && k == current {
					least, best = sum, k
				}
			}
			p.of[i] = best
			moved = moved || best != current && least < base
		}
		if !moved {
			return
		}
	}
}

// merge merges blocks through which one line runs, if that reduces the errors. Such blocks are emphasized words in one bubble.
func (p *page) merge() {
	for i, choices := range p.choices {
		own := p.of[i]
		if own < 0 {
			continue
		}
		var near []int
		for _, k := range choices {
			if k >= 0 && (p.blocks[k].kind == dialogue || p.blocks[k].kind == p.blocks[own].kind) {
				near = append(near, k)
			}
		}
		for k, b := range p.blocks {
			small := min(b.Box.area(), p.lines[i].Box.area())
			if !slices.Contains(near, k) && b.kind == dialogue && p.lines[i].Box.shared(b.Box) >= sharedShare*small {
				near = append(near, k)
			}
		}
		for _, k := range near {
			first, second := p.members(p.group[own]), p.members(p.group[k])
			if p.group[own] == p.group[k] || p.blocks[k].kind == sound || len(first)+len(second) > mergedBlocks {
				continue
			}
			if p.distance(slices.Concat(first, second), nil).errors < p.distance(first, nil).errors+p.distance(second, nil).errors {
				for _, j := range second {
					p.group[j] = p.group[own]
				}
			}
		}
	}
}

// members returns the blocks of a group.
func (p *page) members(group int) []int {
	var list []int
	for k, g := range p.group {
		if g == group {
			list = append(list, k)
		}
	}
	return list
}

// results returns the scores of the blocks. The errors of merged blocks are divided among them in proportion to their lengths.
func (p *page) results() []scored {
	var all []scored
	for g := range p.blocks {
		members := p.members(g)
		if len(members) == 0 {
			continue
		}
		d, dl := p.distance(members, nil), p.distance(members, letters)
		isRead := slices.ContainsFunc(p.of, func(k int) bool { return slices.Contains(members, k) })
		var length0, letters0 float64
		for _, k := range members {
			length0, letters0 = length0+length(p.blocks[k].text), letters0+length(letters(p.blocks[k].text))
		}
		for _, k := range members {
			b := p.blocks[k]
			share, shareLetters := length(b.text)/max(1, length0), length(letters(b.text))/max(1, letters0)
			if len(members) == 1 {
				share, shareLetters = 1, 1
			}
			all = append(all, scored{
				kind: b.kind, found: p.covered(b.Box) >= foundShare, read: isRead && d.errors <= readErrors*d.characters, exact: isRead && dl.errors == 0,
				errors: d.errors * share, characters: d.characters * share, wrongLetters: dl.errors * shareLetters, letters: dl.characters * shareLetters,
			})
		}
	}
	return all
}

// covered returns the share of a box that lines cover.
func (p *page) covered(b box) float64 {
	hit := 0
	for i := range coverageSteps {
		for j := range coverageSteps {
			x, y := b[0]+(float64(i)+.5)*(b[2]-b[0])/coverageSteps, b[1]+(float64(j)+.5)*(b[3]-b[1])/coverageSteps
			if slices.ContainsFunc(p.lines, func(l found) bool { return l.Box.holds(x, y) }) {
				hit++
			}
		}
	}
	return float64(hit) / (coverageSteps * coverageSteps)
}

// difference is the number of errors in a text, and its number of characters.
type difference struct{ errors, characters float64 }

// distance returns the smallest edit distance between the text of blocks and the text of their lines, over all possible reading orders
// of both. only, if not nil, selects the characters to compare.
func (p *page) distance(blocks []int, only func(string) string) difference {
	if only == nil {
		only = func(s string) string { return s }
	}
	var lines []int
	for _, k := range blocks {
		for i, of := range p.of {
			if of == k {
				lines = append(lines, i)
			}
		}
	}
	best := difference{errors: math.Inf(1)}
	said := p.orders(lines)
	for want := range p.wanted(blocks) {
		want = only(want)
		for _, got := range said {
			if d := float64(levenshtein.ComputeDistance(want, only(got))); d < best.errors {
				best = difference{d, length(want)}
			}
		}
	}
	return best
}

// wanted returns the text of blocks together, in every order of their lines, or of the blocks if there are many lines.
func (p *page) wanted(blocks []int) map[string]bool {
	if len(blocks) == 1 {
		return map[string]bool{p.blocks[blocks[0]].text: true}
	}
	var lines, texts []string
	for _, k := range blocks {
		for _, l := range p.blocks[k].Lines {
			lines = append(lines, normal(l))
		}
		texts = append(texts, p.blocks[k].text)
	}
	if len(lines) > permutedLines {
		lines = texts
	}
	all := map[string]bool{}
	permute(lines, 0, func(s []string) { all[strings.Join(s, "")] = true })
	return all
}

func permute(list []string, from int, each func([]string)) {
	if from == len(list) {
		each(list)
		return
	}
	for i := from; i < len(list); i++ {
		list[from], list[i] = list[i], list[from]
		permute(list, from+1, each)
		list[from], list[i] = list[i], list[from]
	}
}

// orders returns the text of lines in three reading orders: as given, in rows from left to right, and in columns from right to left.
func (p *page) orders(lines []int) []string {
	join := func(at []int) string {
		var b strings.Builder
		for _, i := range at {
			b.WriteString(p.texts[i])
		}
		return b.String()
	}
	given := slices.Sorted(slices.Values(lines))
	if len(lines) < 2 {
		return []string{join(given)}
	}
	sides := make([]float64, len(lines))
	for k, i := range lines {
		b := p.lines[i].Box
		sides[k] = min(b[3]-b[1], b[2]-b[0])
	}
	slices.Sort(sides)
	size := max(1, sides[len(sides)/2])
	x := func(i int) float64 { x, _ := p.lines[i].Box.middle(); return x }
	y := func(i int) float64 { _, y := p.lines[i].Box.middle(); return y }
	return []string{
		join(given), join(inRows(lines, size, y, x)), join(inRows(lines, size, func(i int) float64 { return -x(i) }, y)),
	}
}

// inRows sorts lines by row, and by place within a row. row returns the position of a line across the rows.
func inRows(lines []int, size float64, row, place func(i int) float64) []int {
	const sameRow = 0.6 // largest distance of lines in one row, in units of size
	by := func(f func(i int) float64) func(a, b int) int {
		return func(a, b int) int { return cmp.Compare(f(a), f(b)) }
	}
	rest := slices.Clone(lines)
	slices.SortStableFunc(rest, by(row))
	for from := 0; from < len(rest); {
		to := from + 1
		for to < len(rest) && row(rest[to])-row(rest[from]) <= sameRow*size {
			to++
		}
		slices.SortStableFunc(rest[from:to], by(place))
		from = to
	}
	return rest
}
