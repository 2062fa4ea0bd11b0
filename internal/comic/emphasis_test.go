package comic_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"plait/internal/comic"
)

func TestTaggedText(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name, want string
		texts      []string
		loud       []int
	}{
		{"nothing", "Run to me!", []string{"Run", "to me!"}, nil},
		{"the last line", "Run to <em>me!</em>", []string{"Run to", "me!"}, []int{1}},
		{"two lines between others", "Run <em>to me</em> now", []string{"Run", "to", "me", "now"}, []int{1, 2}},
		{"lines that are apart", "<em>Run</em> to <em>me!</em>", []string{"Run", "to", "me!"}, []int{0, 2}},
		{"no spaces", "この<em>私に</em>！", []string{"この", "私に", "！"}, []int{1}},
		{"an empty line", "Run", []string{"Run", ""}, []int{1}},
		{"a tag in the text", "Run <em>", []string{"Run", "<em>"}, []int{0}},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			r := comic.Region{Texts: c.texts, Text: comic.JoinTexts(c.texts), Emphasized: c.loud}
			require.Equal(t, c.want, r.Tagged())
		})
	}
	require.Equal(t, "Edited", comic.Region{Texts: []string{"Run", "me"}, Text: "Edited", Emphasized: []int{1}}.Tagged())
}
