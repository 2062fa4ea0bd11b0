package core

// TranslatorScript is the name of the translator that reads a script of human translations.
const TranslatorScript = "script"

// Translation is the text of one region in the target language. If Text is empty, the region stays as it is.
type Translation struct {
	Index int    `json:"region_index"`
	Text  string `json:"translation"`
	// Untranslated is the reason if there is no valid translation. Text is then empty.
	Untranslated Untranslated `json:"untranslated,omitempty"`
	// Terms are the names and terms in Text that lettering must not divide. The render step looks them up, so JSON does not contain them.
	Terms []string `json:"-"`
}

// TextsByRegion returns the texts of translations by the index of their region.
func TextsByRegion(translations []Translation) map[int]string {
	texts := make(map[int]string, len(translations))
	for _, t := range translations {
		texts[t.Index] = t.Text
	}
	return texts
}

// CheckTranslations checks that there is exactly one translation for each index 0..regions-1, in any order. Otherwise it fails with
// CodeRenderInputInvalid and the first index that is out of range, repeated or missing.
func CheckTranslations(regions int, translations []Translation) error {
	seen := make([]bool, regions)
	for _, t := range translations {
		switch {
		case t.Index < 0 || t.Index >= regions:
			return Errorf(CodeRenderInputInvalid, "region_index %d is out of range: the page has %d regions", t.Index, regions)
		case seen[t.Index]:
			return Errorf(CodeRenderInputInvalid, "region_index %d is given twice", t.Index)
		}
		seen[t.Index] = true
	}
	for i, ok := range seen {
		if !ok {
			return Errorf(CodeRenderInputInvalid, "region_index %d has no translation", i)
		}
	}
	return nil
}

// Untranslated says why a region has no translation after repeated requests: what was wrong with the last answer. It is empty for every
// other region. The set is closed, so that clients can rely on it.
type Untranslated string

// The reasons.
const (
	UntranslatedMissing     Untranslated = "missing"      // the answers, or the script, omitted the region
	UntranslatedEmpty       Untranslated = "empty"        // the answers had an empty text for it
	UntranslatedDouble      Untranslated = "double"       // the answers had several texts for it
	UntranslatedMerged      Untranslated = "merged"       // the answers merged it with another region
	UntranslatedExtra       Untranslated = "extra"        // the answers had more regions than the request
	UntranslatedSame        Untranslated = "same"         // the answers repeated the source
	UntranslatedWrongScript Untranslated = "wrong_script" // the answers were not in the script of the target language
	UntranslatedEcho        Untranslated = "prompt_echo"  // the answers repeated the instructions
	UntranslatedRepetition  Untranslated = "repetition"   // the answers repeated a character or word too often
	UntranslatedTooLong     Untranslated = "too_long"     // the answers were too long: an explanation instead of a translation
	UntranslatedRefused     Untranslated = "refused"      // the models refused the content
	UntranslatedForm        Untranslated = "form"         // the answers lost a part that a translation must keep, such as a formula
)
