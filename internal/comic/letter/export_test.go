package letter

import (
	"strings"

	"plait/internal/comic"
)

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
	for _, c := range t.breakPoints(set, clusters, named(set, nil), true) {
		ends = append(ends, c.at)
	}
	return set, ends, nil
}

// Emphasized returns a translation with brackets around what is emphasized if the lines of its source are emphasized that begin with '*'.
func (l *Letterer) Emphasized(lang, text string, source ...string) (string, error) {
	t, err := l.target(lang)
	if err != nil {
		return "", err
	}
	var r comic.Region
	var lines []int
	for i, line := range source {
		plain, loud := strings.CutPrefix(line, "*")
		if r.Texts = append(r.Texts, plain); loud {
			lines = append(lines, i)
		}
	}
	return bracketed([]rune(text), t.emphasized(r, lines, []rune(text))), nil
}

// Tagged returns a text as it is set, with brackets around what stands between tags in it.
func (l *Letterer) Tagged(lang, text string, capitals bool) (string, error) {
	t, err := l.target(lang)
	if err != nil {
		return "", err
	}
	set, _ := prepare(text, t, capitals, false)
	return bracketed([]rune(set), tagged(text, []rune(set))), nil
}

func bracketed(text []rune, loud []bool) string {
	var out strings.Builder
	for i, c := range text {
		if loud != nil && loud[i] != (i > 0 && loud[i-1]) {
			out.WriteString(map[bool]string{true: "[", false: "]"}[loud[i]])
		}
		out.WriteRune(c)
	}
	if loud != nil && loud[len(loud)-1] {
		out.WriteString("]")
	}
	return out.String()
}
