package jpegenc

import (
	"cmp"
	"slices"
)

// maxLength is the longest code of a symbol in bits.
const maxLength = 16

// frequencies holds the number of occurrences of each symbol.
type frequencies [256]int64

// code is a Huffman code as a file holds it (T.81, annex C).
type code struct {
	// lengths is how many codes have 1, 2, ... 16 bits, and symbols are theirs in that order.
	lengths [maxLength]uint8
	symbols []uint8
	bits    [256]uint16
	size    [256]uint8
}

// newCode makes the shortest code for symbols with these frequencies, at least one of which is not zero.
func newCode(f *frequencies) code {
	var c code
	for symbol, n := range f {
		if n > 0 {
			c.symbols = append(c.symbols, uint8(symbol))
		}
	}
	slices.SortFunc(c.symbols, func(a, b uint8) int {
		return cmp.Or(cmp.Compare(f[b], f[a]), cmp.Compare(a, b))
	})
	weights := make([]int64, len(c.symbols))
	for i, symbol := range c.symbols {
		weights[i] = f[symbol]
	}
	c.lengths = codeLengths(weights)
	next, at := uint16(0), 0
	for i, count := range c.lengths {
		for range count {
			c.bits[c.symbols[at]], c.size[c.symbols[at]] = next, uint8(i+1)
			next++
			at++
		}
		next <<= 1
	}
	return c
}

// codeLengths is the number of symbols with a code of 1, 2, ... 16 bits (T.81, K.2, figures K.1 to K.3). An additional symbol, the rarest,
// gets the code of all ones, which the format reserves, and is then dropped.
func codeLengths(weights []int64) (lengths [maxLength]uint8) {
	counts := leafDepths(append(weights, 0))
	for depth := len(counts) - 1; depth > maxLength; depth-- {
		for counts[depth] > 0 {
			// Of two leaves that are too deep, one takes the place of their parent, and the other goes beside a leaf
			// higher up.
			above := depth - 2
			for counts[above] == 0 {
				above--
			}
			counts[depth] -= 2
			counts[depth-1]++
			counts[above+1] += 2
			counts[above]--
		}
	}
	longest := min(maxLength, len(counts)-1)
	for counts[longest] == 0 {
		longest--
	}
	counts[longest]--
	for i := range min(maxLength, len(counts)-1) {
		lengths[i] = uint8(counts[i+1])
	}
	return lengths
}

// leafDepths is the number of leaves at each depth of the Huffman tree of at least two weights.
func leafDepths(weights []int64) []int {
	leaves := len(weights)
	parent := make([]int, 2*leaves-1)
	roots := make([]int, leaves)
	for i := range roots {
		roots[i] = i
	}
	for node := leaves; node < len(parent); node++ {
		// The lightest two, and of equal ones the later, so that the tree does not depend on the sort.
		slices.SortFunc(roots, func(a, b int) int { return cmp.Or(cmp.Compare(weights[b], weights[a]), cmp.Compare(a, b)) })
		a, b := roots[len(roots)-1], roots[len(roots)-2]
		parent[a], parent[b] = node, node
		weights = append(weights, weights[a]+weights[b])
		roots = append(roots[:len(roots)-2], node)
	}
	depth := make([]int, len(parent))
	counts := make([]int, leaves+1)
	for i := len(parent) - 2; i >= 0; i-- {
		depth[i] = depth[parent[i]] + 1
		if i < leaves {
			counts[depth[i]]++
		}
	}
	return counts
}
