package pipeline

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
