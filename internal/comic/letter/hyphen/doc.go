// Package hyphen finds where words may be divided, by the patterns of their language (F. M. Liang, "Word Hy-phen-a-tion by
// Com-put-er", Stanford 1983).
//
// The patterns are those of TeX, as the npm package "hyphen" carries them: a JavaScript file that ends with three values,
// a list of levels, a trie of patterns by letter, and the words that are exceptions.
package hyphen
