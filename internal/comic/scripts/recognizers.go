// Package scripts reads lines again with the recognizers that a manifest adds, and keeps the better reading of each line.
//
// For a script that the base recognizer reads too (manga-ocr for Japanese), lines of a page in such a language are read again where the
// first reading is uncertain; the more certain reading is kept. For a script that it lacks (Hangul, Cyrillic), every line of a page in
// such a language is read again, because the base recognizer reads "СССР" as "CCCP" with full certainty. Where the language is not
// given, uncertain lines are read first, and all others once one of them is in the script.
package scripts

import (
	"context"
	"image"
	"slices"
	"unicode"

	"golang.org/x/text/language"

	"plait/internal/comic"
	"plait/internal/comic/ocr"
	"plait/internal/raster"
)

// Reader reads lines of text, as [ocr.Recognizer] does.
type Reader interface {
	Read(ctx context.Context, img *image.NRGBA, quads []raster.Quad) ([]ocr.Reading, error)
}

// Recognizer reads lines in some scripts, which have their Unicode names.
type Recognizer struct {
	Reader
	Scripts []string
}

// baseScripts are the scripts that the base recognizer reads, by its dictionary.
var baseScripts = []string{"Latin", "Han", "Hiragana", "Katakana"}

// known reports whether the base recognizer reads one of the scripts.
func (r Recognizer) known() bool {
	return slices.ContainsFunc(r.Scripts, func(s string) bool { return slices.Contains(baseScripts, s) })
}

// writes reports whether the language is written in one of the scripts.
func (r Recognizer) writes(tag string) bool {
	return slices.ContainsFunc(of(tag), func(s string) bool { return slices.Contains(r.Scripts, s) })
}

// of returns the scripts in which a language is written; none for an unknown language.
func of(tag string) []string {
	parsed, err := language.Parse(tag)
	if err != nil {
		return nil
	}
	script, _ := parsed.Script()
	switch code := script.String(); code {
	case "Jpan":
		return []string{"Hiragana", "Katakana", "Han"}
	case "Kore":
		return []string{"Hangul"}
	case "Hans", "Hant":
		return []string{"Han"}
	default:
		return byCode[code]
	}
}

// Lacking returns the scripts of a language, if neither the base recognizer nor another one reads any of them. It returns none if one of
// them is read, and for an unknown language.
func Lacking(recognizers []Recognizer, tag string) []string {
	all := of(tag)
	if slices.ContainsFunc(all, func(s string) bool { return slices.Contains(baseScripts, s) }) ||
		slices.ContainsFunc(recognizers, func(r Recognizer) bool { return r.writes(tag) }) {
		return nil
	}
	return all
}

// byCode maps ISO 15924 codes of other scripts in use to their Unicode names.
var byCode = map[string][]string{
	"Arab": {"Arabic"}, "Armn": {"Armenian"}, "Beng": {"Bengali"}, "Cyrl": {"Cyrillic"}, "Deva": {"Devanagari"},
	"Ethi": {"Ethiopic"}, "Geor": {"Georgian"}, "Grek": {"Greek"}, "Gujr": {"Gujarati"}, "Guru": {"Gurmukhi"},
	"Hebr": {"Hebrew"}, "Khmr": {"Khmer"}, "Knda": {"Kannada"}, "Laoo": {"Lao"}, "Latn": {"Latin"},
	"Mlym": {"Malayalam"}, "Mymr": {"Myanmar"}, "Sinh": {"Sinhala"}, "Taml": {"Tamil"}, "Telu": {"Telugu"},
	"Thai": {"Thai"}, "Tibt": {"Tibetan"},
}

// Page is a page that is read again.
type Page struct {
	Image *image.NRGBA
	Quads []raster.Quad
	// Readings are the readings of the base recognizer, in parallel to Quads. Better readings replace them.
	Readings []ocr.Reading
	// Language is the language of the page. Given says that the user named it; otherwise it was identified from the readings.
	Language string
	Given    bool
}

// Reread asks each recognizer, in order, for the lines that it may read better. It fails with the error of ctx when ctx ends, and with
// CodeDevice.
func Reread(ctx context.Context, recognizers []Recognizer, p Page) error {
	for _, r := range recognizers {
		told, chosen := r.known() || p.Given, p.doubtful
		if told && !r.writes(p.Language) {
			continue
		}
		if told && !r.known() {
			chosen = func(int) bool { return true }
		}
		better, err := r.reread(ctx, p, chosen)
		if better && !told {
			_, err = r.reread(ctx, p, func(i int) bool { return !r.in(p.Readings[i].Text) })
		}
		if err != nil {
			return err
		}
	}
	return nil
}

func (p Page) doubtful(i int) bool { return p.Readings[i].Prob < comic.SureReading || p.blank(i) }

// reread reads the chosen lines and keeps the better readings. It reports whether there were any.
func (r Recognizer) reread(ctx context.Context, p Page, chosen func(i int) bool) (better bool, err error) {
	var at []int
	var quads []raster.Quad
	for i, q := range p.Quads {
		if chosen(i) {
			at, quads = append(at, i), append(quads, q)
		}
	}
	if len(quads) == 0 {
		return false, nil
	}
	readings, err := r.Read(ctx, p.Image, quads)
	if err != nil {
		return false, err
	}
	for k, reading := range readings {
		if r.better(reading, p.Readings[at[k]]) {
			p.Readings[at[k]] = reading
			better = true
		}
	}
	return better, nil
}

// better reports whether a reading of r replaces another: it is mostly in the scripts of r, and either more certain, or probable enough in
// a script that the other recognizer does not know.
func (r Recognizer) better(reading, than ocr.Reading) bool {
	if !r.in(reading.Text) {
		return false
	}
	return reading.Prob > than.Prob || !r.known() && reading.Prob >= comic.LeastReading
}

// in reports whether more than half of the letters of a text are in the scripts of r.
func (r Recognizer) in(text string) bool {
	letters, own := 0, 0
	for _, c := range text {
		if !unicode.IsLetter(c) {
			continue
		}
		letters++
		if slices.ContainsFunc(r.Scripts, func(s string) bool { return unicode.Is(unicode.Scripts[s], c) }) {
			own++
		}
	}
	return own*2 > letters
}
