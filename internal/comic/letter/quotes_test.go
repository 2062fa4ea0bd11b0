package letter_test

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestQuotesAreThoseOfTheLanguage(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ lang, text, want string }{
		{"en", `'Yes,' she said, 'and no.'`, "‘Yes,’ she said, ‘and no.’"},
		{"en", `"He said 'no' to 'em," I'm told`, "“He said ‘no’ to ’em,” I’m told"},
		{"en", `The dogs' bone, goin' on since '92`, "The dogs’ bone, goin’ on since ’92"},
		{"en", `5' 10" and 'tis 6'`, `5' 10" and ’tis 6'`},
		{"de", `'Sanft'? Lies mir 'ne Geschichte, "unser 'kleines' Licht"`, "‚Sanft‘? Lies mir ’ne Geschichte, „unser ‚kleines‘ Licht“"},
		{"de", `“Mucks” gibt's nicht`, "„Mucks“ gibt’s nicht"},
		{"de", `„Mucks“ und “Mucks”`, "„Mucks“ und “Mucks”"},
		{"fr", `L'ami dit "c'est 'trop' loin"`, "L’ami dit «\u202fc’est “trop” loin\u202f»"},
		{"fr", `Il dit «Quoi?!», puis « Oui »`, "Il dit «\u202fQuoi\u202f?!\u202f», puis «\u202fOui\u202f»"},
		{"es", `¿"Sin 'luz'"?`, "¿«Sin “luz”»?"},
		{"es", `“Sí”`, "“Sí”"},
		{"ru", `"наш 'свет'"`, "«наш „свет“»"},
		{"ja", `"うちの'あかり'"がない`, "「うちの『あかり』」がない"},
		{"ja", `“あかり”と`, "「あかり」と"},
		{"zh-Hant", `"我們'小小'的光"`, "「我們『小小』的光」"},
		{"zh-Hans", `"我们'小小'的光"`, "“我们‘小小’的光”"},
		{"ko", `"우리 '불빛'은 '빛'"`, "“우리 ‘불빛’은 ‘빛’”"},
		{"ar", `"ضوئنا 'الصغير'"`, "”ضوئنا ’الصغير‘“"},
		{"he", `"האור 'שלנו'" צ'אט`, "”האור ’שלנו’” צ’אט"},
		{"nl", `'s Avonds zei hij 'nee'`, "’s Avonds zei hij ‘nee’"},
		{"sv", `"Det 'lilla' ljuset"`, "”Det ’lilla’ ljuset”"},
		{"pl", `"Nasze 'światło'"`, "„Nasze «światło»”"},
	} {
		set, _, err := letterer(t).LineEnds(c.lang, c.text)
		require.NoError(t, err)
		require.Equal(t, c.want, string(set), c.lang)
	}
}
