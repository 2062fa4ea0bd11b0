// Package estimate predicts what the translation of a document takes, from the texts on its pages.
//
// Every paragraph and every table cell is one call to a model. Its input is the text and the instructions; its output is the translation,
// which is about as long as the text, and with a reasoning model also the tokens of its reasoning. A cell needs shorter instructions than a
// paragraph, by the factor CellShare. The defaults of [Rates] are those that the field uses for such estimates; those of a scan are the means of
// 66 pages of reports and books with a text layer.
package estimate

import (
	"math"

	"plait/internal/config"
)

// Texts are the number of texts of a document or of a page, and their tokens.
type Texts struct {
	Paragraphs      int `json:"paragraph_count"`
	ParagraphTokens int `json:"paragraph_tokens"`
	Cells           int `json:"table_cell_count"`
	CellTokens      int `json:"table_tokens"`
}

// Plus returns the sum.
func (t Texts) Plus(o Texts) Texts {
	return Texts{
		Paragraphs: t.Paragraphs + o.Paragraphs, ParagraphTokens: t.ParagraphTokens + o.ParagraphTokens,
		Cells: t.Cells + o.Cells, CellTokens: t.CellTokens + o.CellTokens,
	}
}

// Rates are what an estimate assumes of a model.
type Rates struct {
	// CellShare is the share of the instructions of a paragraph that a cell needs, and the share of the output of a cell with a model that
	// does not reason.
	CellShare float64
	// ReasoningTokens are the tokens of reasoning of one call.
	ReasoningTokens int
	// InputRate and OutputRate are in tokens per second.
	InputRate, OutputRate float64
	// NormalSpeedup and ReasoningSpeedup are how much faster the calls of a document are than one after the other.
	NormalSpeedup, ReasoningSpeedup float64
	// SecondsPerPage is the time of a page of a document that is not analyzed.
	SecondsPerPage float64
	// Scan are the texts that are assumed of a scanned page.
	Scan Texts
}

// Configured are the rates of the settings, whose defaults are the rates of the field.
func Configured(d config.Document) Rates {
	return Rates{
		CellShare: d.EstimateCellShare, ReasoningTokens: d.EstimateReasoningTokens, InputRate: d.EstimateInputRate, OutputRate: d.EstimateOutputRate,
		NormalSpeedup: d.EstimateSpeedup, ReasoningSpeedup: d.EstimateReasoningSpeedup, SecondsPerPage: d.EstimateSecondsPerPage,
		Scan: Texts{Paragraphs: d.EstimateScanParagraphs, ParagraphTokens: d.EstimateScanTokens},
	}
}

// Estimate is what a translation is expected to take.
type Estimate struct {
	PageCount int `json:"page_count"`
	// ScannedPages are the pages without a text layer, whose texts are assumed.
	ScannedPages int `json:"scanned_page_count"`
	// Analyzed is false for a document so long that only its pages were counted: it then has a time and no tokens.
	Analyzed        bool    `json:"analyzed"`
	Paragraphs      int     `json:"total_paragraph_count"`
	ParagraphTokens int     `json:"total_paragraph_tokens"`
	Cells           int     `json:"total_table_cell_count"`
	CellTokens      int     `json:"total_table_tokens"`
	InputTokens     int     `json:"estimated_input_tokens"`
	OutputTokens    int     `json:"estimated_output_tokens"`
	Seconds         float64 `json:"estimated_time_seconds"`
	Pages           []Page  `json:"pages,omitempty"`
}

// Page are the texts of one page. Number is from 1.
type Page struct {
	Number int `json:"page_number"`
	// Scanned is set for a page without a text layer, whose texts are assumed.
	Scanned bool `json:"scanned,omitempty"`
	Texts
}

// Model is what an estimate needs to know of the model.
type Model struct {
	Reasoning bool
	// PromptTokens are the tokens of the instructions of one call.
	PromptTokens int
}

// Of estimates the translation of pages.
func (r Rates) Of(pages []Page, m Model) Estimate {
	var t Texts
	scans := 0
	for _, p := range pages {
		if t = t.Plus(p.Texts); p.Scanned {
			scans++
		}
	}
	prompt := float64(m.PromptTokens)
	input := float64(t.ParagraphTokens) + float64(t.Paragraphs)*prompt + float64(t.CellTokens) + float64(t.Cells)*r.CellShare*prompt
	output, speedup := float64(t.ParagraphTokens)+float64(t.CellTokens)*r.CellShare, r.NormalSpeedup
	if m.Reasoning {
		output = float64(t.ParagraphTokens) + float64(t.CellTokens) + float64((t.Paragraphs+t.Cells)*r.ReasoningTokens)
		speedup = r.ReasoningSpeedup
	}
	return Estimate{
		PageCount: len(pages), ScannedPages: scans, Analyzed: true, Paragraphs: t.Paragraphs, ParagraphTokens: t.ParagraphTokens, Cells: t.Cells, CellTokens: t.CellTokens,
		InputTokens: int(math.Round(input)), OutputTokens: int(math.Round(output)),
		Seconds: round(input/r.InputRate + output/r.OutputRate/speedup), Pages: pages,
	}
}

// Unread estimates the translation of a document whose pages are only counted.
func (r Rates) Unread(pages int) Estimate {
	return Estimate{PageCount: pages, Seconds: round(float64(pages) * r.SecondsPerPage)}
}

// round rounds seconds to one decimal.
func round(seconds float64) float64 { return math.Round(seconds*10) / 10 }
