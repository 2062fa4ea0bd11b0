package regions

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// effectLetters is the most letters of an effect.
const effectLetters = 24

// sounds are words that write a sound, in the languages of Latin script, in their plainest spelling.
var sounds = words("aah ahem argh arf atchoum atishoo baf bam bang beep biff bing blam blub blurp boing bong bonk boom boum bow " +
	"brum bump bum burp buzz bzz caw chirp chomp chop clac clack clang clank clap clash clatter click clic clink clip clonk clop cloc " +
	"cluck crac crack crash creak crick croak crunch cuckoo ding dong doof drip fap fizz flap flash flop fwoosh gasp " +
	"glug gnam gong grr growl gulp gurgle hic hiss honk howl huff hum jingle kaboom kapow klick klirr knack knall knarr knirsch " +
	"knock krach kracks meow miau miaou miaow moo munch murmur neigh nom oink paf paff pam patsch pan peep peng pff piep pif ping pitter " +
	"plaf plic plink plip plitsch ploc plof plong plonk plop plouf plump poc poff pong poof pop pouet pow prout puff purr quack raschel rasp " +
	"rattle ratsch roar rrr rumble rums rustle scratch screech screee shh shwip sizzle skreech slam slap slash slosh slurp " +
	"smack smash snap snarl sniff snif snore snort sob splash splat splosh splotch squeak squelch squish swish swoosh tac tap tching " +
	"tchac tchak thud thump thwip thunk thwack tic tick tick-tack tinkle toc tock toot toc trill tweet twang vlam vlan vrum vroom vroum wham whack " +
	"whimper whirr whistle whomp whoosh whop whump woof wouf wosh wuff yawn yip zack zap zing zip zisch zoom zong zzz")

// chineseEffects are the characters that write sounds and nothing else, or mostly.
const chineseEffects = "砰嘭呯乓乒轰隆咚嗵咔嚓喀啪噼里唰刷嗖嗡叮当铛咣哐哗啦呼噜嘎吱咯嘀嗒滴答嘶吼嗷喵汪哞咩咕咚啾嘟噗嗤扑通簌沙嘣蹦咻嘩啦轟噠達噹鏘"

func words(list string) map[string]bool {
	set := make(map[string]bool)
	for w := range strings.FieldsSeq(list) {
		set[w] = true
	}
	return set
}

// isSound reports whether a short text writes a sound and nothing else.
func isSound(text string) bool {
	if utf8.RuneCountInString(text) > effectLetters || strings.ContainsFunc(text, unicode.IsDigit) {
		return false
	}
	pieces := strings.FieldsFunc(strings.ToLower(text), func(c rune) bool { return !unicode.IsLetter(c) && c != 'ー' })
	if len(pieces) == 0 {
		return false
	}
	first := slices.IndexFunc(pieces, isSoundWord)
	return first >= 0 && !slices.ContainsFunc(pieces, func(p string) bool {
		return !isSoundWord(p) && !goesOn(p, pieces[first])
	})
}

// goesOn reports whether a word begins as the sound does that it is said with, as in "MOO MOO MOOO".
func goesOn(word, sound string) bool {
	const start = 2
	w, s := []rune(word), []rune(sound)
	return len(w) >= start && len(s) >= start && w[0] == s[0] && w[1] == s[1]
}

func isSoundWord(word string) bool {
	runes := []rune(word)
	kana, katakana, chinese, latin := true, true, true, true
	for _, c := range runes {
		kana = kana && isKana(c)
		katakana = katakana && (unicode.Is(unicode.Katakana, c) || c == 'ー')
		chinese = chinese && strings.ContainsRune(chineseEffects, c)
		latin = latin && unicode.Is(unicode.Latin, c)
	}
	switch {
	case chinese:
		return true
	case kana:
		return repeats(runes) || katakana && (len(runes) <= 2 || endsAsSound(runes))
	case latin:
		last := string(runes[len(runes)-1])
		return sounds[word] || sounds[strings.TrimRight(word, last)+last] || drawnOut(runes)
	}
	return false
}

// repeats reports whether kana is a unit said at least twice, as in どきどき, or has a vowel that is held, as in グアアア.
func repeats(runes []rune) bool {
	for size := 1; size <= len(runes)/2; size++ {
		same := len(runes) >= 3
		for i := size; i < len(runes) && same; i++ {
			same = runes[i] == runes[i-size]
		}
		if same {
			return true
		}
	}
	return drawnOut(runes) || strings.Contains(string(runes), "ーー")
}

// endsAsSound reports whether katakana ends as sounds do and words rarely: in a small tsu, in a syllable that is
// held after a small vowel, or, when short, in an n.
func endsAsSound(runes []rune) bool {
	last, before := runes[len(runes)-1], runes[len(runes)-2]
	switch last {
	case 'ッ':
		return true
	case 'ー':
		return strings.ContainsRune("ァィゥェォャュョ", before)
	case 'ン':
		return len(runes) <= 3 || before == 'ー'
	}
	return false
}

// drawnOut reports whether a letter stands three times running, or a word of more than one has no vowel.
func drawnOut(runes []rune) bool {
	same := 1
	for i := 1; i < len(runes); i++ {
		if runes[i] != runes[i-1] {
			same = 0
		}
		if same++; same == 3 {
			return true
		}
	}
	return len(runes) > 1 && unicode.Is(unicode.Latin, runes[0]) && !strings.ContainsAny(string(runes), "aeiouyäöüåæøáéíóúàèùâêîôûőűąęıœãõăėůýě")
}
