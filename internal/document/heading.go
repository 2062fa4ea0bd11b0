package document

import (
	"regexp"
	"strings"
)

// Heading is a text of a document with its translation.
type Heading struct{ Source, Translation string }

// number is that of a section, such as "2.1 ". Bookmarks often lack it.
var number = regexp.MustCompile(`^\d+(\.\d+)*[.)]?\s+`)

// Titles returns a function that translates the titles of bookmarks: a title that reads as a heading, with or without its number, gets the
// translation of the heading, and others stay.
func Titles(headings []Heading) func(title string) string {
	whole, unnumbered := map[string]string{}, map[string]string{}
	for _, h := range headings {
		translation := strings.TrimSpace(WithoutTags(h.Translation))
		source := titleKey(h.Source)
		if _, known := whole[source]; known || translation == "" {
			continue
		}
		whole[source] = translation
		if bare := number.ReplaceAllString(source, ""); unnumbered[bare] == "" {
			unnumbered[bare] = number.ReplaceAllString(translation, "")
		}
	}
	return func(title string) string {
		key := titleKey(title)
		if translation := whole[key]; translation != "" {
			return translation
		}
		if translation := unnumbered[number.ReplaceAllString(key, "")]; translation != "" {
			return number.FindString(strings.TrimSpace(title)) + translation
		}
		return title
	}
}

// titleKey is what two spellings of a title have in common.
func titleKey(text string) string { return strings.ToLower(strings.Join(strings.Fields(text), " ")) }
