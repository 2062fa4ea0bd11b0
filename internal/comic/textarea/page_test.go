package textarea_test

import (
	"image"
	"image/color"
	"math"
	"testing"

	"plait/internal/comic"
	"plait/internal/comic/readingorder"
	"plait/internal/comic/textarea"
	"plait/internal/raster"
)

var (
	paper = color.NRGBA{255, 255, 255, 255}
	pale  = color.NRGBA{248, 244, 236, 255}
)

// blank returns a white page.
func blank(w, h int) *image.NRGBA {
	img := image.NewNRGBA(image.Rect(0, 0, w, h))
	fill(img, img.Rect, paper)
	return img
}

func fill(img *image.NRGBA, r image.Rectangle, c color.NRGBA) {
	for y := r.Min.Y; y < r.Max.Y; y++ {
		for x := r.Min.X; x < r.Max.X; x++ {
			img.SetNRGBA(x, y, c)
		}
	}
}

// panel draws art in which no two neighboring pixels have the same color.
func panel(img *image.NRGBA, r image.Rectangle) {
	for y := r.Min.Y; y < r.Max.Y; y++ {
		for x := r.Min.X; x < r.Max.X; x++ {
			img.SetNRGBA(x, y, color.NRGBA{uint8(90 + 60*((x/7+y/5)%2)), uint8(80 + x%40), uint8(110 + y%50), 255})
		}
	}
}

// oval draws an ellipse without an outline into box, clipped to clip.
func oval(img *image.NRGBA, box, clip image.Rectangle) {
	cx, cy := float64(box.Min.X+box.Max.X)/2, float64(box.Min.Y+box.Max.Y)/2
	for y := box.Min.Y; y < box.Max.Y; y++ {
		for x := box.Min.X; x < box.Max.X; x++ {
			dx, dy := (float64(x)+0.5-cx)/float64(box.Dx())*2, (float64(y)+0.5-cy)/float64(box.Dy())*2
			if math.Hypot(dx, dy) <= 1 && image.Pt(x, y).In(clip) {
				img.SetNRGBA(x, y, paper)
			}
		}
	}
}

// words returns a region of n lines of the given width around a point, which is already erased.
func words(index int, at image.Point, width, n int) comic.Region {
	r := comic.Region{
		Index: index, Text: "words", Kind: comic.KindDialogue, FontSize: 24, Direction: comic.Horizontal, SourceLang: "en",
	}
	for i := range n {
		x, y := float64(at.X), float64(at.Y)+32*(float64(i)-float64(n)/2)+3
		half := float64(width) / 2
		r.Lines = append(r.Lines, raster.Quad{{x - half, y}, {x + half, y}, {x + half, y + 26}, {x - half, y + 26}})
	}
	return r
}

func find(page *image.NRGBA, regions ...comic.Region) []*textarea.Area {
	return textarea.Find(page, page, readingorder.Look(page), regions, func(r comic.Region) bool { return r.Direction == comic.Vertical })
}

// bounds returns the bounding box of a text area on the page.
func bounds(tb testing.TB, page *image.NRGBA, s *textarea.Area) image.Rectangle {
	tb.Helper()
	var r image.Rectangle
	for y := range page.Rect.Dy() {
		for x := range page.Rect.Dx() {
			if s.Contains(x, y) {
				r = r.Union(image.Rect(x, y, x+1, y+1))
			}
		}
	}
	return r
}

// slack is how many pixels an edge may be off, because areas are found on a reduced page.
const slack = 4

func near(tb testing.TB, want, got image.Rectangle) bool {
	tb.Helper()
	off := func(a, b int) bool { return a-b > slack || b-a > slack }
	return !off(want.Min.X, got.Min.X) && !off(want.Min.Y, got.Min.Y) && !off(want.Max.X, got.Max.X) && !off(want.Max.Y, got.Max.Y)
}
