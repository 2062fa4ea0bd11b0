package document_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"plait/internal/document"
)

func lines(n int) func(*document.Block) {
	return func(b *document.Block) { b.Lines, b.Size = n, 10 }
}

func class(c document.Class) func(*document.Block) {
	return func(b *document.Block) { b.Class = c }
}

func small(b *document.Block) { b.Size = 7 }

const (
	open = "The keeper wrote down what the wind had"
	rest = "done in the night, and slept."
)

// foot is a page that ends with a text, and head one that begins with a text.
func foot(text string, change ...func(*document.Block)) []document.Block {
	return []document.Block{
		block(0, "A paragraph that begins and ends here, and is longer than the footnotes.", lines(3)),
		block(1, text, append([]func(*document.Block){lines(2)}, change...)...),
	}
}

func head(text string, change ...func(*document.Block)) []document.Block {
	return []document.Block{
		block(0, text, append([]func(*document.Block){lines(2)}, change...)...),
		block(1, "Another paragraph that begins and ends here, and is longer than the footnotes.", lines(3)),
	}
}

func TestAParagraphRunsOverABreakOfPages(t *testing.T) {
	t.Parallel()
	footnote := block(2, "1 See the log, which is", lines(2), small)
	runningHead := block(0, "the log of a lighthouse", lines(1), small)
	number := block(0, "12", lines(1), func(b *document.Block) { b.Untranslated = document.ReasonNoText })
	caption := block(0, "the lamp", lines(1), class(document.ClassFigureCaption))
	title := block(0, "Night", lines(1), class(document.ClassTitle))
	for name, c := range map[string]struct {
		page, next []document.Block
		want       string
	}{
		"words":                {foot(open), head(rest), open + " " + rest},
		"a divided word":       {foot("what the light-"), head("house did."), "what the lighthouse did."},
		"above a footnote":     {append(foot(open), footnote), head(rest), open + " " + rest},
		"below a running head": {foot(open), append([]document.Block{runningHead}, renumbered(head(rest))...), open + " " + rest},
		"below a page number":  {foot(open), append([]document.Block{number}, renumbered(head(rest))...), open + " " + rest},
		"below a figure":       {foot(open), append([]document.Block{caption}, renumbered(head(rest))...), open + " " + rest},
		"below a heading":      {foot(open), append([]document.Block{title}, renumbered(head(rest))...), ""},
		"above a heading":      {append(foot(open), block(2, "Night", lines(1), class(document.ClassTitle))), head(rest), ""},
		"a whole sentence":     {foot("It was done."), head(rest), ""},
		"a new sentence":       {foot(open), head("Done in the night."), ""},
		"an item":              {foot(open), head("ii) done in the night."), ""},
		"an indent":            {foot(open), head(rest, func(b *document.Block) { b.Indent = 10 }), ""},
		"another size":         {foot(open), []document.Block{block(0, rest, lines(2), func(b *document.Block) { b.Size = 14 }), block(1, "Its end.", lines(2), func(b *document.Block) { b.Size = 14 })}, ""},
		"one line":             {foot(open, lines(1)), head(rest), ""},
		"Chinese":              {foot("守塔人记下了夜里的风"), head("把海浪推到了哪里，然后睡去。"), "守塔人记下了夜里的风把海浪推到了哪里，然后睡去。"},
		"after a comma":        {foot("守塔人记下了夜里的风，"), head("然后睡去。"), "守塔人记下了夜里的风，然后睡去。"},
		"a Chinese sentence":   {foot("守塔人记下了夜里的风。"), head("然后睡去。"), ""},
		"a Chinese indent":     {foot("守塔人记下了夜里的风"), head("然后睡去。", func(b *document.Block) { b.Indent = 20 }), ""},
		"a Chinese item":       {foot("守塔人记下了夜里的风"), head("二、然后睡去。"), ""},
		"a Chinese chapter":    {foot("守塔人记下了夜里的风"), head("第三章 灯塔"), ""},
		"Japanese":             {foot("灯台守は夜の風が、"), head("どこまで波を運んだかを記した。"), "灯台守は夜の風が、どこまで波を運んだかを記した。"},
		"a long vowel":         {foot("灯台守が見たレーダー"), head("には何も映らない。"), "灯台守が見たレーダーには何も映らない。"},
		"a Japanese quotation": {foot("「風だ」"), head("と灯台守は言った。"), ""},
		"Korean":               {foot("등대지기는 밤새 바람이"), head("한 일을 적었다."), "등대지기는 밤새 바람이 한 일을 적었다."},
		"a Korean item":        {foot("등대지기는 밤새 바람이"), head("나. 한 일을 적었다."), ""},
		"Arabic":               {foot("كتب حارس المنارة ما"), head("فعلته الريح في الليل."), "كتب حارس المنارة ما فعلته الريح في الليل."},
		"an Arabic comma":      {foot("كتب حارس المنارة،"), head("ثم نام."), "كتب حارس المنارة، ثم نام."},
		"an Arabic vowel":      {foot("كتب حارس المنارةِ"), head("ثم نام."), "كتب حارس المنارةِ ثم نام."},
		"an Arabic question":   {foot("ماذا فعلت الريح؟"), head("ثم نام."), ""},
		"an Arabic item":       {foot("كتب حارس المنارة ما"), head("ب) فعلته الريح."), ""},
		"Thai":                 {foot("ผู้ดูแลประภาคาร"), head("จดบันทึกแล้วนอน"), ""},
		"another script":       {foot(open), head("然后睡去。"), ""},
		"a foreign word":       {foot("守塔人打开了 API"), head("的门，然后睡去。"), "守塔人打开了 API的门，然后睡去。"},
		"no other text":        {foot(open), head(rest)[:1], ""},
		"an empty page":        {foot(open), nil, ""},
	} {
		j, ok := document.JoinPages(c.page, c.next)
		require.Equal(t, c.want != "", ok, name)
		require.Equal(t, c.want, j.Whole.Text, name)
		if ok {
			require.True(t, document.RunsOn(c.page), name)
			require.True(t, document.RunsIn(c.next), name)
		}
	}
}

// renumbered are blocks that follow another one.
func renumbered(blocks []document.Block) []document.Block {
	for i := range blocks {
		blocks[i].Index++
	}
	return blocks
}

// A join covers all columns that the paragraph is in, and the translation has a part for each.
func TestAParagraphRunsOverColumnsAndPages(t *testing.T) {
	t.Parallel()
	page := append(foot("The keeper of the light wrote"), block(2, "down what the wind had", lines(2), continues))
	next := append(head("done in the night,"), block(2, "and slept.", lines(2)))
	next[1] = block(1, "before he rose", lines(2), continues)
	j, ok := document.JoinPages(page, next)
	require.True(t, ok)
	require.Equal(t, "The keeper of the light wrote down what the wind had done in the night, before he rose", j.Whole.Text)
	before, after, ok := j.Split("Der Wärter schrieb nieder, was der Wind in der Nacht getan hatte, bevor er dann aufstand")
	require.True(t, ok)
	require.Equal(t, []string{"Der Wärter schrieb nieder,", "was der Wind in der Nacht"}, before)
	require.Equal(t, []string{"getan hatte, bevor", "er dann aufstand"}, after)
}

func TestFormulasStayOnTheirPages(t *testing.T) {
	t.Parallel()
	j, ok := document.JoinPages(foot("let {v0} and {v1} be less", formulas(2)), head("than {v0} for all of them", formulas(1)))
	require.True(t, ok)
	require.Equal(t, "let {v0} and {v1} be less than {v2} for all of them", j.Whole.Text)
	for name, c := range map[string]struct {
		translation   string
		before, after string
	}{
		"in order":         {"sei {v0} und {v1} kleiner als {v2} für alle", "sei {v0} und {v1}", "kleiner als {v0} für alle"},
		"late":             {"für alle sei also {v0} kleiner und auch {v1} als {v2}", "für alle sei also {v0} kleiner und auch {v1}", "als {v0}"},
		"early":            {"{v0} {v1} {v2} kleiner sei für alle von ihnen", "{v0} {v1}", "{v0} kleiner sei für alle von ihnen"},
		"across the pages": {"für {v2} seien {v0} und {v1}", "", ""},
		"one word":         {"{v0}{v1}{v2}", "", ""},
		"no words after":   {"wort", "", ""},
	} {
		before, after, ok := j.Split(c.translation)
		require.Equal(t, c.before != "", ok, name)
		if ok {
			require.Equal(t, []string{c.before}, before, name)
			require.Equal(t, []string{c.after}, after, name)
		}
	}
}
