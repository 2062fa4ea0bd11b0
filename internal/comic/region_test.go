package comic_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"plait/internal/comic"
)

func TestALabelSaysTheSameAsItsTranslation(t *testing.T) {
	t.Parallel()
	label := comic.Region{Kind: comic.KindFree, Text: "50,000 Ko"}
	require.True(t, label.Says("50,000KO"))
	require.False(t, label.Says("50 000 Ko"))
	dialogue, styled := label, label
	dialogue.Kind = comic.KindDialogue
	require.False(t, dialogue.Says("50,000 Ko"), "dialogue is set in the lettering of its page")
	styled.Override.Style.Size = 20
	require.False(t, styled.Says("50,000 Ko"), "a person chose how it is lettered")
}
