// Package unionfind keeps disjoint sets of the elements 0..n-1, of which any two can be united (Galler and Fischer, 1964).
package unionfind

// Sets are disjoint sets: for each element its parent, which is smaller, or itself at the root. The root of a set is its least
// element, so that results do not depend on the order of the unions.
type Sets []int32

// New puts each of n elements into a set of its own.
func New(n int) Sets {
	s := make(Sets, n)
	for i := range s {
		s[i] = int32(i)
	}
	return s
}

// Find is the least element of the set that holds i.
func (s Sets) Find(i int) int {
	at := int32(i)
	for s[at] != at {
		s[at] = s[s[at]] // path halving
		at = s[at]
	}
	return int(at)
}

// Union unites the sets of a and b, and reports whether they were two.
func (s Sets) Union(a, b int) bool {
	a, b = s.Find(a), s.Find(b)
	s[max(a, b)] = int32(min(a, b))
	return a != b
}

// Groups are the sets, each in ascending order, ordered by their least elements.
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
