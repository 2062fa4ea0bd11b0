package ocr

import (
	"errors"
	"math"
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
	// First and Last are the steps at which the first and the last character were read.
	First, Last int
}

// Decode decodes steps x len(d) probabilities, one row a step. NaN counts as 0.
func (d Dictionary) Decode(probabilities []float32) Decoded {
	var text strings.Builder
	var sum float64
	least, leastLetter := 1.0, math.Inf(1)
	var decoded Decoded
	last, read := 0, 0
	for step := range len(probabilities) / len(d) {
		row := probabilities[step*len(d):][:len(d)]
		best := largest(row)
		if best != 0 && best != last {
			prob := share(row[best])
			text.WriteString(d[best])
			if read == 0 {
				decoded.First = step
			}
			decoded.Last = step
			read++
			sum, least = sum+prob, min(least, prob)
			if comic.Letters(d[best]) > 0 {
				leastLetter = min(leastLetter, prob)
			}
		}
		last = best
	}
	if read == 0 {
		return decoded
	}
	if leastLetter <= 1 {
		least = leastLetter
	}
	decoded.Text, decoded.Prob, decoded.Least = text.String(), sum/float64(read), least
	return decoded
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
