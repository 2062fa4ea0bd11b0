package ocr

import (
	"errors"
	"slices"
	"strings"

	"plait/internal/comic"
)

// Dictionary is the list of characters that a recognition model can output, by class. Class 0 is the blank of CTC, then come the entries,
// and the last class is the space.
type Dictionary []string

// ParseDictionary reads the metadata "character" of a PP-OCR recognition model: entries separated by line feeds. Entries are not trimmed,
// since one of them is the ideographic space.
func ParseDictionary(metadata string) (Dictionary, error) {
	if metadata == "" {
		return nil, errors.New("the dictionary is empty")
	}
	entries := strings.Split(metadata, "\n")
	d := make(Dictionary, 0, len(entries)+2)
	d = append(d, "")
	d = append(d, entries...)
	return append(d, " "), nil
}

// ParseDictionaryFile reads the dictionary file of a PP-OCR recognition model without metadata: a line for each entry.
func ParseDictionaryFile(file []byte) (Dictionary, error) {
	return ParseDictionary(strings.TrimSuffix(strings.ReplaceAll(string(file), "\r\n", "\n"), "\n"))
}

// Decoded is a text with the probabilities of its reading, 0..1. Both are 0 for an empty text.
type Decoded struct {
	Text string
	// Prob is the mean probability of the characters.
	Prob float64
	// Least is the lowest probability of a letter or digit, or of any character if the text has neither. Other characters do not count,
	// because the width of a space and the number of successive dots are uncertain on most lines, and a second reading does not settle
	// them.
	Least float64
	// MarkInDoubt says that the least certain letter is a kana that the model can hardly tell from the one with, or without, a voicing
	// mark.
	MarkInDoubt bool
}

// Decode decodes steps x len(d) probabilities, one row a step. NaN counts as 0.
func (d Dictionary) Decode(probabilities []float32) Decoded {
	var read []occurrence
	last, steps := 0, len(probabilities)/len(d)
	for step := range steps {
		row := probabilities[step*len(d) : (step+1)*len(d)]
		best := largest(row)
		switch {
		case best != 0 && best != last:
			read = append(read, occurrence{class: best, from: step, to: step, prob: share(row[best])})
		case best != 0:
			read[len(read)-1].to = step
		}
		last = best
	}
	decoded := d.decoded(read)
	decoded.MarkInDoubt = slices.ContainsFunc(read, func(o occurrence) bool {
		return o.prob == decoded.Least && d.mayBeVoiced(o, probabilities)
	})
	return decoded
}

// occurrence is a character in the decoded text: its class, its first and last step, and its probability at the first step.
type occurrence struct {
	class, from, to int
	prob            float64
}

func (d Dictionary) decoded(read []occurrence) Decoded {
	if len(read) == 0 {
		return Decoded{}
	}
	var b strings.Builder
	var sum float64
	least, leastLetter, letters := 1.0, 1.0, false
	for _, o := range read {
		b.WriteString(d[o.class])
		sum, least = sum+o.prob, min(least, o.prob)
		if comic.Letters(d[o.class]) > 0 {
			leastLetter, letters = min(leastLetter, o.prob), true
		}
	}
	if letters {
		least = leastLetter
	}
	return Decoded{Text: b.String(), Prob: sum / float64(len(read)), Least: least}
}

// share limits a probability to 0..1, with 0 for NaN.
func share(p float32) float64 {
	if p > 0 { // false for NaN
		return float64(min(p, 1))
	}
	return 0
}

// largest is the first class with the greatest probability of a step. It stops early at a probability above one half, because most steps
// are blank.
func largest(row []float32) int {
	best, most := 0, row[0]
	for i, v := range row {
		if v > most || most != most { // most is NaN
			best, most = i, v
		}
		if most > 0.5 {
			break
		}
	}
	return best
}
