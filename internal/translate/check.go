package translate

import (
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"

	"plait/internal/core"
	"plait/internal/languages"
	"plait/internal/translate/script"
)

// defect is the reason why an answer for a segment is not accepted; it is empty for an acceptable one.
type defect = core.Untranslated

const (
	// minEchoRunes is the length in characters from which a line of the instructions in an answer is not accidental.
	minEchoRunes = 24
	// maxGrowth and minTooLong: a translation of one character may need a few words, and hardly any text grows by more than a factor of
	// six. An answer twice that long contains explanations.
	maxGrowth, minTooLong = 12, 200
)

// check finds the defect of the text for segment i.
func (j *job) check(i int, text string) defect {
	source := j.sources[i]
	switch {
	case echoes(text, j.instructions):
		return core.UntranslatedEcho
	case repeats(text, j.threshold) && !repeats(source, j.threshold):
		return core.UntranslatedRepetition
	case utf8.RuneCountInString(text) > max(minTooLong, maxGrowth*utf8.RuneCountInString(source)):
		return core.UntranslatedTooLong
	case wrongScript(text, j.request.To):
		return core.UntranslatedWrongScript
	}
	doubt, mayStand := j.doubt(source, text)
	if doubt == "" {
		return ""
	}
	// A repeated answer is accepted if its text could be in the target language.
	form := script.Normalize(text)
	if mayStand && (j.settled || j.insisted[i] == form) {
		return ""
	}
	j.insisted[i] = form
	return doubt
}

// doubt returns the suspected defect of a text, and whether the text may be correct nevertheless.
func (j *job) doubt(source, text string) (d defect, mayStand bool) {
	switch {
	case sameAsSource(source, text, j.request.From, j.request.To):
		return core.UntranslatedSame, mayStay(source, j.request.To)
	case doubtfulScript(source, text, j.request.To):
		return core.UntranslatedWrongScript, true
	case saidTwice(source, text):
		return core.UntranslatedDouble, true
	}
	return "", true
}

// instructionLines returns the normalized lines of the system text that are long enough to detect an echo.
func instructionLines(p page) []string {
	var lines []string
	for line := range strings.SplitSeq(p.system(), "\n") {
		if form := script.Normalize(line); utf8.RuneCountInString(form) >= minEchoRunes {
			lines = append(lines, form)
		}
	}
	return lines
}

// example matches the text of the sample answer in the rules.
var example = regexp.MustCompile(`(?i)^\W*translation of segment \d+\W*$`)

func echoes(text string, instructions []string) bool {
	if example.MatchString(text) {
		return true
	}
	form := script.Normalize(text)
	for _, line := range instructions {
		if strings.Contains(form, line) {
			return true
		}
	}
	return false
}

// sameAsSource reports whether a segment came back unchanged although its language is another. Texts of a Chinese or Japanese page that
// are entirely in Latin letters do not count: they are meant to be read that way.
func sameAsSource(source, text, from, to string) bool {
	if from == to || script.Normalize(source) != script.Normalize(text) {
		return false
	}
	ideographic, _ := letterCounts(source)
	return ideographic > 0 || !languages.IsCJK(from)
}

// mayStay reports whether every letter of source can belong to the target language, as in a name, or in "OK!" between languages of one
// script.
func mayStay(source, to string) bool {
	ideographic, kana := letterCounts(source)
	if !languages.IsCJK(to) {
		return ideographic == 0
	}
	return to == "ja" || kana == 0
}

func letterCounts(text string) (ideographic, kana int) {
	for _, r := range text {
		if !unicode.IsLetter(r) {
			continue
		}
		switch {
		case unicode.In(r, unicode.Hiragana, unicode.Katakana) || r == 'ー':
			kana++
			ideographic++
		case unicode.In(r, unicode.Han, unicode.Hangul):
			ideographic++
		}
	}
	return ideographic, kana
}
