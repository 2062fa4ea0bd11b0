package letter

import (
	"strings"
	"unicode"
)

// Kinsoku rules: which characters may not begin or end a line of Chinese and Japanese, and which may not be separated (W3C, Requirements
// for Japanese Text Layout, 3.1.7 to 3.1.10, and for Chinese, 3.1.3), with additional marks of comics.
const (
	// neverFirst are closing marks, stops, small kana, iteration and length marks, and symbols that end a phrase like a stop.
	neverFirst = "、。，．,.・：；:;！？!?‼⁇⁈⁉」』）］｝〉》】〕〗〙〟’”»›)]}｠" +
		"ぁぃぅぇぉっゃゅょゎゕゖァィゥェォッャュョヮヵヶㇰㇱㇲㇳㇴㇵㇶㇷㇸㇹㇺㇻㇼㇽㇾㇿ" +
		"ーゝゞヽヾ々〻〜～゠‐–…‥％‰%｡､･ｰｧｨｩｪｫｯｬｭｮﾞﾟ｣" + symbols
	// neverLast are opening marks, and signs that belong to the number after them.
	neverLast = "「『（［｛〈《【〔〖〘〝‘“«‹([{｟￥¥＄$＃#№"
	// neverParted are marks of which two or more in a row form one mark.
	neverParted = "…‥—―─︱〳〴〵"
)

// kinsokuAllows reports whether a line may end before text[at], 0 < at < len(text).
func kinsokuAllows(text []rune, at int) bool {
	before, after := text[at-1], text[at]
	switch {
	case strings.ContainsRune(neverFirst, after), isSymbol(after):
		return false
	case strings.ContainsRune(neverLast, before):
		return false
	case before == after && strings.ContainsRune(neverParted, before):
		return false
	}
	return !unicode.Is(unicode.Nd, before) || !unicode.Is(unicode.Nd, after)
}

// isParticle reports whether r is a Chinese particle that belongs to the word before it.
func isParticle(r rune) bool {
	switch r {
	case '的', '了', '吗', '嗎', '吧', '呢', '们', '們', '着', '过', '啊', '呀', '嘛':
		return true
	}
	return false
}

// endsWord reports whether the kana text[at] can only be the end of the word before it: ん, and the う that lengthens the last vowel of a
// clause, as in だろう？
func endsWord(text []rune, at int) bool {
	switch text[at] {
	case 'ん', 'ン':
		return true
	case 'う':
		return at+1 == len(text) || unicode.IsPunct(text[at+1])
	}
	return false
}
