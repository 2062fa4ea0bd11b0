package letter

import "sort"

// fitting estimates how many characters of the text would fit at a legible size: the longest beginning of it that does,
// of whole words where one word does; 0 when not even its first letter has room. It is cheap: the text is shaped
// already, and some ten layouts are tried.
func (j *job) fitting() int {
	for _, d := range []division{wholeWords, breakWords} {
		ends := j.chances(d)
		n := sort.Search(len(ends)-1, func(i int) bool { return j.beginning(ends[:i+1]) == nil })
		if n > 0 {
			return j.text.clusters[ends[n-1].at-1].end
		}
	}
	return 0
}

// beginning lays the text out at the legible floor as if it ended at the last of the breaks.
func (j *job) beginning(breaks []chance) *layout {
	t, last := *j.text, breaks[len(breaks)-1].at
	t.clusters, t.sum, t.letters, t.light = t.clusters[:last], t.sum[:last+1], t.letters[:last+1], t.light[:last]
	return t.set(j.area, breaks, j.floor, t.least)
}
