package main

import (
	"context"
	"image"
	"image/draw"

	"plait/internal/comic"
	"plait/internal/languages"
	"plait/internal/picture"
)

// strip is the pages of a folder, one below the other, with the texts of another language where they stand then.
type strip struct {
	image  *image.NRGBA
	blocks []block
}

// add adds a page at the end.
func (s *strip) add(page *image.NRGBA, blocks []block) {
	at := image.Point{}
	size := page.Rect.Size()
	if s.image != nil {
		at.Y = s.image.Rect.Dy()
		size = image.Pt(max(size.X, s.image.Rect.Dx()), size.Y+at.Y)
	}
	longer := image.NewNRGBA(image.Rectangle{Max: size})
	draw.Draw(longer, longer.Rect, image.White, image.Point{}, draw.Src)
	if s.image != nil {
		draw.Draw(longer, s.image.Rect, s.image, image.Point{}, draw.Src)
	}
	draw.Draw(longer, page.Rect.Add(at), page, image.Point{}, draw.Src)
	for _, b := range blocks {
		b.Box[1], b.Box[3] = b.Box[1]+float64(at.Y), b.Box[3]+float64(at.Y)
		s.blocks = append(s.blocks, b)
	}
	s.image = longer
}

// stripEnding ends the names of the rows of strips, which have sums of their own.
const stripEnding = " strip"

// letterStrip letters a strip and measures the result. name is its name in the report.
func (l *lettering) letterStrip(ctx context.Context, s strip, name, lang string) (letterTally, error) {
	file, err := picture.Encode(ctx, s.image, picture.Info{Format: picture.BMP, Width: s.image.Rect.Dx(), Height: s.image.Rect.Dy()})
	if err != nil {
		return letterTally{}, err
	}
	c, found, err := l.engine.Detect(ctx, file, comic.Options{From: languages.Auto, To: lang})
	if err != nil {
		return letterTally{}, err
	}
	made, err := l.letterPage(ctx, c, pairTexts(found.Regions, s.blocks), lang)
	if err != nil {
		return letterTally{}, err
	}
	made.name = name
	return l.score(ctx, made)
}
