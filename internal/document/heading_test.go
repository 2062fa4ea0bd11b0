package document_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"plait/internal/document"
)

func TestBookmarksReadAsTheirHeadings(t *testing.T) {
	titles := document.Titles([]document.Heading{
		{"2.1 The  Method", "2.1 Die <s1>Methode</s1>"}, {"Results", "Ergebnisse"}, {"Results", "Resultate"}, {"Notes", ""},
	})
	for title, want := range map[string]string{
		"2.1 The Method":  "2.1 Die Methode",
		"the method":      "Die Methode",
		"3. The Method":   "3. Die Methode",
		"Results":         "Ergebnisse",
		"4 Results":       "4 Ergebnisse",
		"Notes":           "Notes",
		"Acknowledgments": "Acknowledgments",
		"":                "",
	} {
		require.Equal(t, want, titles(title), title)
	}
}
