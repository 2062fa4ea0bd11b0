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

// The rules of scoring. Lengths are in pixels, shares 0..1.
const (
	// blockMargin is how far outside the box of a block the middle of a line may lie that is of the block.
	blockMargin = 10
	// lineShare is the share of a line in a block, and blockShare that of a block in a line, from which the line is of the block.
	lineShare, blockShare = 0.5, 0.6
	// foundShare is the share of a block that lines cover from which it is found, and readErrors the most errors, in characters
	// of the block, with which it is read.
	foundShare, readErrors = 0.4, 0.5
	// longestText is the most characters of a block that is no list of credits, which are not scored.
	longestText = 400
	// ignoredShare is the share of a block under such a list from which it is not scored either.
	ignoredShare = 0.3
	// repeatedSound is how often a text stands on a page from which it is a sound.
	repeatedSound = 4
	// mergedBlocks is the most blocks that are one where a line runs through them, and sharedShare how much of the smaller of
	// line and block both share at least then.
	mergedBlocks, sharedShare = 5, 0.2
	// permutedLines is the most lines of one text that are compared in every order.
	permutedLines = 6
	// coverageSteps is the side of the grid of points by which the covered share of a block is measured.
	coverageSteps = 24
)

// kind says how a block counts.
type kind int

const (
	dialogue kind = iota
	sound
	ignored
)

// block is lettering that is known to stand on a page.
type block struct {
	Box   box      `json:"box"`
	Lines []string `json:"lines"`
	kind  kind
	text  string // normal
}

// found is a line that was read.
type found struct {
	Page string  `json:"page"`
	Box  box     `json:"box"`
	Text string  `json:"text"`
	Prob float64 `json:"score"`
}

// scored is what became of a block: errors and characters, all and those of letters and digits alone.
type scored struct {
	kind                                      kind
	found, read, exact                        bool
	errors, characters, wrongLetters, letters float64
}

// signs are spellings of one sign.
var signs = strings.NewReplacer("’", "'", "‘", "'", "“", `"`, "”", `"`, "〝", `"`, "〟", `"`, "—", "-", "–", "-", "―", "-", "‐", "-",
	"〜", "~", "∼", "~", "･", "・", "·", "・", "•", "・", "⋯", "…", "♡", "♥", "−", "-")

// normal is a text without blanks, case and ways of writing one sign.
func normal(s string) string {
	s = signs.Replace(cases.Fold().String(norm.NFKC.String(signs.Replace(s))))
	return strings.Map(func(r rune) rune {
		if unicode.IsSpace(r) {
			return -1
		}
		return r
	}, norm.NFKC.String(s))
}

// letters are the letters, digits and marks of a text.
func letters(s string) string {
	return strings.Map(func(r rune) rune {
		if unicode.In(r, unicode.L, unicode.N, unicode.M) {
			return r
		}
		return -1
	}, s)
}

func length(s string) float64 { return float64(len([]rune(s))) }

// classify tells sounds and lists of credits from dialogue.
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

// page is one page while it is scored.
type page struct {
	blocks []block // without those that are ignored
	others []block
	lines  []found
	texts  []string // of lines, normal
	// of is the block of each line: -1 for an ignored one, -2 for none.
	of []int
	// choices are the blocks that a line may be of, the best first.
	choices [][]int
	// group is the group of each block: its first block.
	group []int
}

const nowhere = -2

// score compares what was read with what a page says. Wrong are lines that are of no block.
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

// choose lists the blocks that each line may be of, and takes the best.
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

// improve moves lines between blocks that they may be of where that leaves fewer errors.
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

// merge takes blocks for one that a line runs through, where that leaves fewer errors: pieces of emphasis in one bubble.
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

// members are the blocks of a group.
func (p *page) members(group int) []int {
	var list []int
	for k, g := range p.group {
		if g == group {
			list = append(list, k)
		}
	}
	return list
}

// results are those of the blocks: one of several that were merged has its share of their errors, by its length.
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

// covered is the share of a box that lies under lines.
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

// difference is how many characters of a text are wrong.
type difference struct{ errors, characters float64 }

// distance is the least difference of blocks and of the lines that are theirs, each in any order that they may be read in. Of
// the characters those count that only leaves, nil for all.
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

// wanted are what blocks say together, in any order of their lines, or of the blocks where there are many lines.
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

// orders are what lines say in the order given, in rows from the left and in columns from the right.
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

// inRows are lines by the row that they stand in, and by their place in it.
func inRows(lines []int, size float64, row, place func(i int) float64) []int {
	const sameRow = 0.6 // of the size of a line
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
