package estimate_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"plait/internal/config"
	"plait/internal/document/estimate"
)

// rates are those of an installation that sets none.
func rates(t *testing.T) estimate.Rates {
	t.Helper()
	l, err := config.Load(config.Sources{})
	require.NoError(t, err)
	return estimate.Configured(l.Document)
}

// Two pages with 10 paragraphs of 1,000 tokens and 20 cells of 100 tokens; instructions of 200 tokens.
var pages = []estimate.Page{
	{Number: 1, Texts: estimate.Texts{Paragraphs: 6, ParagraphTokens: 600, Cells: 20, CellTokens: 100}},
	{Number: 2, Texts: estimate.Texts{Paragraphs: 4, ParagraphTokens: 400}},
}

func TestAnEstimateOfPages(t *testing.T) {
	for name, c := range map[string]struct {
		reasoning     bool
		input, output int
		seconds       float64
	}{
		// input 1000 + 10*200 + 100 + 20*.45*200, output 1000 + 100*.45; 4900/500 + 1045/50/1.5
		"normal": {input: 4900, output: 1045, seconds: 23.7},
		// output 1000 + 10*450 + 100 + 20*450; 4900/500 + 14600/50/2
		"reasoning": {reasoning: true, input: 4900, output: 14600, seconds: 155.8},
	} {
		got := rates(t).Of(pages, estimate.Model{Reasoning: c.reasoning, PromptTokens: 200})
		require.Equal(t, estimate.Estimate{
			PageCount: 2, Analyzed: true, Paragraphs: 10, ParagraphTokens: 1000, Cells: 20, CellTokens: 100,
			InputTokens: c.input, OutputTokens: c.output, Seconds: c.seconds, Pages: pages,
		}, got, name)
	}
}

func TestAnEstimateOfALongDocument(t *testing.T) {
	require.Equal(t, estimate.Estimate{PageCount: 120, Seconds: 960}, rates(t).Unread(120))
}
