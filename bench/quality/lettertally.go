package main

import (
	"math"
	"slices"
)

// letterTally is the result of lettering some pages. Dialogue is what stands on one color.
type letterTally struct {
	pages, blocks, dialogue int
	// outside is the number of blocks with a glyph beyond their ground or the page, and overflow of those that do not fit at a legible size.
	outside, overflow int
	// leaks is the number of dialogue whose bounded interior was not found.
	leaks int
	// normal is the number of blocks of normal dialogue, and same of those with the same size as the others on their page.
	normal, same int
	// exact is the number of blocks that are read back without an error; wrong and letters are errors and characters, of letters and digits.
	exact, wrong, letters int
	// breaks and humanBreaks are the numbers of places where a line ends inside a text, here and as a person lettered it; sameBreaks are in both.
	breaks, humanBreaks, sameBreaks int

	// margins and pitches are in cap heights, caps in percent of the page height, and fills are shares of the text area that the box of the
	// text takes. weights are the widths of strokes in units of those of the source. seconds are for each page.
	margins, pitches, caps, fills, weights, seconds []float64
	// widths and heights are the extents of texts in units of those of the same text as a person lettered it.
	widths, heights []float64

	faults []string // blocks that are outside, overflow, or are misread when they are read back
}

func (t *letterTally) add(o letterTally) {
	for _, n := range []struct {
		to *int
		by int
	}{
		{&t.pages, o.pages}, {&t.blocks, o.blocks}, {&t.dialogue, o.dialogue}, {&t.outside, o.outside}, {&t.overflow, o.overflow},
		{&t.leaks, o.leaks}, {&t.normal, o.normal}, {&t.same, o.same}, {&t.exact, o.exact},
		{&t.wrong, o.wrong}, {&t.letters, o.letters},
		{&t.breaks, o.breaks}, {&t.humanBreaks, o.humanBreaks}, {&t.sameBreaks, o.sameBreaks},
	} {
		*n.to += n.by
	}
	t.margins, t.pitches, t.caps = slices.Concat(t.margins, o.margins), slices.Concat(t.pitches, o.pitches), slices.Concat(t.caps, o.caps)
	t.fills, t.weights, t.seconds = slices.Concat(t.fills, o.fills), slices.Concat(t.weights, o.weights), slices.Concat(t.seconds, o.seconds)
	t.widths, t.heights = slices.Concat(t.widths, o.widths), slices.Concat(t.heights, o.heights)
	t.faults = slices.Concat(t.faults, o.faults)
}

// letterFigures are the figures of a letterTally. Shares are 0..1, and of dialogue unless a name says otherwise.
type letterFigures struct {
	Case  string `json:"case"`
	Half  string `json:"half"`
	Onto  string `json:"onto"` // language of the pages
	Text  string `json:"text"` // language of the texts
	Pages int    `json:"pages"`

	Blocks       int     `json:"blocks"`
	Dialogue     int     `json:"dialogue"`
	Leaks        float64 `json:"leaks"`
	Outside      int     `json:"blocks_outside"`
	Overflow     int     `json:"blocks_overflow"`
	MarginMedian float64 `json:"margin_median"`
	MarginP10    float64 `json:"margin_p10"`
	MarginKept   float64 `json:"margin_kept"`
	SameSize     float64 `json:"same_size"` // of normal dialogue
	SameWeight   float64 `json:"same_weight"`
	WeightMedian float64 `json:"weight_median"`
	CapMedian    float64 `json:"cap_median"`
	CapP10       float64 `json:"cap_p10"`
	Pitch        float64 `json:"line_pitch"`
	Fill         float64 `json:"fill"`
	CER          float64 `json:"letters_cer"`
	Exact        float64 `json:"exact_blocks"`
	Breaks       float64 `json:"same_breaks"`
	Width        float64 `json:"human_width"`
	Height       float64 `json:"human_height"`

	SecondsPerPage float64 `json:"seconds_per_page"`
	MaxSeconds     float64 `json:"seconds_at_most"`
}

func (t *letterTally) figures() letterFigures {
	kept, sameStrokes, sum := 0, 0, 0.0
	for _, m := range t.margins {
		if m >= roomyMargin {
			kept++
		}
	}
	for _, w := range t.weights {
		if math.Abs(w-1) <= sameWeight {
			sameStrokes++
		}
	}
	for _, s := range t.seconds {
		sum += s
	}
	share := func(n, of int) float64 { return round(ratio(n, of)) }
	at := func(values []float64, part float64) float64 { return round(quantile(values, part)) }
	return letterFigures{
		Pages: t.pages, Blocks: t.blocks, Dialogue: t.dialogue,
		Leaks: share(t.leaks, t.dialogue), Outside: t.outside, Overflow: t.overflow,
		MarginMedian: at(t.margins, 0.5), MarginP10: at(t.margins, 0.1), MarginKept: share(kept, len(t.margins)), SameSize: share(t.same, t.normal),
		SameWeight: share(sameStrokes, len(t.weights)), WeightMedian: at(t.weights, 0.5),
		CapMedian: at(t.caps, 0.5), CapP10: at(t.caps, 0.1), Pitch: at(t.pitches, 0.5), Fill: at(t.fills, 0.5),
		CER: ratio(t.wrong, t.letters), Exact: share(t.exact, t.dialogue),
		Breaks: share(2*t.sameBreaks, t.breaks+t.humanBreaks), Width: at(t.widths, 0.5), Height: at(t.heights, 0.5),
		SecondsPerPage: round(sum / float64(max(t.pages, 1))), MaxSeconds: at(t.seconds, 1),
	}
}
