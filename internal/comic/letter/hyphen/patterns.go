// Package hyphen finds where words may be divided, by the patterns of their language (F. M. Liang, "Word Hy-phen-a-tion by
// Com-put-er", Stanford 1983). The patterns are those of TeX, as the npm package "hyphen" carries them.
package hyphen

import (
	"errors"
	"fmt"
	"strings"

	"go.yaml.in/yaml/v3"
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

// Parse reads the patterns of one language from a file of the npm package "hyphen": JavaScript that ends with a list of three values,
// the levels of patterns, a trie of patterns by letter, and the divisions of words that are exceptions. The list is YAML as well, in its
// flow style.
func Parse(file string) (*Patterns, error) {
	_, list, ok := strings.Cut(file, "})(this, ")
	end := strings.LastIndexByte(list, ')')
	if !ok || end < 0 {
		return nil, errors.New("no hyphenation patterns")
	}
	var parts []yaml.Node
	if err := yaml.Unmarshal([]byte(list[:end]), &parts); err != nil {
		return nil, fmt.Errorf("hyphenation patterns: %w", err)
	}
	if len(parts) != 3 {
		return nil, fmt.Errorf("hyphenation patterns: %d parts, not levels, patterns and exceptions", len(parts))
	}
	p := &Patterns{levels: map[string][]uint8{}}
	var table [][]uint8
	var trie any
	if err := errors.Join(parts[0].Decode(&table), parts[1].Decode(&trie), parts[2].Decode(&p.exceptions)); err != nil {
		return nil, fmt.Errorf("hyphenation patterns: %w", err)
	}
	return p, p.collect(trie, "", table)
}

// collect walks the trie: an object is a node by its next letters, a number the levels of a pattern that ends, a pair of both a node at
// which a pattern ends too.
func (p *Patterns) collect(node any, prefix string, table [][]uint8) error {
	switch n := node.(type) {
	case map[string]any:
		for letter, next := range n {
			if err := p.collect(next, prefix+letter, table); err != nil {
				return err
			}
		}
		return nil
	case []any:
		if len(n) == 2 {
			return errors.Join(p.collect(n[0], prefix, table), p.collect(n[1], prefix, table))
		}
	case int:
		if n >= 0 && n < len(table) {
			p.levels[prefix] = table[n]
			p.longest = max(p.longest, len([]rune(prefix)))
			return nil
		}
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
