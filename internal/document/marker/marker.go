// Package marker mends the markers of formulas in translations. A text has the markers {v0} to {vN-1}; models write them in many ways, leave
// some out, and make up others.
package marker

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
)

var (
	// loose matches everything that models make of a marker: braces of any width, doubled or escaped, with spaces, a capital V, punctuation or
	// up to three letters inside; longer words in braces are text. The number is the first group; it is empty for a marker without one.
	loose = regexp.MustCompile("[`*]*\\\\?[{｛]{1,2}\\s*[vVｖＶ]\\s*([0-9０-９]*)\\s*([a-zA-Z0-9]{0,3})[\\s.,;:。，]*\\\\?[}｝]{1,2}[`*]*")
	// spaces matches the spaces that a removed marker leaves.
	spaces = regexp.MustCompile(`[ \t]{2,}`)
)

// Clean returns a translation in which every marker is written exactly, and the numbers of the formulas whose markers are missing. Markers
// that name no formula are removed, and so is each repetition of one, but for the first.
func Clean(translation string, formulas int) (clean string, missing []int) {
	clean = translation
	for range maxNested {
		before := clean
		if clean, missing = once(before, formulas); clean == before {
			return clean, missing
		}
	}
	return once(braces.Replace(clean), formulas)
}

// maxNested bounds how deep markers may be nested in each other: where one is removed, what was around it may become another. No model
// writes such texts, but a page may have one that is made up for it.
const maxNested = 8

var braces = strings.NewReplacer("{", "", "}", "", "｛", "", "｝", "")

// once does what [Clean] does, for markers that are not nested.
func once(translation string, formulas int) (clean string, missing []int) {
	seen := make([]bool, max(formulas, 0))
	removed := false
	clean = loose.ReplaceAllStringFunc(translation, func(found string) string {
		number, valid := numberOf(found)
		if !valid || number >= formulas || seen[number] {
			removed = true
			return ""
		}
		seen[number] = true
		return fmt.Sprintf("{v%d}", number)
	})
	if removed {
		clean = strings.TrimSpace(spaces.ReplaceAllString(clean, " "))
	}
	for number, found := range seen {
		if !found {
			missing = append(missing, number)
		}
	}
	return clean, missing
}

// maxDigits bounds the number of a marker: no text has a million formulas.
const maxDigits = 6

// numberOf reads the number of a marker; letters after it make it invalid.
func numberOf(found string) (int, bool) {
	groups := loose.FindStringSubmatch(found)
	digits := strings.Map(func(r rune) rune {
		if r >= '０' && r <= '９' {
			return r - '０' + '0'
		}
		return r
	}, groups[1])
	if digits == "" || groups[2] != "" || len(digits) > maxDigits {
		return 0, false
	}
	number, err := strconv.Atoi(digits)
	return number, err == nil
}
