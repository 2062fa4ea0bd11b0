package archive

import (
	"cmp"
	"path"
	"strings"
	"unicode"
	"unicode/utf8"
)

// NaturalCompare orders paths as a reader expects: folder by folder, names without regard to case, and runs of digits by
// their value, so that 2 comes before 10; digits of any script count. A name comes before the longer ones that begin with
// it ("page", "page 2"), whatever their extensions. Names that are equal in all that are ordered by their bytes, so that
// the order is total.
func NaturalCompare(a, b string) int {
	restA, restB := a, b
	for restA != "" && restB != "" {
		nameA, extA, nextA := cutComponent(restA)
		nameB, extB, nextB := cutComponent(restB)
		if c := compareText(nameA, nameB); c != 0 {
			return c
		}
		if c := compareText(extA, extB); c != 0 {
			return c
		}
		restA, restB = nextA, nextB
	}
	if restA != "" || restB != "" { // one is a folder of the other
		return cmp.Compare(len(restA), len(restB))
	}
	return strings.Compare(a, b)
}

// cutComponent takes the first component off a path; the last one is a file, whose extension is a part of its own.
func cutComponent(p string) (name, ext, rest string) {
	name, rest, folder := strings.Cut(p, "/")
	if !folder {
		ext = path.Ext(name)
		name = strings.TrimSuffix(name, ext)
	}
	return name, ext, rest
}

// compareText compares element by element: a run of digits is one element, and comes before any other rune.
func compareText(a, b string) int {
	for a != "" && b != "" {
		numberA, restA := cutNumber(a)
		numberB, restB := cutNumber(b)
		switch {
		case numberA != "" && numberB != "":
			if c := compareNumbers(numberA, numberB); c != 0 {
				return c
			}
			a, b = restA, restB
		case numberA != "":
			return -1
		case numberB != "":
			return 1
		default:
			runeA, sizeA := utf8.DecodeRuneInString(a)
			runeB, sizeB := utf8.DecodeRuneInString(b)
			if c := cmp.Compare(foldRune(runeA), foldRune(runeB)); c != 0 {
				return c
			}
			a, b = a[sizeA:], b[sizeB:]
		}
	}
	return cmp.Compare(min(len(a), 1), min(len(b), 1))
}

// cutNumber takes leading digits off s and gives them in ASCII.
func cutNumber(s string) (digits, rest string) {
	var ascii strings.Builder
	for i, r := range s {
		value, ok := digitValue(r)
		if !ok {
			return ascii.String(), s[i:]
		}
		ascii.WriteByte('0' + value)
	}
	return ascii.String(), ""
}

// compareNumbers compares by value, without a bound on the number of digits.
func compareNumbers(a, b string) int {
	a, b = strings.TrimLeft(a, "0"), strings.TrimLeft(b, "0")
	if c := cmp.Compare(len(a), len(b)); c != 0 {
		return c
	}
	return strings.Compare(a, b)
}

// digitValue is the value of a decimal digit. Unicode lays out the digits of each script as ten code points in a row,
// zero first (The Unicode Standard, 4.6).
func digitValue(r rune) (byte, bool) {
	if r < utf8.RuneSelf {
		return byte(r - '0'), r >= '0' && r <= '9'
	}
	for _, t := range unicode.Nd.R16 {
		if r >= rune(t.Lo) && r <= rune(t.Hi) {
			return byte((r - rune(t.Lo)) % 10), true
		}
	}
	for _, t := range unicode.Nd.R32 {
		if r >= rune(t.Lo) && r <= rune(t.Hi) {
			return byte((r - rune(t.Lo)) % 10), true
		}
	}
	return 0, false
}

// foldRune is the smallest of the runes that are r but for case.
func foldRune(r rune) rune {
	least := r
	for f := unicode.SimpleFold(r); f != r; f = unicode.SimpleFold(f) {
		least = min(least, f)
	}
	return least
}
