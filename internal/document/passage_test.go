package document_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"plait/internal/document"
)

func block(index int, text string, change ...func(*document.Block)) document.Block {
	b := document.Block{Index: index, Class: document.ClassText, Text: text, Spans: []document.Span{{End: len(text)}}}
	for _, c := range change {
		c(&b)
	}
	return b
}

func continues(b *document.Block) { b.Continues = true }

func formulas(n int) func(*document.Block) {
	return func(b *document.Block) { b.Formulas = make([]document.Formula, n) }
}

func TestAParagraphOverSeveralBlocksIsOnePassage(t *testing.T) {
	for name, c := range map[string]struct {
		first, second, want string
	}{
		"words":           {"the first half", "and the second", "the first half and the second"},
		"a divided word":  {"a hyphen-", "ated word", "a hyphenated word"},
		"a dash":          {"Paris-", "Orly", "Paris- Orly"},
		"formulas":        {"let {v0} be", "less than {v0} and {v1}", "let {v0} be less than {v1} and {v2}"},
		"without spaces":  {"段落在这里", "继续。", "段落在这里继续。"},
		"nothing follows": {"a", "", "a"},
	} {
		passages := document.Passages([]document.Block{block(0, c.first, formulas(1)), block(1, c.second, continues, formulas(2))})
		require.Len(t, passages, 1, name)
		require.Equal(t, c.want, passages[0].Text, name)
		require.Len(t, passages[0].Formulas, 3, name)
		require.False(t, passages[0].Tagged(), name)
	}
}

func TestBlocksThatStayAreNoPassages(t *testing.T) {
	cell := func(b *document.Block) { b.Cell = &document.Cell{} }
	passages := document.Passages([]document.Block{
		block(0, "{v0}", func(b *document.Block) { b.Untranslated = document.ReasonFormula }),
		block(1, "one", continues), block(2, "two", cell), block(3, "three", continues), block(4, "four"),
	})
	texts := make([]string, len(passages))
	for i, p := range passages {
		texts[i] = p.Text
	}
	require.Equal(t, []string{"one", "two", "three", "four"}, texts)
}

func TestRunsOfAnotherStyleAreTagged(t *testing.T) {
	bold := document.Style{Bold: true}
	spans := func(list ...document.Span) func(*document.Block) {
		return func(b *document.Block) { b.Spans = list }
	}
	for name, c := range map[string]struct {
		block document.Block
		want  string
	}{
		"a label":       {block(0, "Theorem 1. Let it be so.", spans(document.Span{End: 11, Style: bold}, document.Span{Start: 11, End: 24})), "<s0>Theorem 1.</s0> Let it be so."},
		"all the same":  {block(0, "All of it", spans(document.Span{End: 9, Style: bold})), "All of it"},
		"sizes alone":   {block(0, "ab cd", spans(document.Span{End: 3, Style: document.Style{Size: 9.9}}, document.Span{Start: 3, End: 5, Style: document.Style{Size: 10}})), "ab cd"},
		"a formula":     {block(0, "is {v0} here", spans(document.Span{End: 3}, document.Span{Start: 3, End: 7, Style: bold}, document.Span{Start: 7, End: 12})), "is {v0} here"},
		"a literal tag": {block(0, "see <s1> here", spans(document.Span{End: 3, Style: bold}, document.Span{Start: 3, End: 13})), "see <s1> here"},
	} {
		require.Equal(t, c.want, document.Passages([]document.Block{c.block})[0].Text, name)
	}
}

func TestATranslationIsDividedAtWords(t *testing.T) {
	two := document.Passages([]document.Block{block(0, "Ten letters and more"), block(1, "The rest is here now", continues)})[0]
	for name, c := range map[string]struct {
		translation string
		want        []string
	}{
		"half":       {"Zehn Buchstaben und mehr. Der Rest ist nun hier.", []string{"Zehn Buchstaben und mehr.", "Der Rest ist nun hier."}},
		"no spaces":  {"这是一个很长的段落在这里继续下去", []string{"这是一个很长的段", "落在这里继续下去"}},
		"a marker":   {"aaaa {v0 0} bbbb", []string{"aaaa", "{v0 0} bbbb"}},
		"one word":   {"Donaudampfschifffahrt", []string{"Donaudampfschifffahrt", ""}},
		"empty":      {"", []string{"", ""}},
		"tiny parts": {"a b", []string{"a", "b"}},
	} {
		require.Equal(t, c.want, two.Split(c.translation), name)
	}
}
