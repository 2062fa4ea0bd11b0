package script_test

import (
	"bytes"
	"encoding/csv"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/text/encoding/unicode"

	"plait/internal/core"
	"plait/internal/memory/memorytest"
	"plait/internal/translate/script"
)

func number(n int) *int { return &n }

var chapter = script.File{From: "ja", To: "en", Pages: []script.Page{
	{Page: "001.png", Regions: []script.Region{
		{Region: number(0), Source: "おはよう！", Translation: "Good morning, \"you\"!"},
		{Region: number(1), Source: "=1+1", Translation: "-_-;"},
		{Source: "二行\nあり", Translation: "two\nlines"},
		{Region: number(7), Translation: ""},
	}},
	{Page: "=cmd|' /C calc'!A0.png", Regions: []script.Region{
		{Region: number(0), Source: "'tis", Translation: "'=kept"},
		{Region: number(1), Source: " \t@x", Translation: "＝２"},
		{Region: number(2), Source: strings.Repeat("Small print. ", 4_000), Translation: strings.Repeat("小字 ", 4_000)},
	}},
}}

func TestRoundTrip(t *testing.T) {
	t.Parallel()
	var b bytes.Buffer
	require.NoError(t, script.WriteJSON(&b, &chapter))
	got, err := script.Parse(b.Bytes())
	require.NoError(t, err)
	require.Equal(t, &chapter, got)

	b.Reset()
	require.NoError(t, script.WriteCSV(&b, &chapter))
	got, err = script.Parse(b.Bytes())
	require.NoError(t, err)
	require.Equal(t, &script.File{Pages: chapter.Pages}, got)
}

func TestNoCellOfACSVIsAFormula(t *testing.T) {
	t.Parallel()
	var b bytes.Buffer
	require.NoError(t, script.WriteCSV(&b, &chapter))
	text, marked := strings.CutPrefix(b.String(), "\uFEFF")
	require.True(t, marked)
	rows, err := csv.NewReader(strings.NewReader(text)).ReadAll()
	require.NoError(t, err)
	for _, row := range rows {
		for _, cell := range row {
			require.NotRegexp(t, `^\s*[=+\-@＝＋－＠]`, cell)
		}
	}
}

// Invisible characters do not hide a formula, and semicolons part cells in half of the world. What is made safe comes back as it was.
func TestHiddenFormulasAreMadeSafe(t *testing.T) {
	t.Parallel()
	for _, text := range []string{
		"\u200b=1+1", "\ufeff=1+1", "\u202e@SUM(1)", "\u00a0-1", "hello;=1+1", "a; \u200b+1;=2", "'=1", ";'=1", "a;b", ";", "'a;'b",
	} {
		file := script.File{Pages: []script.Page{{Page: "1.png", Regions: []script.Region{{Source: text, Translation: text}}}}}
		var b bytes.Buffer
		require.NoError(t, script.WriteCSV(&b, &file))
		require.NotRegexp(t, `[,;"][\s\p{Z}\p{Cf}]*[=+\-@]`, b.String(), "%q", text)
		got, err := script.Parse(b.Bytes())
		require.NoError(t, err, "%q", text)
		require.Equal(t, text, got.Pages[0].Regions[0].Source)
		require.Equal(t, text, got.Pages[0].Regions[0].Translation)
	}
}

// What a script takes in memory is in proportion to its size, whatever it consists of.
func TestAScriptIsReadInLittleMemory(t *testing.T) {
	for name, text := range map[string]string{
		"pages":   `{"pages":[` + strings.Repeat("{},", script.MaxBytes/3-10) + `{}]}`,
		"regions": `{"pages":[{"page":"1.png","regions":[` + strings.Repeat("{},", script.MaxBytes/3-30) + `{}]}]}`,
		"cells":   "page,translation\n" + strings.Repeat(",", script.MaxBytes-100),
		"header":  strings.Repeat(";", script.MaxBytes-100),
	} {
		require.Less(t, memorytest.Allocated(func() {
			_, err := script.Parse([]byte(text))
			require.Error(t, err, name)
		}), uint64(4*script.MaxBytes), name)
	}
}

func TestReadsWhatSpreadsheetsWrite(t *testing.T) {
	t.Parallel()
	want := &script.File{Pages: []script.Page{{Page: "1.png", Regions: []script.Region{
		{Region: number(0), Source: "はい", Translation: "Yes"}, {Region: number(1), Source: "a\nb", Translation: "c, d; \"e\""},
	}}}}
	plain := "page,region,source,translation\n1.png,0,はい,Yes\n1.png,1,\"a\nb\",\"c, d; \"\"e\"\"\"\n"
	utf16, err := unicode.UTF16(unicode.LittleEndian, unicode.UseBOM).NewEncoder().String(plain)
	require.NoError(t, err)
	for name, text := range map[string]string{
		"plain":                plain,
		"byte order mark":      "\uFEFF" + plain,
		"CRLF":                 strings.ReplaceAll(plain, "\n", "\r\n"),
		"sep line":             "sep=,\r\n" + plain,
		"semicolons":           "page;region;source;translation\n1.png;0;はい;Yes\n1.png;1;\"a\nb\";\"c, d; \"\"e\"\"\"\n",
		"tabs":                 "page\tregion\tsource\ttranslation\n1.png\t0\tはい\tYes\n1.png\t1\t\"a\nb\"\t\"c, d; \"\"e\"\"\"\n",
		"UTF-16":               utf16,
		"other order and case": "Translation, Page ,Source,REGION\nYes,1.png,はい, 0\n\"c, d; \"\"e\"\"\",1.png,\"a\nb\",1\n",
		"empty cells and rows": "page,region,source,translation,,\n1.png,0,はい,Yes,,\n,,,,,\n\n1.png,1,\"a\nb\",\"c, d; \"\"e\"\"\",,\n,,,,,\n",
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got, err := script.Parse([]byte(text))
			require.NoError(t, err)
			require.Equal(t, want, got)
		})
	}
}

func TestRefuses(t *testing.T) {
	t.Parallel()
	const header = "page,region,source,translation\n"
	for name, test := range map[string]struct{ text, says string }{
		"empty":                   {" \n", "empty"},
		"no header":               {"1.png,0,a,b\n", `line 1: the column "1.png" is not known`},
		"column missing":          {"page,region,source\n", `line 1: the column "translation" is missing`},
		"column unknown":          {"page,regoin,source,translation\n", `line 1: the column "regoin" is not known`},
		"column twice":            {"page,source,source,translation\n", `line 1: the column "source" is there twice`},
		"region no number":        {header + "1.png,0,a,b\n1.png,one,a,b\n", "line 3: region is not a whole number"},
		"region negative":         {header + "1.png,-1,a,b\n", "line 2: region is negative"},
		"region twice":            {header + "1.png,3,a,b\n2.png,3,a,b\n1.png,3,c,d\n", `line 4: region 3 of page "1.png" is there twice`},
		"page empty":              {header + ",0,a,b\n", "line 2: page is empty"},
		"nothing to find it by":   {header + "1.png,,,b\n", "line 2: region and source are both empty"},
		"translation cell absent": {header + "1.png,0,a\n", "line 2: the cell translation is missing"},
		"cell too many":           {header + "1.png,0,a,b,c\n", "line 2: more cells"},
		"quotes":                  {"sep=,\n" + header + "1.png,0,\"a,b\n", "line 3"},
		"long text":               {header + "1.png,0,a," + strings.Repeat("x", script.MaxTranslationRunes+1) + "\n", "line 2: translation is longer"},
		"long page name":          {header + strings.Repeat("x", 1025) + ",0,a,b\n", "line 2: page is longer"},
		"control character":       {header + "1.png,0,a,b\x00\n", "line 2: translation holds a control character"},
		"not UTF-8":               {header + "1.png,0,\x82\xb1,b\n", "CSV UTF-8"},
		"too many regions":        {header + manyRows(2001), `page "1.png" has more than 2000 regions`},
		"JSON: syntax":            {"{\n\"pages\": [\n{,}", "line 3: not valid JSON"},
		"JSON: ends":              {"{\n\"pages\": [", "line 2: the script ends too early"},
		"JSON: two":               {`{"pages":[]} {"pages":[]}`, "behind the end"},
		"JSON: list":              {`[]`, "line 1"},
		"JSON: no pages":          {`{"from":"ja"}`, "pages is missing"},
		"JSON: unknown field":     {"{\"pages\":[{\"page\":\"1.png\",\n\"regoins\":[]}]}", `the field "regoins" is not known`},
		"JSON: type":              {"{\"pages\":[{\"page\":\"1.png\",\n\"regions\":[{\"region\":\"1\"}]}]}", "line 2: pages.regions.region is a string"},
		"JSON: no translation":    {`{"pages":[{"page":"1.png","regions":[{"region":0,"source":"a"}]}]}`, "pages[0].regions[0]: translation is missing"},
		"JSON: page twice":        {`{"pages":[{"page":"a","regions":[]},{"page":"a","regions":[]}]}`, `pages[1]: page "a" is there twice`},
		"JSON: region twice":      {`{"pages":[{"page":"a","regions":[{"region":1,"translation":""},{"region":1,"translation":""}]}]}`, "pages[0].regions[1]: region 1 is there twice"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			_, err := script.Parse([]byte(test.text))
			require.ErrorIs(t, err, core.NewError(core.CodeInvalidScript, ""))
			require.ErrorContains(t, err, test.says)
		})
	}
	_, err := script.Parse(make([]byte, script.MaxBytes+1))
	require.ErrorIs(t, err, core.NewError(core.CodeTooLarge, ""))
}

func manyRows(n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, "1.png,%d,a,b\n", i)
	}
	return b.String()
}

func FuzzParseJSON(f *testing.F) {
	f.Add([]byte(`{"from":"ja","to":"en","pages":[{"page":"1.png","regions":[{"region":0,"source":"a\r\nb","translation":"'=c"}]}]}`))
	f.Add([]byte(`{"pages":[{"page":"x","regions":[{"source":"\ud800","translation":"\r"}]}]}`))
	f.Fuzz(func(t *testing.T, b []byte) { roundTrips(t, append([]byte("{"), b...)) })
}

func FuzzParseCSV(f *testing.F) {
	f.Add([]byte("page,region,source,translation\r\n1.png,0,\"a\r\nb\",'=c\r\n"))
	f.Add([]byte("sep=;\npage;source;translation\nx;y;''+z\n"))
	f.Add([]byte("\xff\xfep\x00a\x00"))
	f.Fuzz(roundTrips)
}

// roundTrips: what is read can be written in both forms and read again.
func roundTrips(t *testing.T, b []byte) {
	t.Helper()
	first, err := script.Parse(b)
	if err != nil {
		require.NotEqual(t, core.CodeInternal, core.CodeOf(err))
		return
	}
	var written bytes.Buffer
	require.NoError(t, script.WriteJSON(&written, first))
	again, err := script.Parse(written.Bytes())
	require.NoError(t, err)
	require.Equal(t, first, again)

	written.Reset()
	require.NoError(t, script.WriteCSV(&written, first))
	again, err = script.Parse(written.Bytes())
	require.NoError(t, err)
	withRegions := []script.Page{}
	for _, p := range first.Pages {
		if len(p.Regions) > 0 {
			withRegions = append(withRegions, p)
		}
	}
	require.Equal(t, withRegions, again.Pages)
}
