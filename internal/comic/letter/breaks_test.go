package letter_test

import (
	"fmt"
	"image"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"plait/internal/comic"
	"plait/internal/comic/letter"
	"plait/internal/languages"
)

// TestLineBreaks compares how texts are broken in bubbles of several shapes with testdata/breaks.txt, which is meant for review by people.
// PLAIT_UPDATE=1 writes the file again.
func TestLineBreaks(t *testing.T) {
	t.Parallel()
	shapes := []struct {
		name     string
		box      image.Rectangle
		caption  bool
		vertical bool
	}{
		{name: "wide oval", box: image.Rect(100, 100, 420, 260)},
		{name: "tall oval", box: image.Rect(100, 100, 290, 400)},
		{name: "caption", box: image.Rect(100, 100, 460, 220), caption: true},
		{name: "tall oval, columns", box: image.Rect(100, 100, 290, 400), vertical: true},
	}
	texts := []struct{ lang, text string }{
		{"en", "Because she saved our town when it was in peril, we award first place to Pepper."},
		{"en", "... come on Shichimi, everyone's waiting for you !"},
		{"en", "No!"},
		{"de", "Die Straßenbahn fährt erst übermorgen wieder, sagt der Schaffner."},
		{"fr", "Ah ! Où étais-tu passé ? Je t'ai cherché partout…"},
		{"ja", "先ほどの実演の後では、シチミが勝つのは難しそうになってきました！"},
		{"ja", "コンテストは12時に始まるって、知らなかったの？"},
		{"zh-Hans", "我的药水至少能让大家笑一笑，因为它真的很有意思。"},
		{"zh-Hant", "你們聽過「飛天魔藥」的故事嗎？"},
	}
	var got strings.Builder
	for _, s := range shapes {
		for _, c := range texts {
			if s.vertical && !languages.IsCJK(c.lang) {
				continue
			}
			page := art(560, 840)
			r := source(0, s.box, 0.5, 2)
			if s.caption {
				caption(page, s.box)
			} else {
				oval(page, s.box)
			}
			if s.vertical {
				r = vertical(r)
			}
			set := draw(t, page, c.lang, []comic.Region{r}, c.text).Regions[0]
			fmt.Fprintf(&got, "%s, %s, %s:\n    %s\n\n", s.name, c.lang, set.Fit, strings.Join(set.Lines, "\n    "))
		}
	}
	const golden = "testdata/breaks.txt"
	if os.Getenv("PLAIT_UPDATE") != "" {
		require.NoError(t, os.WriteFile(golden, []byte(got.String()), 0o600))
	}
	want, err := os.ReadFile(golden)
	require.NoError(t, err)
	require.Equal(t, string(want), got.String())
}

// Marks stay with the word before or after that they belong to, at the end or the beginning of a line.
func TestWhereNoLineEnds(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ lang, text, never string }{
		{"es", "has vuelto --tras tanto tiempo-- por esto", "has vuelto —|tras tanto tiempo|— por esto"},
		{"en", "Wait-- she said", "Wait|— she said"},
	} {
		set, ends, err := letterer(t).LineEnds(c.lang, c.text)
		require.NoError(t, err)
		parts := strings.Split(c.never, "|")
		require.Equal(t, strings.Join(parts, ""), string(set))
		at := 0
		for _, part := range parts[:len(parts)-1] {
			at += len([]rune(part))
			require.NotContains(t, ends, at, "%s: %s | %s", c.lang, string(set[:at]), string(set[at:]))
		}
	}
}

// No line ends after a function word, such as an article, a preposition or a pronoun, where another may end.
func TestFunctionWordsBeginLines(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		lang, text string
		never      string // words after which no line ends
	}{
		{"fr", "Maman, Tu es vraiment la plus forte des femmes du village.", "tu es la des du"},
		{"fr", "Il n'y a plus de farine ni de beurre dans le vieux placard.", "de ni le"},
		{"fr", "Nous sommes prisonniers de nos rêves, et le temps ne passe pas.", "de nos et le ne"},
		{"es", "No quiero saber nada de las brujas ni de sus gatos.", "de las ni sus"},
		{"sv", "Vi ska resa till en liten by vid havet.", "till en vid"},
		{"en", "She put the lamp on the table of her grandmother.", "the on"},
	} {
		for _, wide := range []int{240, 280} {
			box := image.Rect(60, 60, 60+wide, 240)
			page := art(560, 840)
			oval(page, box)
			set := draw(t, page, c.lang, []comic.Region{source(0, box, 0.5, 3)}, c.text).Regions[0]
			for _, line := range set.Lines[:len(set.Lines)-1] {
				words := strings.Fields(strings.ToLower(line))
				require.NotContains(t, strings.Fields(c.never), words[len(words)-1], "%s, %d: %q", c.lang, wide, set.Lines)
			}
		}
	}
}

// A smaller size with whole words is better than the size of the page with a word broken, and very short lines are avoided.
func TestWordsAreWholeAtASmallerSize(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		lang, text, whole string
		box               image.Rectangle
	}{
		{"ja", "きっと…うっかりして寝ちゃったんだ！", "うっかりして", image.Rect(100, 500, 270, 600)},
		{"ja", "でも、キャロットお前が持ってきた", "お前が", image.Rect(100, 500, 270, 600)},
	} {
		page := art(560, 840)
		usual := image.Rect(60, 80, 500, 400)
		oval(page, usual)
		oval(page, c.box)
		regions := []comic.Region{source(0, usual, 0.5, 3), source(1, c.box, 0.6, 2)}
		set := draw(t, page, c.lang, regions, c.text, c.text).Regions
		require.Equal(t, letter.Fits, set[1].Fit, set[1].Lines)
		require.Contains(t, strings.Join(set[1].Lines, "\n"), c.whole)
	}
}

// linesInOval returns the lines of a text of Japanese in a bubble.
func linesInOval(t *testing.T, box image.Rectangle, text string) []string {
	t.Helper()
	page := art(800, 1200)
	oval(page, box)
	return draw(t, page, "ja", []comic.Region{source(0, box, 0.5, 2)}, text).Regions[0].Lines
}

// A word in katakana stays whole.
func TestWordsInKatakanaStayWhole(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		text  string
		lines []string
	}{
		{"コンテスト開始です！", []string{"コンテスト", "開始です！"}},
		{"あの魔法薬コンテスト！", []string{"あの魔法薬", "コンテスト！"}},
		{"ペッパー元気だして！", []string{"ペッパー", "元気だして！"}},
	} {
		require.Equal(t, c.lines, linesInOval(t, image.Rect(60, 60, 190, 200), c.text))
	}
}

// A noun of Japanese stays on the line of the genitive before it where another phrase may end the line.
func TestANounStaysWithItsGenitive(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		width int
		lines []string
	}{
		{280, []string{"森の魔女の弟子は", "薬の作り方を知らない"}},
		{280, []string{"灯台の守り人の仕事は", "夜明けまで続く"}},
		{200, []string{"嵐の夜の海は", "静かな港の船も", "揺らす"}},
	} {
		require.Equal(t, c.lines, linesInOval(t, image.Rect(60, 60, 60+c.width, 220), strings.Join(c.lines, "")))
	}
}

// Sentences of Japanese that end without a mark end their lines.
func TestSentencesWithoutMarksEndLines(t *testing.T) {
	t.Parallel()
	for _, lines := range [][]string{
		{"これでいいの", "眠る森に出発よ"},
		{"窓を閉めたの", "また風が吹く"},
		{"灯りを消しました", "朝はまだ遠い"},
	} {
		require.Equal(t, lines, linesInOval(t, image.Rect(60, 60, 300, 220), strings.Join(lines, "")))
	}
}

// Phrases of Japanese stay whole where they fit on a line at a slightly smaller size, even below the least legible one, and particles stay
// with the quote before them.
func TestPhrasesStayWholeAtASmallerSize(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		text, whole string
		box         image.Rectangle
	}{
		{"持ってきた『魔法薬』の使い道", "『魔法薬』の", image.Rect(100, 500, 235, 570)},
	} {
		page := art(560, 840)
		usual := image.Rect(60, 80, 500, 400)
		oval(page, usual)
		oval(page, c.box)
		regions := []comic.Region{source(0, usual, 0.5, 3), source(1, c.box, 0.6, 2)}
		set := draw(t, page, "ja", regions, c.text, c.text).Regions[1]
		require.Contains(t, strings.Join(set.Lines, "\n"), c.whole, "%v at %v", set.Lines, set.Size)
	}
}

// A phrase of Japanese that is too long for a line is divided between its words.
func TestALongPhraseIsDividedBetweenItsWords(t *testing.T) {
	t.Parallel()
	for _, lines := range [][]string{
		{"灯台くらい", "なのかも…"},
		{"子供たち", "ばかりなのに…"},
		{"朝ごはん", "ぐらいなのに…"},
	} {
		require.Equal(t, lines, linesInOval(t, image.Rect(60, 60, 190, 200), strings.Join(lines, "")))
	}
}
