// Package languages names the languages that Plait reads and writes by canonical BCP 47 tags.
package languages

import (
	"strings"

	"plait/internal/core"

	"golang.org/x/text/language"
)

// Auto asks detect to tell the source language of each page.
const Auto = "auto"

// Undetermined is the language of a page whose text is in a script that no loaded model reads (RFC 5646 4.1).
const Undetermined = "und"

// sourceLanguages are what can be read. The base recognizer reads Chinese, Japanese, and Latin script (PP-OCRv6 small, its
// dictionary); Hangul and Cyrillic need a recognizer that a manifest of models adds, and detect refuses them without.
var sourceLanguages = []string{
	"ja", "zh-Hans", "zh-Hant",
	"en", "de", "es", "fr", "it", "nl", "pt", "pl", "cs", "sv", "da", "nb", "fi", "hu", "ro", "tr", "id", "ms", "vi", "ca",
	"ko", "ru", "uk", "bg",
}

// targetLanguages are what the fetched fonts letter.
var targetLanguages = []string{
	"en", "ja", "zh-Hans", "zh-Hant", "ko",
	"de", "es", "fr", "it", "nl", "pt", "pl", "cs", "sv", "da", "nb", "fi", "hu", "ro", "tr", "id", "ms", "vi", "ca",
	"ru", "uk", "bg", "el", "ar", "fa", "he",
}

// ParseSource is the canonical form of a source language tag, or Auto. "zh" is "zh-Hans", "zh-TW" is
// "zh-Hant". It fails with core.CodeUnknownLanguage, naming what is known.
func ParseSource(tag string) (string, error) {
	if tag == Auto {
		return Auto, nil
	}
	return matchLanguage("source", tag, sourceLanguages)
}

// ParseTarget is the canonical form of a target language tag. It fails with core.CodeUnknownLanguage.
func ParseTarget(tag string) (string, error) { return matchLanguage("target", tag, targetLanguages) }

func matchLanguage(role, tag string, known []string) (string, error) {
	parsed, err := language.Parse(tag)
	// A tag without a language, such as und or und-Latn, would have the likeliest one.
	if given, _, _ := parsed.Raw(); err == nil && given.String() != "und" {
		base, _ := parsed.Base()
		name := base.String()
		switch name {
		case "zh":
			// The script of zh-TW is implied (Hant), that of zh alone too (Hans).
			script, _ := parsed.Script()
			name += "-" + script.String()
		case "no":
			name = "nb"
		}
		for _, k := range known {
			if k == name {
				return k, nil
			}
		}
	}
	if len(tag) > 35 { // the longest well-formed tag that RFC 5646 4.4.1 asks software to take
		tag = tag[:35] + "…"
	}
	return "", core.Errorf(core.CodeUnknownLanguage, "%s language %q is not known; known are %s", role, tag, strings.Join(known, ", "))
}

// IsCJK reports whether lines of the language are joined without a space and may be set vertically.
func IsCJK(tag string) bool {
	return tag == "ja" || strings.HasPrefix(tag, "zh")
}
