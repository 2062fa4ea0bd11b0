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

// defect says why an answer for a segment is not taken; it is empty for a fit one.
type defect = core.Untranslated

const (
	// minEchoRunes is the length from which a line of the instructions in an answer is no chance.
	minEchoRunes = 24
	// A translation of one character may need a few words, and hardly any text grows by more than a factor of six; twice
	// that is a model that explains.
	maxGrowth, minTooLong = 12, 200
)

// check finds what is wrong with the text for the segment at place i.
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
	// A model that gives the same answer once more is believed, where the text can stand in the target language.
	form := script.Normalize(text)
	if mayStand && (j.settled || j.insisted[i] == form) {
		return ""
	}
	j.insisted[i] = form
	return doubt
}

// doubt is what a text is suspected of, and whether it may be what it should be all the same.
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

// instructionLines are the lines of the system text, in the form for comparing, that are long enough to tell an echo.
func instructionLines(p page) []string {
	var lines []string
	for line := range strings.SplitSeq(p.system(), "\n") {
		if form := script.Normalize(line); utf8.RuneCountInString(form) >= minEchoRunes {
			lines = append(lines, form)
		}
	}
	return lines
}

// example is the text of the answer that the rules give for one.
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

// sameAsSource reports whether a segment came back as it was, although it has another language. What a Chinese or
// Japanese page has in Latin letters alone is not counted: it is drawn as it is meant to be read.
func sameAsSource(source, text, from, to string) bool {
	if from == to || script.Normalize(source) != script.Normalize(text) {
		return false
	}
	ideographic, _ := letterCounts(source)
	return ideographic > 0 || !languages.IsCJK(from)
}

// mayStay reports whether every letter of source can belong to the target language, as in a name or "OK!" between
// languages of one script.
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
