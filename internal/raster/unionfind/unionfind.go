// Package unionfind implements disjoint sets of the elements 0..n-1 (Galler and Fischer, 1964).
package unionfind

// Sets are disjoint sets. The value of an element is its parent, which is smaller, or the element itself at the root. The root of a set
// is its smallest element, so that results do not depend on the order of the unions.
type Sets []int32

// New returns n sets of one element each.
func New(n int) Sets {
	s := make(Sets, n)
	for i := range s {
		s[i] = int32(i)
	}
	return s
}

// Find returns the smallest element of the set that contains i.
func (s Sets) Find(i int) int {
	at := int32(i)
	for s[at] != at {
		s[at] = s[s[at]] // path halving
		at = s[at]
	}
	return int(at)
}

// Union unites the sets of a and b, and reports whether they were different sets.
func (s Sets) Union(a, b int) bool {
	a, b = s.Find(a), s.Find(b)
	s[max(a, b)] = int32(min(a, b))
	return a != b
}

// Groups returns the elements of each set in ascending order. The sets are ordered by their smallest elements.
func (s Sets) Groups() [][]int {
	var groups [][]int
	number := make([]int, len(s))
	for i := range s {
		root := s.Find(i)
		if root == i {
			number[i] = len(groups)
			groups = append(groups, nil)
		}
		groups[number[root]] = append(groups[number[root]], i)
	}
	return groups
}
