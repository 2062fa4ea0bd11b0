package hyphen

import (
	"errors"
	"fmt"
	"strings"
)

// The least letters of a word on either side of a division. Typesetters take two and three for English; a hyphen between
// fewer is not worth it in any language of a comic.
const (
	leastBefore, leastAfter = 2, 3
	// mostLetters bounds the work on one word; longer ones are not words.
	mostLetters = 64
)

// Patterns are those of one language. They are safe for concurrent use.
type Patterns struct {
	// levels are, for a pattern without its digits, the digits before each of its letters; a dot is an end of the word.
	levels map[string][]uint8
	// exceptions are the divisions of whole words.
	exceptions map[string][]int
	longest    int
}

// Parse reads the patterns of one language from a file of the npm package "hyphen".
func Parse(file string) (*Patterns, error) {
	_, literal, ok := strings.Cut(file, "})(this, [")
	if !ok {
		return nil, errors.New("no hyphenation patterns")
	}
	values, err := parseLiteral("[" + literal)
	if err != nil {
		return nil, fmt.Errorf("hyphenation patterns: %w", err)
	}
	if len(values.items) != 3 {
		return nil, fmt.Errorf("hyphenation patterns: %d parts, not levels, patterns and exceptions", len(values.items))
	}
	p := &Patterns{levels: map[string][]uint8{}, exceptions: map[string][]int{}}
	table := make([][]uint8, len(values.items[0].items))
	for i, row := range values.items[0].items {
		for _, v := range row.items {
			table[i] = append(table[i], uint8(min(max(v.number, 0), 9)))
		}
	}
	if err := p.collect(values.items[1], "", table); err != nil {
		return nil, err
	}
	for word, divisions := range values.items[2].fields {
		p.exceptions[word] = []int{}
		for _, v := range divisions.items {
			p.exceptions[word] = append(p.exceptions[word], v.number)
		}
	}
	return p, nil
}

// collect walks the trie: a number ends a pattern, a pair is a node that ends one too.
func (p *Patterns) collect(node value, prefix string, table [][]uint8) error {
	switch {
	case node.fields != nil:
		for letter, next := range node.fields {
			if err := p.collect(next, prefix+letter, table); err != nil {
				return err
			}
		}
		return nil
	case len(node.items) == 2:
		if err := p.collect(node.items[0], prefix, table); err != nil {
			return err
		}
		return p.collect(node.items[1], prefix, table)
	case node.items == nil && node.number >= 0 && node.number < len(table):
		p.levels[prefix] = table[node.number]
		p.longest = max(p.longest, len([]rune(prefix)))
		return nil
	}
	return fmt.Errorf("hyphenation patterns: %q is no pattern", prefix)
}

// Divide answers the places where a lower-case word may be divided: before its i-th letter.
func (p *Patterns) Divide(word []rune) []int {
	if len(word) < leastBefore+leastAfter || len(word) > mostLetters {
		return nil
	}
	places, known := p.exceptions[string(word)]
	if !known {
		for i, level := range p.weigh(word) {
			if level%2 == 1 {
				places = append(places, i)
			}
		}
	}
	var out []int
	for _, i := range places {
		if i >= leastBefore && i <= len(word)-leastAfter {
			out = append(out, i)
		}
	}
	return out
}

// weigh is the highest level of all patterns before each letter.
func (p *Patterns) weigh(word []rune) []uint8 {
	dotted := append(append([]rune{'.'}, word...), '.')
	out := make([]uint8, len(word)+1)
	for from := range dotted {
		for end := from + 1; end <= min(len(dotted), from+p.longest); end++ {
			// A pattern that begins with the dot has its first level before the first letter, as one that begins with it.
			for k, level := range p.levels[string(dotted[from:end])] {
				if at := max(from-1, 0) + k; at < len(out) {
					out[at] = max(out[at], level)
				}
			}
		}
	}
	return out
}
