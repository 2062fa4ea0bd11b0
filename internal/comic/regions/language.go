package regions

import (
	"strings"
	"unicode"

	"github.com/abadojack/whatlanggo"

	"plait/internal/comic"
)

// Characters common in comics that are written differently in simplified and traditional Chinese. Both lists pair up by position.
const (
	simplifiedOnly  = "们这个说来时会对为没么话过还给让谁认请问间关见觉听电脑头脸东车马鸟鱼龙门开实现发经长张战争队伤气乐爱样应该从儿妈爷岁钱红绿蓝难离边远进运动办机师书写读买卖贝风飞鸡猫"
	traditionalOnly = "們這個說來時會對為沒麼話過還給讓誰認請問間關見覺聽電腦頭臉東車馬鳥魚龍門開實現發經長張戰爭隊傷氣樂愛樣應該從兒媽爺歲錢紅綠藍難離邊遠進運動辦機師書寫讀買賣貝風飛雞貓"
)

// kanaShare is the least share of kana among Chinese and Japanese characters in a Japanese text. Ordinary Japanese has more than half; a
// stray kana is a misread stroke.
const kanaShare = 0.08

// leastLetters is the number of letters that trigrams need to identify a language: a sentence.
const leastLetters = 20

// alphabets are the scripts that identify a language by their letters, each with the language assumed without further evidence, and the
// source languages that share the alphabet; nil where there is no other.
var alphabets = []struct {
	script   *unicode.RangeTable
	language string
	among    map[whatlanggo.Lang]bool
}{
	{unicode.Latin, "en", map[whatlanggo.Lang]bool{
		whatlanggo.Eng: true, whatlanggo.Fra: true, whatlanggo.Spa: true, whatlanggo.Deu: true, whatlanggo.Ita: true,
		whatlanggo.Por: true, whatlanggo.Nld: true, whatlanggo.Pol: true, whatlanggo.Swe: true, whatlanggo.Dan: true,
		whatlanggo.Nob: true, whatlanggo.Fin: true, whatlanggo.Ces: true, whatlanggo.Hun: true, whatlanggo.Ron: true,
		whatlanggo.Tur: true, whatlanggo.Ind: true, whatlanggo.Vie: true,
	}},
	{unicode.Cyrillic, "ru", map[whatlanggo.Lang]bool{whatlanggo.Rus: true, whatlanggo.Ukr: true, whatlanggo.Bul: true}},
	{unicode.Hangul, "ko", nil}, {unicode.Greek, "el", nil}, {unicode.Arabic, "ar", nil},
	{unicode.Hebrew, "he", nil}, {unicode.Thai, "th", nil}, {unicode.Devanagari, "hi", nil},
}

// Language identifies the language of a page by the characters of its texts. Kana means Japanese. Han characters without kana mean
// Chinese, traditional or simplified by the characters that differ (simplified if there are none). Otherwise the script of most letters
// decides. In a script of many languages trigrams identify the language; if the page has too little text for that, Latin letters mean "en"
// and Cyrillic ones "ru". The result is empty when no text has a letter.
func Language(texts []string) string {
	var kana, han, simplified, traditional, other int
	letters := make([]int, len(alphabets))
	for _, r := range strings.Join(texts, "\n") {
		switch {
		case comic.Kana(r):
			kana++
		case isHan(r):
			han++
			if strings.ContainsRune(simplifiedOnly, r) {
				simplified++
			} else if strings.ContainsRune(traditionalOnly, r) {
				traditional++
			}
		case unicode.IsLetter(r):
			other++
			for i, a := range alphabets {
				if unicode.Is(a.script, r) {
					letters[i]++
				}
			}
		}
	}
	// A Chinese or Japanese character counts for more, because it says as much as two or three letters.
	switch cjk := kana + han; {
	case cjk*2 >= other && float64(kana) > kanaShare*float64(cjk):
		return "ja"
	case cjk > 0 && cjk*2 >= other && traditional > simplified:
		return "zh-Hant"
	case cjk > 0 && cjk*2 >= other:
		return "zh-Hans"
	case other > 0:
		return inAlphabet(texts, letters)
	}
	return ""
}

func isHan(r rune) bool { return unicode.Is(unicode.Han, r) }

// inAlphabet is the language of texts with the given number of letters of each alphabet.
func inAlphabet(texts []string, letters []int) string {
	most := 0
	for i, n := range letters {
		if n > letters[most] {
			most = i
		}
	}
	alphabet := alphabets[most]
	if alphabet.among == nil || letters[most] < leastLetters {
		return alphabet.language
	}
	// Comics are often lettered in capitals, but the trigrams are of lower case words.
	told := whatlanggo.DetectWithOptions(strings.ToLower(strings.Join(texts, "\n")), whatlanggo.Options{Whitelist: alphabet.among})
	if tag := told.Lang.Iso6391(); tag != "" && told.IsReliable() {
		return tag
	}
	return alphabet.language
}
