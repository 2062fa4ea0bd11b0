package regions

import (
	"math"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"plait/internal/pipeline"
)

// What tells a sound effect from other free text. Sizes are in those of the page's dialogue.
const (
	// effectSize is the least size of a level effect, slantedSize that of a slanted one.
	effectSize, slantedSize = 1.6, 1.2
	// effectAngle is the rotation in degrees from which lettering is slanted.
	effectAngle = 8
	// effectLetters is the most letters of an effect.
	effectLetters = 24
	// readProb is the confidence below which large free lettering counts as not read: what the models read surely on the
	// measured pages has 0.91 and more, drawn effects read as other characters 0.2 to 0.7.
	readProb = 0.85
	// guessProb is the confidence below which a line is not even a guess.
	guessProb = 0.2
)

// spoken are words that are shouted as large as sound effects are drawn.
var spoken = words("ah alas attention bravo bye cool damn dear done end enough fin fine fire go great ha halt hello help here hey hi hooray hurray " +
	"hurry idiot jump left listen look maybe me mom move never nice no none not now oh ok okay please quick quiet right run silence sir " +
	"sorry stay stop sure thanks the then there this today traitor ugh us wait welcome what when where who why wow yeah yes you")

// chineseEffects are the characters that write sounds and nothing else, or mostly.
const chineseEffects = "砰嘭呯乓乒轰隆咚嗵咔嚓喀啪噼里唰刷嗖嗡叮当铛咣哐哗啦呼噜嘎吱咯嘀嗒滴答嘶吼嗷喵汪哞咩咕咚啾嘟噗嗤扑通簌沙嘣蹦咻嘩啦轟噠達噹鏘"

func words(list string) map[string]bool {
	set := make(map[string]bool)
	for w := range strings.FieldsSeq(list) {
		set[w] = true
	}
	return set
}

// dialogueSize is the lower median of the sizes of the dialogue, or of everything on a page without dialogue; 0 without regions.
func dialogueSize(all []pipeline.Region) float64 {
	var sizes, every []float64
	for _, r := range all {
		every = append(every, r.FontSize)
		if r.Kind == pipeline.KindDialogue {
			sizes = append(sizes, r.FontSize)
		}
	}
	if len(sizes) == 0 {
		sizes = every
	}
	if len(sizes) == 0 {
		return 0
	}
	slices.Sort(sizes)
	return sizes[(len(sizes)-1)/2]
}

// isEffect reports whether a region is a sound effect: free, large or slanted, and a sound by its letters, or else
// not read with confidence.
func isEffect(r pipeline.Region, size float64) bool {
	if r.Kind != pipeline.KindFree {
		return false
	}
	large := r.FontSize >= effectSize*size || math.Abs(r.Angle) >= effectAngle && r.FontSize >= slantedSize*size
	return large && (r.Prob < readProb || isSound(r.Text))
}

// isSound reports whether a short text writes a sound: katakana alone, characters that write sounds, or one word in
// another script, repeated or not, that is not spoken.
func isSound(text string) bool {
	if utf8.RuneCountInString(text) > effectLetters || strings.ContainsFunc(text, unicode.IsDigit) {
		return false
	}
	pieces := strings.FieldsFunc(strings.ToLower(text), func(c rune) bool { return !unicode.IsLetter(c) && c != 'ー' })
	if len(pieces) == 0 {
		return false
	}
	katakana, chinese := true, true
	for _, c := range strings.Join(pieces, "") {
		katakana = katakana && (unicode.Is(unicode.Katakana, c) || c == 'ー')
		chinese = chinese && strings.ContainsRune(chineseEffects, c)
		if unspaced(c) && !katakana && !chinese {
			return false
		}
	}
	if katakana || chinese {
		return true
	}
	for _, p := range pieces {
		if spoken[p] || !strings.HasPrefix(p, pieces[0][:1]) {
			return false
		}
	}
	return true
}

// markEffects gives sound effects their kind, and takes the text from what was not read with confidence.
func markEffects(all []pipeline.Region, size float64) {
	for i := range all {
		r := &all[i]
		if !isEffect(*r, size) {
			continue
		}
		r.Kind = pipeline.KindEffect
		if r.Prob < readProb {
			r.Text, r.Unread = "", true
		}
	}
}

// isGuess reports whether a line that was not read surely may be a drawn effect, on a page with dialogue of the given size.
func isGuess(l Line, size float64) bool {
	return l.Prob >= guessProb && l.Prob < leastProb && l.size() >= effectSize*size &&
		utf8.RuneCountInString(strings.ReplaceAll(l.Text, " ", "")) >= 2
}
