// Package languages lists the languages that Plait can read and letter, as canonical BCP 47 tags, and parses tags.
package languages

import (
	"slices"
	"strings"

	"plait/internal/core"

	"golang.org/x/text/language"
)

// Auto is the source language of a task whose pages each get the language that detect finds.
const Auto = "auto"

// Undetermined is the language of a page with text in a script that no loaded model reads (RFC 5646 4.1).
const Undetermined = "und"

// sourceLanguages are the languages that Plait can read. The base recognizer reads Chinese, Japanese and Latin script (the dictionary of
// PP-OCRv6 small). Hangul and Cyrillic need a recognizer from a manifest of models; without one, detect refuses these languages.
var sourceLanguages = []string{
	"ja", "zh-Hans", "zh-Hant",
	"en", "de", "es", "fr", "it", "nl", "pt", "pl", "cs", "sv", "da", "nb", "fi", "hu", "ro", "tr", "id", "ms", "vi", "ca",
	"ko", "ru", "uk", "bg",
}

// targetLanguages are the languages that the fetched fonts can letter.
var targetLanguages = []string{
	"en", "ja", "zh-Hans", "zh-Hant", "ko",
	"de", "es", "fr", "it", "nl", "pt", "pl", "cs", "sv", "da", "nb", "fi", "hu", "ro", "tr", "id", "ms", "vi", "ca",
	"ru", "uk", "bg", "el", "ar", "fa", "he",
}

// Sources lists the languages that Plait can read.
func Sources() []string { return slices.Clone(sourceLanguages) }

// Targets lists the languages that Plait can letter.
func Targets() []string { return slices.Clone(targetLanguages) }

// ParseSource returns the canonical form of a source language tag, or Auto. The form of "zh" is "zh-Hans", that of "zh-TW" is "zh-Hant".
// It fails with core.CodeUnknownLanguage and a list of the known languages.
func ParseSource(tag string) (string, error) {
	if tag == Auto {
		return Auto, nil
	}
	return matchLanguage("source", tag, sourceLanguages)
}

// ParseTarget returns the canonical form of a target language tag. It fails like [ParseSource].
func ParseTarget(tag string) (string, error) { return matchLanguage("target", tag, targetLanguages) }

func matchLanguage(role, tag string, known []string) (string, error) {
	parsed, err := language.Parse(tag)
	// Base would return the most likely language for a tag without one, such as und or und-Latn.
	if given, _, _ := parsed.Raw(); err == nil && given.String() != "und" {
		base, _ := parsed.Base()
		name := base.String()
		switch name {
		case "zh":
			// Script infers the script if the tag has none: Hant for zh-TW, Hans for zh.
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
	if len(tag) > 35 { // RFC 5646 4.4.1 asks software to accept tags of up to 35 characters
		tag = tag[:35] + "…"
	}
	return "", core.Errorf(core.CodeUnknownLanguage, "%s language %q is not known; known are %s", role, tag, strings.Join(known, ", "))
}

// IsCJK reports whether the language is Chinese or Japanese, whose lines are joined without a space and may be vertical.
func IsCJK(tag string) bool {
	return tag == "ja" || strings.HasPrefix(tag, "zh")
}
