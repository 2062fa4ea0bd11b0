package translate

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"plait/internal/core"
)

// A page as people talk, with its translation.
var (
	said = []string{
		"えっ？", "ちょっと待って、それは昨日わたしが頼んだ荷物じゃないの？", "違うよ。", "じゃあ誰が駅まで取りに行くことになっているわけ？", "さあね…",
		"もういい、自分で行くから傘だけ貸してちょうだい。", "はいはい", "気をつけてな！",
	}
	heard = []string{
		"Huh?", "Hold on, isn't that the parcel I asked you for yesterday?", "No.", "Then who is supposed to go and fetch it from the station?", "Who knows...",
		"Fine, I'll go myself, so just lend me your umbrella.", "Sure, sure.", "Take care!",
	}
)

func answersOf(texts ...string) []answered {
	answers := make([]answered, len(texts))
	for i, text := range texts {
		if answers[i] = (answered{text: text}); text == "" {
			answers[i].defect = core.UntranslatedMissing
		}
	}
	return answers
}

func TestTextsAtTheNumbersOfOthersAreFound(t *testing.T) {
	t.Parallel()
	filled := slices.Concat(heard[:1], []string{heard[1] + " " + heard[2]}, heard[3:], heard[:1])
	split := slices.Concat(heard[:1], []string{heard[1][:30], heard[1][30:]}, heard[2:7])
	for name, test := range map[string]struct {
		texts []string
		want  bool
	}{
		"true":                         {heard, false},
		"merged, and filled up":        {filled, true},
		"split, and cut":               {split, true},
		"the first left out":           {slices.Concat([]string{""}, heard[1:]), false},
		"the last left out, and moved": {slices.Concat([]string{""}, heard[:7]), true},
		"one left out":                 {slices.Concat(heard[:3], []string{""}, heard[4:]), false},
		"nothing":                      {make([]string, 8), false},
	} {
		require.Equal(t, test.want, misplaced(said, answersOf(test.texts...)), name)
	}
	require.False(t, misplaced(said[:3], answersOf(heard[1], heard[2], heard[0])), "too few to tell")
	require.False(t, misplaced(heard, answersOf(said...)), "the other way round")
	require.False(t, misplaced([]string{"a", "b", "c", "d"}, answersOf("A", "B", "C", "D")))
}

func TestAReplyThatIsFilledUpIsFound(t *testing.T) {
	t.Parallel()
	last := len(said) - 1
	filled := slices.Concat(heard[:last], []string{heard[1] + " Again."})
	require.True(t, filledUp(said, answersOf(filled...)))
	require.False(t, filledUp(said, answersOf(heard...)))
	alike := slices.Concat(said[:last], []string{said[1] + "！"})
	require.False(t, filledUp(alike, answersOf(filled...)), "the sources are as much alike")
	require.False(t, filledUp(said[:2], answersOf("Yes.", "Yes.")), "too short to tell")
}

func TestATextThatIsSaidTwiceIsFound(t *testing.T) {
	t.Parallel()
	require.True(t, saidTwice("遅刻だぞ", "You're late again! You're late again."))
	require.False(t, saidTwice("ドドドド", "Rumble rumble rumble rumble"))
	require.False(t, saidTwice("だめだ、だめだ！", "That will never do, that will never do!"))
	require.False(t, saidTwice("遅刻だぞ", "You're late again, and not for the first time."))
	require.False(t, saidTwice("うん", "Yes, yes."), "too short to tell")
}

// Lengths that are odd all over are what they are: the first doubt is the last.
func TestTheOrderOfAPageIsDoubtedOnce(t *testing.T) {
	t.Parallel()
	j := &job{sources: said}
	chunk := []int{0, 1, 2, 3, 4, 5, 6, 7}
	moved := slices.Concat(heard[7:], heard[:7])
	replies := answersOf(moved...)
	j.doubtOrder(chunk, replies)
	require.Equal(t, core.UntranslatedMerged, replies[0].defect)
	replies = answersOf(moved...)
	j.doubtOrder(chunk, replies)
	require.Empty(t, replies[0].defect)
}
