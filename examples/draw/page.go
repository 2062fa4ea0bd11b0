package main

import (
	"plait/examples/draw/ink"
)

// Page is a page being drawn, and the record of what is written on it.
type Page struct {
	*ink.Canvas
	Name string
	Type *Type
	// Bare leaves the lettering out of the picture, though not out of Blocks.
	Bare   bool
	Blocks []Block
}

// Block is one text block of a page, as the truth file tells it. Boxes are
// x0, y0, x1, y1 in page pixels.
type Block struct {
	Kind      Kind      `json:"kind"`
	Box       [4]int    `json:"box"`
	Balloon   *[4]int   `json:"balloon,omitempty"` // the body of the balloon or caption around the text
	Direction Direction `json:"direction"`
	Lines     []string  `json:"lines"`
	Text      string    `json:"text"`

	translation string
}

// Kind is what a text block is for.
type Kind string

// The kinds of text on a page.
const (
	Dialogue  Kind = "dialogue"
	Narration Kind = "narration"
	Title     Kind = "title"
	Sound     Kind = "sfx"
)

// Direction is the way a line runs.
type Direction string

// Lines run across, or down with the first line at the right.
const (
	Across Direction = "h"
	Down   Direction = "v"
)

// NewPage returns an empty sheet.
func NewPage(name string, w, h int, t *Type) *Page {
	return &Page{Canvas: ink.NewCanvas(w, h, paper), Name: name, Type: t}
}

// Panel draws a scene inside a polygon of x, y pairs and frames it.
func (p *Page) Panel(xy []float64, scene func(c *ink.Canvas)) {
	border := ink.Poly(xy...)
	scene(p.Clip(border))
	p.Line(border, frame, inkLine)
}

// box is a panel with square corners.
func box(x0, y0, x1, y1 float64) []float64 {
	return []float64{x0, y0, x1, y0, x1, y1, x0, y1}
}
