package main

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"plait/internal/comic"
	"plait/internal/raster"
)

func TestAPageIsLetteredInTheOtherLanguagesOfItsBook(t *testing.T) {
	t.Parallel()
	root := t.TempDir()
	for folder, text := range map[string]string{"en": "Hello", "ja": "やあ", "cn": "你好", "fr": ""} {
		dir := filepath.Join(root, "book", folder)
		require.NoError(t, os.MkdirAll(dir, 0o700))
		blocks := `{"blocks": []}`
		if text != "" {
			blocks = `{"blocks": [{"box": [1, 2, 3, 4], "lines": ["` + text + `"]}]}`
		}
		require.NoError(t, os.WriteFile(filepath.Join(dir, "01.json"), []byte(blocks), 0o600))
		for _, name := range []string{"01.jpg", "01.notext.jpg"} {
			require.NoError(t, os.WriteFile(filepath.Join(dir, name), nil, 0o600))
		}
	}
	list, err := pages(root, []string{"ja"}, 1)
	require.NoError(t, err)
	require.Len(t, list, 1)
	require.True(t, list[0].hasBare())
	for _, c := range []struct{ letter, want []string }{
		{nil, nil}, {[]string{"en", "fr"}, nil}, {[]string{"en", "ja", "de"}, []string{"en Hello"}},
		{[]string{allLanguages}, []string{"zh-Hans 你好", "en Hello"}},
	} {
		found, err := options{letter: c.letter}.targets(list[0])
		require.NoError(t, err)
		var got []string
		for _, f := range found {
			got = append(got, f.lang+" "+f.human.Blocks[0].Lines[0])
		}
		require.Equal(t, c.want, got)
	}
}

// A block whose lines stand in two bubbles is the text of both.
func TestABlockIsDividedAmongTheRegionsThatItCovers(t *testing.T) {
	t.Parallel()
	at := func(index int, x0, y0, x1, y1 float64) comic.Region {
		return comic.Region{Index: index, Kind: comic.KindDialogue, Lines: []raster.Quad{{{x0, y0}, {x1, y0}, {x1, y1}, {x0, y1}}}}
	}
	credits, number := at(3, 0, 200, 300, 240), at(4, 140, 300, 160, 320)
	credits.Kind, number.Kind = comic.KindFurniture, comic.KindFurniture
	regions := []comic.Region{at(0, 20, 0, 80, 58), at(1, 0, 70, 100, 100), at(2, 200, 0, 300, 100), credits, number}
	var got []string
	for _, t := range pairTexts(regions, []block{
		{Box: box{0, 0, 100, 100}, Lines: []string{"Mais", "Pepper...", "...Reviens..."}}, {Box: box{200, 0, 300, 100}, Lines: []string{"NON !", "JE PARS !!"}},
		{Box: box{0, 200, 300, 240}, Lines: []string{"Dessin de personne"}},
	}) {
		got = append(got, t.Text)
	}
	require.Equal(t, []string{"Mais Pepper...", "...Reviens...", "NON ! JE PARS !!", "Dessin de personne", ""}, got)
}

func TestTheScriptOfAFolderGivesTheTextsOfItsPages(t *testing.T) {
	t.Parallel()
	folders, err := scriptedFolders("../../examples")
	require.NoError(t, err)
	require.Len(t, folders, 2)
	small := folders[1]
	require.Equal(t, "small", small.name)
	require.Equal(t, []string{"ja", "en"}, []string{small.script.From, small.script.To})
	require.Len(t, small.pages, 3)
	texts := small.texts(small.pages[0], []comic.Region{{Text: "何か"}, {Index: 1, Text: "今夜は星がきれいだね。"}})
	require.Len(t, texts, 2)
	require.Empty(t, texts[0].Text)
	require.Equal(t, "The stars are lovely tonight.", texts[1].Text)
	_, err = scriptedFolders(t.TempDir())
	require.ErrorContains(t, err, "no folder of pages with a script")
}
