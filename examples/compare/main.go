// Command compare joins two pages side by side, before and after, into one JPEG for the README.
//
//	go run ./examples/compare -height 900 -o docs/before-after.jpg examples/chapter/03.png out/chapter.en/03.png
package main

import (
	"errors"
	"flag"
	"fmt"
	"image"
	"image/color"
	"image/draw"
	"image/jpeg"
	_ "image/png"
	"os"

	xdraw "golang.org/x/image/draw"
)

// gap separates the two pages, in pixels.
const gap = 16

func main() {
	out := flag.String("o", "before-after.jpg", "file to write")
	height := flag.Int("height", 900, "height of the pages in pixels")
	flag.Parse()
	if err := compare(*out, *height, flag.Args()); err != nil {
		fmt.Fprintln(os.Stderr, "compare: "+err.Error())
		os.Exit(1)
	}
}

func compare(out string, height int, paths []string) error {
	if len(paths) != 2 {
		return errors.New("name the page before and the page after")
	}
	before, err := scaled(paths[0], height)
	if err != nil {
		return err
	}
	after, err := scaled(paths[1], height)
	if err != nil {
		return err
	}
	width := before.Bounds().Dx() + gap + after.Bounds().Dx()
	sheet := image.NewRGBA(image.Rect(0, 0, width, height))
	draw.Draw(sheet, sheet.Bounds(), image.NewUniform(color.White), image.Point{}, draw.Src)
	draw.Draw(sheet, before.Bounds(), before, image.Point{}, draw.Src)
	draw.Draw(sheet, after.Bounds().Add(image.Pt(before.Bounds().Dx()+gap, 0)), after, image.Point{}, draw.Src)
	f, err := os.Create(out)
	if err != nil {
		return err
	}
	return errors.Join(jpeg.Encode(f, sheet, &jpeg.Options{Quality: 88}), f.Close())
}

func scaled(path string, height int) (*image.RGBA, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	page, _, err := image.Decode(f)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	b := page.Bounds()
	small := image.NewRGBA(image.Rect(0, 0, b.Dx()*height/b.Dy(), height))
	xdraw.CatmullRom.Scale(small, small.Bounds(), page, b, draw.Src, nil)
	return small, nil
}
