package engine

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"plait/internal/comic/ocr"
	"plait/internal/raster"
)

const (
	// sameText is the least share of the smaller of two lines' bounds that both have where they cannot both be right.
	sameText = 0.3
	// noise is the probability of a line that says nothing.
	noise = 0.5
	// sureAlone is the least probability of a line that only the second look found, and aloneLetters the least number of kana
	// and Chinese characters from which one is believed without: what is left of dots was read as "www" and "28" with up to 0.85.
	sureAlone, aloneLetters = 0.9, 2
)

// completed are lines with those of a second look: what only one of the two found is kept, if it is surely text, and of lines
// that cover each other those that say more, or the second ones if they say no less than all but a share loss of the first.
func completed(first, again lines, loss float64) lines {
	group := make([]int, len(first.quads)+len(again.quads)) // of the first lines, then of the others
	for i := range group {
		group[i] = i
	}
	for k, q := range again.quads {
		for i, p := range first.quads {
			if covering(p, q) >= sameText {
				merge(group, group[i], group[len(first.quads)+k])
			}
		}
	}
	said := make(map[int]float64) // how much more the second look says
	for k, r := range again.readings {
		said[group[len(first.quads)+k]] += saying(r)
	}
	both := make(map[int]bool)
	for i, r := range first.readings {
		both[group[i]] = true
		said[group[i]] -= (1 - loss) * saying(r)
	}
	var all lines
	for i, q := range first.quads {
		if said[group[i]] <= 0 {
			all.add(q, first.readings[i])
		}
	}
	for k, q := range again.quads {
		g := group[len(first.quads)+k]
		if said[g] > 0 && (both[g] || isText(again.readings[k])) {
			all.add(q, again.readings[k])
		}
	}
	return all
}

func (l *lines) add(q raster.Quad, r ocr.Reading) {
	l.quads, l.readings = append(l.quads, q), append(l.readings, r)
}

func merge(group []int, from, to int) {
	for i, g := range group {
		if g == from {
			group[i] = to
		}
	}
}

// saying is how many characters a line says, each as far as it is told from noise.
func saying(r ocr.Reading) float64 {
	return float64(utf8.RuneCountInString(strings.ReplaceAll(r.Text, " ", ""))) * max(0, r.Prob-noise)
}

// isText reports whether what only one look found is text, and no row of dots read as one sign again and again.
func isText(r ocr.Reading) bool {
	letters := 0
	for _, c := range r.Text {
		if unicode.In(c, unicode.Hiragana, unicode.Katakana, unicode.Han) {
			letters++
		}
	}
	first, _ := utf8.DecodeRuneInString(r.Text)
	return letters >= aloneLetters || r.Prob >= sureAlone && strings.Trim(r.Text, string(first)) != ""
}

// covering is the share of the smaller of two lines' bounds that both have.
func covering(a, b raster.Quad) float64 {
	ax0, ay0, ax1, ay1 := a.Bounds()
	bx0, by0, bx1, by1 := b.Bounds()
	common := max(0, min(ax1, bx1)-max(ax0, bx0)) * max(0, min(ay1, by1)-max(ay0, by0))
	return common / max(min((ax1-ax0)*(ay1-ay0), (bx1-bx0)*(by1-by0)), 1)
}
