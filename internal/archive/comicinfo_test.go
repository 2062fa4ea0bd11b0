package archive_test

import (
	"bytes"
	"encoding/xml"
	"strings"
	"testing"
	"unicode/utf16"

	"github.com/stretchr/testify/require"

	"plait/internal/archive"
	"plait/internal/core"
)

func TestSetLanguage(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ in, want string }{
		"replaced": {
			"<?xml version=\"1.0\"?>\n<ComicInfo>\n  <LanguageISO>ja</LanguageISO>\n  <Series>S &amp; T</Series>\n</ComicInfo>\n",
			"<?xml version=\"1.0\"?>\n<ComicInfo>\n  <LanguageISO>en</LanguageISO>\n  <Series>S &amp; T</Series>\n</ComicInfo>\n",
		},
		"added": {
			"<ComicInfo>\r\n\t<Series>S</Series>\r\n</ComicInfo>",
			"<ComicInfo>\r\n\t<Series>S</Series>\r\n  <LanguageISO>en</LanguageISO>\r\n</ComicInfo>",
		},
		"added in a line": {"<ComicInfo><A/></ComicInfo>", "<ComicInfo><A/><LanguageISO>en</LanguageISO></ComicInfo>"},
		"empty root":      {"<ComicInfo />", "<ComicInfo ><LanguageISO>en</LanguageISO></ComicInfo>"},
		"empty element":   {"<ComicInfo><LanguageISO/><A/></ComicInfo>", "<ComicInfo><LanguageISO>en</LanguageISO><A/></ComicInfo>"},
		"content": {
			"<ComicInfo><LanguageISO a='1'><!-- x --><![CDATA[ja]]></LanguageISO></ComicInfo>",
			"<ComicInfo><LanguageISO a='1'>en</LanguageISO></ComicInfo>",
		},
		"twice": {
			"<ComicInfo><LanguageISO>ja</LanguageISO><LanguageISO>de</LanguageISO></ComicInfo>",
			"<ComicInfo><LanguageISO>en</LanguageISO><LanguageISO>en</LanguageISO></ComicInfo>",
		},
		"elsewhere": {
			"<ComicInfo><Pages><LanguageISO>ja</LanguageISO></Pages></ComicInfo>",
			"<ComicInfo><Pages><LanguageISO>ja</LanguageISO></Pages><LanguageISO>en</LanguageISO></ComicInfo>",
		},
		"byte order mark, namespaces, comments": {
			"\ufeff<?xml version='1.0' encoding='utf-8'?>\n<!-- by <hand> -->\n<ComicInfo xmlns:xsi='x' xsi:schema=\"a>b\">\n<LanguageISO>ja</LanguageISO></ComicInfo>\n<!-- end -->",
			"\ufeff<?xml version='1.0' encoding='utf-8'?>\n<!-- by <hand> -->\n<ComicInfo xmlns:xsi='x' xsi:schema=\"a>b\">\n<LanguageISO>en</LanguageISO></ComicInfo>\n<!-- end -->",
		},
		"prefix": {
			"<c:ComicInfo xmlns:c='x'><c:A/></c:ComicInfo>",
			"<c:ComicInfo xmlns:c='x'><c:A/><c:LanguageISO>en</c:LanguageISO></c:ComicInfo>",
		},
		"entities stay": {
			`<!DOCTYPE x [<!ENTITY a "b"><!ENTITY c "&a;&a;">]><ComicInfo><A>&c;</A><LanguageISO>&c;</LanguageISO></ComicInfo>`,
			`<!DOCTYPE x [<!ENTITY a "b"><!ENTITY c "&a;&a;">]><ComicInfo><A>&c;</A><LanguageISO>en</LanguageISO></ComicInfo>`,
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got, err := archive.SetLanguage([]byte(c.in), "en")
			require.NoError(t, err)
			require.Equal(t, c.want, string(got))
			again, err := archive.SetLanguage(got, "en")
			require.NoError(t, err)
			require.Equal(t, c.want, string(again), "setting twice is setting once")
		})
	}
}

func utf16LE(text string) []byte {
	var b []byte
	for _, u := range utf16.Encode([]rune(text)) {
		b = append(b, byte(u), byte(u>>8))
	}
	return b
}

func TestSetLanguageInUTF16(t *testing.T) {
	t.Parallel()
	got, err := archive.SetLanguage(utf16LE("\ufeff<?xml version='1.0' encoding='utf-16'?><ComicInfo><Series>表紙</Series></ComicInfo>"), "zh-Hans")
	require.NoError(t, err)
	require.Equal(t, utf16LE("\ufeff<?xml version='1.0' encoding='utf-16'?><ComicInfo><Series>表紙</Series><LanguageISO>zh-Hans</LanguageISO></ComicInfo>"), got)
}

func TestSetLanguageEscapes(t *testing.T) {
	t.Parallel()
	got, err := archive.SetLanguage([]byte("<ComicInfo/>"), "</ComicInfo>&")
	require.NoError(t, err)
	require.Equal(t, "<ComicInfo><LanguageISO>&lt;/ComicInfo&gt;&amp;</LanguageISO></ComicInfo>", string(got))
}

func TestSetLanguageRefuses(t *testing.T) {
	t.Parallel()
	for name, in := range map[string]string{
		"empty":        "",
		"text":         "not xml at all",
		"another root": "<html></html>",
		"unclosed":     "<ComicInfo><A>",
		"mismatch":     "<ComicInfo><A></ComicInfo></A>",
		"two roots":    "<ComicInfo/><ComicInfo/>",
		"not UTF-8":    "<ComicInfo><A>\xff\xfe</A></ComicInfo>",
		"odd UTF-16":   "\xff\xfe<",
		"lone half":    "\xff\xfe\x00\xd8",
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			_, err := archive.SetLanguage([]byte(in), "en")
			requireCode(t, core.CodeInvalidInput, err, "ComicInfo.xml")
		})
	}
	_, err := archive.SetLanguage(make([]byte, 5<<20), "en")
	requireCode(t, core.CodeTooLarge, err, "ComicInfo.xml")
}

// A document with nested entities ("billion laughs") is not expanded.
func TestSetLanguageExpandsNothing(t *testing.T) {
	t.Parallel()
	bomb := `<!DOCTYPE l [<!ENTITY a0 "lol">`
	for i := range 9 {
		bomb += `<!ENTITY a` + string(rune('1'+i)) + ` "` + strings.Repeat("&a"+string(rune('0'+i))+";", 10) + `">`
	}
	bomb += `]><ComicInfo><A>&a9;</A></ComicInfo>`
	got, err := archive.SetLanguage([]byte(bomb), "en")
	require.NoError(t, err)
	require.Less(t, len(got), len(bomb)+100)
}

func FuzzSetLanguage(f *testing.F) {
	f.Add([]byte("<ComicInfo><LanguageISO>ja</LanguageISO></ComicInfo>"), "en")
	f.Add([]byte("\ufeff<a:ComicInfo xmlns:a='b'/>"), "zh-Hant")
	f.Add(utf16LE("\ufeff<ComicInfo>\r\n</ComicInfo>"), "ja")
	f.Add([]byte("<ComicInfo><LanguageISO a='/>'/><!-- --><![CDATA[]]></ComicInfo>"), "<&>")
	f.Fuzz(func(t *testing.T, doc []byte, lang string) {
		got, err := archive.SetLanguage(doc, lang)
		if err != nil {
			require.NotEqual(t, core.CodeInternal, core.CodeOf(err))
			return
		}
		again, err := archive.SetLanguage(got, lang)
		require.NoError(t, err)
		require.True(t, bytes.Equal(got, again))
		var anything struct{}
		if xml.Unmarshal(doc, &anything) == nil {
			require.NoError(t, xml.Unmarshal(got, &anything))
		}
	})
}
