package letter

// LineEnds returns the text as it is set horizontally in lang, and the places where a line may end if words may be broken anywhere.
func (l *Letterer) LineEnds(lang, text string) (set []rune, ends []int, err error) {
	t, err := l.target(lang)
	if err != nil {
		return nil, nil, err
	}
	prepared, _ := prepare(text, t, false, false)
	set = []rune(prepared)
	clusters := make([]cluster, len(set))
	for i := range set {
		clusters[i] = cluster{start: i, end: i + 1, space: set[i] == ' '}
	}
	for _, c := range t.breakPoints(set, clusters, nil, breakWords) {
		ends = append(ends, c.at)
	}
	return set, ends, nil
}
