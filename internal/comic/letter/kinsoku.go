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
