package main

import (
	"fmt"
	"image"
	"image/png"
	"io"
	"os"
	"path"
	"path/filepath"
	"strings"
)

// outputs names the files that a command makes of pages, so that none is written over a page or over another.
type outputs struct {
	pages   []inputPage
	sources []os.FileInfo
	// taken are names in lower case: file systems that ignore case are common.
	taken map[string]bool
}

func (in *inputs) outputs() *outputs {
	o := &outputs{pages: in.pages, taken: map[string]bool{}}
	for _, p := range in.pages {
		if info, err := os.Stat(p.path); p.path != "" && err == nil {
			o.sources = append(o.sources, info)
		}
	}
	return o
}

// ending makes every file of a command end alike, such as ".png".
func ending(same string) func(inputPage) string {
	return func(inputPage) string { return same }
}

// ownEnding leaves every file the ending of its page.
func ownEnding(p inputPage) string { return path.Ext(p.name) }

// files are files in dir, one a page, named as their pages but for the ending, and checks that the folder can be made. Where two would have
// one name, the later has a number. It refuses names that would write over a page; flag is what named dir.
func (o *outputs) files(flag, dir string, ending func(inputPage) string) ([]string, error) {
	files := make([]string, len(o.pages))
	for i, p := range o.pages {
		stem, end := strings.TrimSuffix(p.name, path.Ext(p.name)), ending(p)
		file := func(name string) string { return filepath.Join(dir, filepath.FromSlash(name)+end) }
		files[i] = file(stem)
		for n := 2; o.taken[strings.ToLower(files[i])]; n++ {
			files[i] = file(fmt.Sprintf("%s-%d", stem, n))
		}
		o.taken[strings.ToLower(files[i])] = true
		info, err := os.Stat(files[i])
		if err != nil {
			continue
		}
		for _, s := range o.sources {
			if os.SameFile(info, s) {
				return nil, fmt.Errorf("%s is a page to read; choose another folder for %s", files[i], flag)
			}
		}
	}
	return files, placeable(dir)
}

// pngEncoder takes size for time: it writes strips of a few hundred megabytes of pixels.
var pngEncoder = png.Encoder{CompressionLevel: png.BestSpeed}

func writePNG(file string, img image.Image) error {
	return writeFile(file, func(w io.Writer) error { return pngEncoder.Encode(w, img) })
}
