package regions

import (
	"strings"
	"unicode"
)

// Characters that are common in comics and written in one of the two Chinese ways only. Both lists pair up by place.
const (
	simplifiedOnly  = "们这个说来时会对为没么话过还给让谁认请问间关见觉听电脑头脸东车马鸟鱼龙门开实现发经长张战争队伤气乐爱样应该从儿妈爷岁钱红绿蓝难离边远进运动办机师书写读买卖贝风飞鸡猫"
	traditionalOnly = "們這個說來時會對為沒麼話過還給讓誰認請問間關見覺聽電腦頭臉東車馬鳥魚龍門開實現發經長張戰爭隊傷氣樂愛樣應該從兒媽爺歲錢紅綠藍難離邊遠進運動辦機師書寫讀買賣貝風飛雞貓"
)

// kanaShare is the least share of kana among Chinese and Japanese characters from which a text is Japanese. Ordinary
// Japanese has more than half; a stray kana is a misread stroke.
const kanaShare = 0.08

// Language tells the language of a page by the characters of its texts: Japanese by kana, Chinese by Han characters
// without it, in the way of writing that the telling characters show (simplified when none does). Anything else is
// "en": of languages in Latin script it stands for all. It is empty when no text has a letter.
func Language(texts []string) string {
	var kana, han, latin, simplified, traditional int
	for _, t := range texts {
		for _, r := range t {
			switch {
			case isKana(r):
				kana++
			case isHan(r):
				han++
				if strings.ContainsRune(simplifiedOnly, r) {
					simplified++
				} else if strings.ContainsRune(traditionalOnly, r) {
					traditional++
				}
			case unicode.IsLetter(r):
				latin++
			}
		}
	}
	// A Chinese or Japanese character says as much as two or three Latin letters.
	switch cjk := kana + han; {
	case cjk*2 >= latin && float64(kana) > kanaShare*float64(cjk):
		return "ja"
	case cjk > 0 && cjk*2 >= latin && traditional > simplified:
		return "zh-Hant"
	case cjk > 0 && cjk*2 >= latin:
		return "zh-Hans"
	case latin > 0:
		return "en"
	}
	return ""
}
