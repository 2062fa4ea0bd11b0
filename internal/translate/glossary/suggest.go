package glossary

import (
	"cmp"
	"maps"
	"regexp"
	"slices"
	"strings"
	"unicode"
)

// Pair is a text and its translation.
type Pair struct{ Source, Translation string }

// candidate matches possible names and terms in a text: katakana, words before an honorific, and capitalized words.
var candidate = regexp.MustCompile(`[\p{Katakana}ー・]{3,}|([\p{Han}\p{Katakana}ー]{1,6})(?:さん|ちゃん|くん|君|様|先生|殿|先輩)|\p{Lu}[\p{L}'’-]{2,}`)

// capital matches a capitalized word in a translation.
var capital = regexp.MustCompile(`\p{Lu}[\p{L}'’-]+`)

// titles precede names, and are not names.
var titles = map[string]bool{"Mr": true, "Mrs": true, "Ms": true, "Miss": true, "Dr": true, "Sir": true, "Lady": true, "Lord": true, "Master": true}

const (
	// minMentions is how often a term must occur, always with the same word in the translation.
	minMentions = 2
	// minAgreement is the least Dice coefficient of a term and its word (L. R. Dice, "Measures of the Amount of Ecologic
	// Association Between Species", 1945), over the regions of a chapter.
	minAgreement = 0.7
)

// Suggest finds the terms of a chapter that occur several times with the same translation, the most frequent first. A translation without
// capital letters, as in Chinese, gives none.
func Suggest(pairs []Pair) []Entry {
	t := newTally()
	common := lowercased(pairs)
	for _, pair := range pairs {
		t.add(candidates(pair.Source), capitals(pair.Translation, common))
	}
	return t.entries()
}

// Mentions reports whether any of the texts may contain a name or a term: without one, Called finds nothing.
func Mentions(texts []string) bool {
	return slices.ContainsFunc(texts, func(text string) bool { return len(candidates(text)) > 0 })
}

// Called returns what Suggest would find for the terms in texts, and skips all other terms.
func Called(pairs []Pair, texts []string) []Entry {
	asked := map[string]bool{}
	for _, text := range texts {
		maps.Copy(asked, candidates(text))
	}
	if len(asked) == 0 {
		return nil
	}
	t := newTally()
	for _, pair := range pairs {
		said := map[string]bool{}
		for term := range asked {
			said[term] = strings.Contains(pair.Source, term)
		}
		maps.DeleteFunc(said, func(_ string, in bool) bool { return !in })
		if len(said) > 0 {
			t.add(said, capitals(pair.Translation, nil))
		}
	}
	// A word that also occurs with other terms is weaker evidence.
	for word := range t.words {
		t.words[word] = 0
		for _, pair := range pairs {
			if strings.Contains(pair.Translation, word) {
				t.words[word]++
			} else if strings.Contains(pair.Translation, strings.ToLower(word)) {
				t.words[word] += len(pairs) // it was only capitalized at the beginning of a sentence
			}
		}
	}
	return t.entries()
}

// tally counts the regions that contain each term and each word, and those that contain both.
type tally struct {
	terms, words map[string]int
	both         map[[2]string]int
}

func newTally() *tally {
	return &tally{terms: map[string]int{}, words: map[string]int{}, both: map[[2]string]int{}}
}

func (t *tally) add(said, called map[string]bool) {
	for term := range said {
		t.terms[term]++
	}
	for word := range called {
		t.words[word]++
		for term := range said {
			t.both[[2]string{term, word}]++
		}
	}
}

func (t *tally) entries() []Entry {
	best := map[string]Entry{}
	agreement := map[string]float64{}
	for key, n := range t.both {
		term, word := key[0], key[1]
		dice := 2 * float64(n) / float64(t.terms[term]+t.words[word])
		known, seen := best[term]
		better := dice > agreement[term] || dice == agreement[term] && word < known.Target
		if n >= minMentions && dice >= minAgreement && (!seen || better) {
			best[term], agreement[term] = Entry{Source: term, Target: word, PartOfSpeech: "name"}, dice
		}
	}
	var entries []Entry
	for _, e := range best {
		if e.Source != e.Target {
			entries = append(entries, e)
		}
	}
	slices.SortFunc(entries, func(a, b Entry) int {
		return cmp.Or(t.terms[b.Source]-t.terms[a.Source], strings.Compare(a.Source, b.Source))
	})
	return entries
}

func candidates(text string) map[string]bool {
	found := map[string]bool{}
	for _, match := range candidate.FindAllStringSubmatch(text, -1) {
		term := match[0]
		if match[1] != "" {
			term = match[1]
		}
		if term = strings.Trim(term, "・ー"); term != "" {
			found[term] = true
		}
	}
	return found
}

// lowercased returns the words that occur in any translation in lower case: where they are capitalized, they begin a sentence.
func lowercased(pairs []Pair) map[string]bool {
	words := map[string]bool{}
	for _, pair := range pairs {
		for _, word := range strings.FieldsFunc(pair.Translation, func(r rune) bool { return !unicode.IsLetter(r) && r != '\'' && r != '’' }) {
			if strings.ToLower(word) == word {
				words[word] = true
			}
		}
	}
	return words
}

func capitals(text string, common map[string]bool) map[string]bool {
	found := map[string]bool{}
	for _, word := range capital.FindAllString(text, -1) {
		word = strings.TrimSuffix(strings.TrimSuffix(word, "'s"), "’s")
		if !common[strings.ToLower(word)] && !titles[word] {
			found[word] = true
		}
	}
	return found
}
