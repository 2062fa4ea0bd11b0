package glossary_test

import (
	"bytes"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"plait/internal/core"
	"plait/internal/memory/memorytest"
	"plait/internal/translate/glossary"
)

func TestParse(t *testing.T) {
	t.Parallel()
	want := []glossary.Entry{
		{Source: "太郎", Target: "Taro", PartOfSpeech: "name", Note: "the older brother"}, {Source: "NASA", Keep: true, Case: true},
	}
	for name, text := range map[string]string{
		"CSV":  "source,target,part_of_speech,note,case,keep\n太郎,Taro,name,the older brother,,\nNASA,,,,true,true\n",
		"TSV":  "\ufeffSource\tTarget\tkeep\tcase\tnote\tpart_of_speech\n太郎\tTaro\t\t\tthe older brother\tname\nNASA\t\t1\t1\t\t",
		"JSON": `[{"source":"太郎","target":"Taro","part_of_speech":"name","note":"the older brother"},{"source":"NASA","keep":true,"case":true}]`,
	} {
		got, err := glossary.Parse([]byte(text))
		require.NoError(t, err, name)
		require.Equal(t, want, got, name)
	}
	for name, text := range map[string]string{
		"nothing": "", "no target": "source,target\n太郎,\n", "no header": "太郎,Taro\n", "not UTF-8": "source,target\n\xff,a\n",
		"two lines": `[{"source":"a\nb","target":"c"}]`, "unknown field": `[{"source":"a","target":"c","x":1}]`, "case": "source,target,case\na,b,maybe\n",
	} {
		_, err := glossary.Parse([]byte(text))
		require.Equal(t, core.CodeInvalidInput, core.CodeOf(err), name)
	}
	for text, place := range map[string]string{
		"source,target\n\n太郎,Taro\n犬,\n": "line 4", "source,target,keep\na,b,perhaps\n": "line 2", "source,target\n\"a\n": "line 2",
		`[{"source":"a","target":"b"},{"source":"c"}]`: "entry 2",
	} {
		_, err := glossary.Parse([]byte(text))
		require.ErrorContains(t, err, place, text)
	}
}

func TestATableIsReadAsItWasWritten(t *testing.T) {
	t.Parallel()
	want := []glossary.Entry{
		{Source: "太郎", Target: "Taro", PartOfSpeech: "name", Note: `the older brother, "Big T"`}, {Source: "NASA", Keep: true, Case: true},
	}
	var table bytes.Buffer
	require.NoError(t, glossary.WriteTable(&table, want))
	require.Contains(t, table.String(), "source,target,case,part_of_speech,note,keep\n太郎,Taro,false,name,")
	require.NotRegexp(t, `(?m)(^|[,;"])[\s\p{Z}\p{Cf}]*[=+\-@]`, table.String(), "a cell runs as a formula")
	got, err := glossary.Parse(table.Bytes())
	require.NoError(t, err)
	require.Equal(t, want, got)
}

// What a glossary takes in memory is in proportion to its size, whatever it consists of.
func TestAGlossaryIsReadInLittleMemory(t *testing.T) {
	for name, text := range map[string]string{
		"values": "[" + strings.Repeat("{},", glossary.MaxBytes/3-1) + "{}]",
		"cells":  "source,target\n" + strings.Repeat(",", glossary.MaxBytes-100),
		"tabs":   "source\ttarget\n\"\"\t" + strings.Repeat("\t", glossary.MaxBytes-100),
	} {
		require.Less(t, memorytest.Allocated(func() {
			_, err := glossary.Parse([]byte(text))
			require.Error(t, err, name)
		}), uint64(4*glossary.MaxBytes), name)
	}
}

var entries = []glossary.Entry{
	{Source: "太郎", Target: "Taro"}, {Source: "山田太郎", Target: "Taro Yamada"}, {Source: "Ann", Target: "Anna", Case: true}, {Source: "NASA", Keep: true},
	{Source: "剣", Target: "holy sword"},
}

func TestOccurring(t *testing.T) {
	t.Parallel()
	sources := func(text string) (found []string) {
		for _, e := range glossary.Occurring(entries, []string{text}) {
			found = append(found, e.Source)
		}
		return found
	}
	require.Equal(t, []string{"山田太郎", "太郎"}, sources("山田太郎だ！"))
	require.Equal(t, []string{"Ann"}, sources("It's Ann!"))
	require.Empty(t, sources("Annoying, anniversary, ann"))
	require.Equal(t, []string{"NASA"}, sources("ｎａｓａへ行く"))
}

func TestViolated(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		source, translation string
		want                []string
	}{
		"held":                     {"太郎が来た", "Taro is here.", nil},
		"not held":                 {"太郎が来た", "Tarou is here.", []string{"太郎"}},
		"the longer term":          {"山田太郎が来た", "Taro Yamada is here.", nil},
		"both":                     {"山田太郎と太郎", "Taro Yamada and Bob", nil},
		"kept":                     {"NASAへ", "To NASA", nil},
		"not kept":                 {"NASAへ", "To the space agency", []string{"NASA"}},
		"another ending":           {"剣を", "the holy swords", nil},
		"case matters":             {"Ann!", "anna!", []string{"Ann"}},
		"what does not occur":      {"犬", "A dog", nil},
		"nothing is never a match": {"剣", "", []string{"剣"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var got []string
			for _, e := range glossary.Violated(entries, test.source, test.translation) {
				got = append(got, e.Source)
			}
			require.Equal(t, test.want, got)
		})
	}
}

func TestSuggest(t *testing.T) {
	t.Parallel()
	pairs := []glossary.Pair{
		{Source: "アリスさん、待って！", Translation: "Wait, Alice!"},
		{Source: "アリスはどこ？", Translation: "Where is Alice?"},
		{Source: "鈴木先生、アリスが！", Translation: "Mr. Suzuki, Alice is…!"},
		{Source: "鈴木先生だ", Translation: "It's Mr. Suzuki."},
		{Source: "ドカーン", Translation: "Boom"},
		{Source: "待ってくれ", Translation: "Please wait for it."},
	}
	want := []glossary.Entry{
		{Source: "アリス", Target: "Alice", PartOfSpeech: "name"}, {Source: "鈴木", Target: "Suzuki", PartOfSpeech: "name"},
	}
	require.Equal(t, want, glossary.Suggest(pairs))
	require.Equal(t, want[:1], glossary.Called(pairs, []string{"アリス？", "ドカーンと！"}))
	require.Equal(t, want[1:], glossary.Called(pairs, []string{"鈴木先生"}))
	require.Empty(t, glossary.Called(pairs, []string{"待って"}))
}

func FuzzParse(f *testing.F) {
	f.Add([]byte("source,target\na,b\n"))
	f.Add([]byte("source\ttarget\tkeep\na\t\ttrue"))
	f.Add([]byte(`[{"source":"a","keep":true}]`))
	f.Fuzz(func(t *testing.T, b []byte) {
		parsed, err := glossary.Parse(b)
		if err != nil {
			return
		}
		for _, e := range parsed {
			require.NotEmpty(t, e.Wanted())
		}
		glossary.Violated(parsed, "a b 太郎", "A B")
	})
}
