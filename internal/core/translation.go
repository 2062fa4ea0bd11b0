package core

// TranslatorScript is the name of the translator that reads a script of human translations.
const TranslatorScript = "script"

// Translation is the text of one region in the target language. An empty Text leaves the region as it is drawn.
type Translation struct {
	Index int    `json:"region_index"`
	Text  string `json:"translation"`
	// Untranslated is the reason when no fit translation was had; Text is empty then.
	Untranslated Untranslated `json:"untranslated,omitempty"`
	// Terms are names and terms that lettering keeps whole where they stand in Text. They are looked up where a page is lettered,
	// and no part of what travels.
	Terms []string `json:"-"`
}

// TextsByRegion are the texts of translations by the index of their region.
func TextsByRegion(translations []Translation) map[int]string {
	texts := make(map[int]string, len(translations))
	for _, t := range translations {
		texts[t.Index] = t.Text
	}
	return texts
}

// CheckTranslations demands exactly one translation for each index 0..regions-1, in any order. It fails with
// CodeRenderInputInvalid naming the first index that is out of range, double or missing.
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

// Untranslated says why a region has no translation although one was asked for, again and again: what was wrong with the last
// answer. It is empty for every other region. The set is closed: a client may rely on it.
type Untranslated string

// The reasons.
const (
	UntranslatedMissing     Untranslated = "missing"      // the answers left the region out
	UntranslatedEmpty       Untranslated = "empty"        // the answers held no text for it
	UntranslatedDouble      Untranslated = "double"       // the answers held several texts for it
	UntranslatedMerged      Untranslated = "merged"       // the answers put it together with another
	UntranslatedExtra       Untranslated = "extra"        // the answers held more regions than were asked for
	UntranslatedSame        Untranslated = "same"         // the answers repeated the source
	UntranslatedWrongScript Untranslated = "wrong_script" // the answers were not in the script of the target language
	UntranslatedEcho        Untranslated = "prompt_echo"  // the answers repeated the instructions
	UntranslatedRepetition  Untranslated = "repetition"   // the answers lost themselves in repetition
	UntranslatedTooLong     Untranslated = "too_long"     // the answers explained where they should translate
	UntranslatedRefused     Untranslated = "refused"      // the models refused the content
)
