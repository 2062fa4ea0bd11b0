// Package hyphen hyphenates words with the patterns of their language (F. M. Liang, "Word Hy-phen-a-tion by Com-put-er", Stanford 1983).
// [Load] reads the patterns of TeX among the assets, and [Patterns.Divide] returns where a word may be hyphenated. Who sets a text decides
// which of its words are.
package hyphen

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"plait/internal/core"
)

// languages are those whose patterns are among the assets.
var languages = []string{"en", "de", "fr", "es", "it", "nl", "pt", "pl", "sv", "da", "nb", "fi", "ru"}

const (
	// leastBefore and leastAfter are the least numbers of letters before and after a hyphen. Typesetters use two and three for English, and
	// fewer for no language.
	leastBefore, leastAfter = 2, 3
	// mostLetters limits the work for one word. Anything longer is not a word.
	mostLetters = 64
)

// Patterns are the hyphenation patterns of one language. They are safe for concurrent use.
type Patterns struct {
	// levels has, for each pattern without its digits, the digits before each of its letters. A dot is the beginning or end of the word.
	levels map[string][]uint8
	// exceptions are words with fixed hyphenation points.
	exceptions map[string][]int
	longest    int
}

// Load reads the patterns of a language, by its BCP 47 tag, from a folder of assets; nil for a language without patterns. It fails with
// CodeModelMissing.
func Load(assets, lang string) (*Patterns, error) {
	base, _, _ := strings.Cut(lang, "-")
	if !slices.Contains(languages, base) {
		return nil, nil
	}
	b, err := os.ReadFile(filepath.Join(assets, "hyphenation", base+".js"))
	if err != nil {
		return nil, core.Wrap(core.CodeModelMissing, err, "the hyphenation patterns of "+base+" cannot be read")
	}
	p, err := Parse(string(b))
	if err != nil {
		return nil, core.Wrap(core.CodeModelMissing, err, "the hyphenation patterns of "+base+" are damaged")
	}
	return p, nil
}

// Parse reads the patterns of one language from a file of the npm package "hyphen". The file is JavaScript and ends with a list of three
// values: the levels of patterns, a trie of patterns by letter, and the hyphenation points of exceptions. The list is also valid YAML in
// flow style, and is parsed as such. Parse fails if the file does not have this form.
func Parse(file string) (*Patterns, error) {
	_, list, ok := strings.Cut(file, "})(this, ")
	end := strings.LastIndexByte(list, ')')
	if !ok || end < 0 {
		return nil, errors.New("the file has no hyphenation patterns")
	}
	var parts []yaml.Node
	if err := yaml.Unmarshal([]byte(list[:end]), &parts); err != nil {
		return nil, fmt.Errorf("hyphenation patterns: %w", err)
	}
	if len(parts) != 3 {
		return nil, fmt.Errorf("hyphenation patterns: the list has %d parts instead of levels, patterns and exceptions", len(parts))
	}
	p := &Patterns{levels: map[string][]uint8{}}
	var table [][]uint8
	var trie any
	if err := errors.Join(parts[0].Decode(&table), parts[1].Decode(&trie), parts[2].Decode(&p.exceptions)); err != nil {
		return nil, fmt.Errorf("hyphenation patterns: %w", err)
	}
	return p, p.collect(trie, "", table)
}

// collect walks the trie. An object is a node by its next letters, a number is the levels of a pattern that ends here, and a pair has
// both.
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
	return fmt.Errorf("hyphenation patterns: %q is not a pattern", prefix)
}

// Divide returns the places where a lower-case word may be hyphenated, in ascending order: i stands for before its i-th letter.
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

// weigh returns the highest level of all patterns before each letter.
func (p *Patterns) weigh(word []rune) []uint8 {
	dotted := append(append([]rune{'.'}, word...), '.')
	out := make([]uint8, len(word)+1)
	for from := range dotted {
		for end := from + 1; end <= min(len(dotted), from+p.longest); end++ {
			// A pattern that begins with a dot has its first level before the first letter, like a pattern that begins with that letter.
			for k, level := range p.levels[string(dotted[from:end])] {
				if at := max(from-1, 0) + k; at < len(out) {
					out[at] = max(out[at], level)
				}
			}
		}
	}
	return out
}
