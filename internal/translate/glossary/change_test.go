package glossary_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"plait/internal/core"
	"plait/internal/translate/glossary"
)

func TestApply(t *testing.T) {
	t.Parallel()
	taro, taroo, rex := glossary.Entry{Source: "太郎", Target: "Taro"}, glossary.Entry{Source: "太郎", Target: "Taroo"}, glossary.Entry{Source: "犬", Target: "Rex"}
	hachi := glossary.Entry{Source: "ハチ", Target: "Hachi"}
	list := func(entries ...glossary.Entry) []glossary.Entry { return entries }
	for name, c := range map[string]struct {
		changes []glossary.Change
		want    []glossary.Entry
		code    core.Code
		what    string
	}{
		"added":                   {changes: []glossary.Change{{After: &hachi}}, want: list(taro, rex, hachi)},
		"added twice":             {changes: []glossary.Change{{After: &hachi}, {After: &hachi}}, want: list(taro, rex, hachi)},
		"added, of a known term":  {changes: []glossary.Change{{After: &taroo}}, code: core.CodeConflict, what: `"太郎" has another entry`},
		"replaced":                {changes: []glossary.Change{{Before: &taro, After: &taroo}}, want: list(taroo, rex)},
		"replaced twice":          {changes: []glossary.Change{{Before: &taro, After: &taroo}, {Before: &taro, After: &taroo}}, want: list(taroo, rex)},
		"replaced meanwhile":      {changes: []glossary.Change{{Before: &taroo, After: &glossary.Entry{Source: "太郎", Target: "T."}}}, code: core.CodeConflict, what: `"太郎" is another one`},
		"replaced, but removed":   {changes: []glossary.Change{{Before: &hachi, After: &glossary.Entry{Source: "ハチ", Target: "H."}}}, code: core.CodeConflict, what: `"ハチ"`},
		"other source":            {changes: []glossary.Change{{Before: &taro, After: &hachi}}, want: list(hachi, rex)},
		"other source twice":      {changes: []glossary.Change{{Before: &taro, After: &hachi}, {Before: &taro, After: &hachi}}, want: list(hachi, rex)},
		"other source, but known": {changes: []glossary.Change{{Before: &taro, After: &rex}}, code: core.CodeConflict, what: `"犬" has another entry`},
		"removed":                 {changes: []glossary.Change{{Before: &taro}}, want: list(rex)},
		"removed twice":           {changes: []glossary.Change{{Before: &taro}, {Before: &taro}}, want: list(rex)},
		"removed, but replaced":   {changes: []glossary.Change{{Before: &taroo}}, code: core.CodeConflict, what: `"太郎" is another one`},
		"trimmed":                 {changes: []glossary.Change{{After: &glossary.Entry{Source: " ハチ ", Target: "Hachi\t"}}}, want: list(taro, rex, hachi)},
		"none":                    {want: list(taro, rex)},
		"neither":                 {changes: []glossary.Change{{After: &hachi}, {}}, code: core.CodeInvalidInput, what: "change 2"},
		"no target":               {changes: []glossary.Change{{After: &glossary.Entry{Source: "ハチ"}}}, code: core.CodeInvalidInput, what: "change 1"},
		"several lines":           {changes: []glossary.Change{{After: &glossary.Entry{Source: "a\nb", Target: "c"}}}, code: core.CodeInvalidInput, what: "several lines"},
		"too long":                {changes: []glossary.Change{{After: &glossary.Entry{Source: "a", Target: strings.Repeat("x", 201)}}}, code: core.CodeInvalidInput, what: "200 characters"},
		"too many":                {changes: make([]glossary.Change, glossary.MaxChanges+1), code: core.CodeTooLarge, what: "1000 changes"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			entries := list(taro, rex, glossary.Entry{Source: "太郎", Target: "hidden by the first"})
			got, err := glossary.Apply(entries, c.changes)
			if c.code != "" {
				require.Equal(t, c.code, core.CodeOf(err), "%v", err)
				require.ErrorContains(t, err, c.what)
				return
			}
			require.NoError(t, err)
			require.Equal(t, c.want, got)
			require.Equal(t, taro, entries[0], "the entries themselves stay as they are")
		})
	}
}

func TestAGlossaryIsBounded(t *testing.T) {
	t.Parallel()
	var entries []glossary.Entry
	for n := range glossary.MaxEntries {
		entries = append(entries, glossary.Entry{Source: fmt.Sprint(n), Keep: true})
	}
	more := glossary.Entry{Source: "one more", Keep: true}
	_, err := glossary.Apply(entries, []glossary.Change{{After: &more}})
	require.Equal(t, core.CodeTooLarge, core.CodeOf(err))
	got, err := glossary.Apply(entries, []glossary.Change{{Before: &entries[7]}, {After: &more}})
	require.NoError(t, err)
	require.Len(t, got, glossary.MaxEntries)
}
