package main

import (
	"image"
	"image/draw"
	"os"

	"github.com/stretchr/testify/require"

	"plait/internal/comic"
	"plait/internal/picture"
)

// letterStrip letters the pages of a book as one strip, one below the other, in its first direction.
func (e *letterBench) letterStrip(book letterBook) {
	target := book.targets[0]
	strip, truth := e.stack(book, target)
	file, err := picture.Encode(e.ctx, strip, picture.Info{Format: picture.BMP, Width: strip.Rect.Dx(), Height: strip.Rect.Dy()})
	require.NoError(e.b, err)
	c, found, err := e.engine.Detect(e.ctx, file, comic.Options{From: book.lang, To: target.lang})
	require.NoError(e.b, err)
	made := e.letterPage(c, found.Regions, pairTexts(found.Regions, truth), target.lang)
	f := &letterFigures{files: book.pages, Case: "letter strip", Pages: book.name, Onto: book.lang, Text: target.lang}
	made.measure(f)
	e.readBack(made, f)
	e.print(f)
}

// stack puts the pages of a book below each other, and the texts of a direction where they stand then.
func (e *letterBench) stack(book letterBook, target letterTarget) (*image.NRGBA, []truthBlock) {
	var pages []*image.NRGBA
	var size image.Point
	for _, file := range book.pages {
		content, err := os.ReadFile(file)
		require.NoError(e.b, err)
		page, err := picture.Decode(e.ctx, content, picture.DefaultLimits())
		require.NoError(e.b, err)
		pages = append(pages, page.Image)
		size = image.Pt(max(size.X, page.Image.Rect.Dx()), size.Y+page.Image.Rect.Dy())
	}
	strip := image.NewNRGBA(image.Rectangle{Max: size})
	draw.Draw(strip, strip.Rect, image.White, image.Point{}, draw.Src)
	var truth []truthBlock
	at := image.Point{}
	for i, page := range pages {
		draw.Draw(strip, page.Rect.Add(at), page, image.Point{}, draw.Src)
		for _, k := range target.blocks(e.b, book.pages[i]) {
			k.Box[1], k.Box[3] = k.Box[1]+float64(at.Y), k.Box[3]+float64(at.Y)
			truth = append(truth, k)
		}
		at.Y += page.Rect.Dy()
	}
	return strip, truth
}
