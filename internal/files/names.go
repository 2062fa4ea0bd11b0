package files

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

// Names names the files that a command makes of pages, so that none is written over a page or over another.
type Names struct {
	pages   []Page
	sources []os.FileInfo
	// taken are names in lower case: file systems that ignore case are common.
	taken map[string]bool
}

// NamesFor is for files made of pages.
func NamesFor(pages []Page) *Names {
	n := &Names{pages: pages, taken: map[string]bool{}}
	for _, p := range pages {
		if info, err := os.Stat(p.Path); p.Path != "" && err == nil {
			n.sources = append(n.sources, info)
		}
	}
	return n
}

// Ending makes every file of a command end alike, such as ".png".
func Ending(same string) func(Page) string {
	return func(Page) string { return same }
}

// OwnEnding leaves every file the ending of its page.
func OwnEnding(p Page) string { return path.Ext(p.Name) }

// In are files in dir, one a page, named as their pages but for the ending. Where two would have one name, the later has a number.
// It fails where a file is a page, or where dir cannot be made; flag is what named dir.
func (n *Names) In(flag, dir string, ending func(Page) string) ([]string, error) {
	files := make([]string, len(n.pages))
	for i, p := range n.pages {
		stem, end := strings.TrimSuffix(p.Name, path.Ext(p.Name)), ending(p)
		file := func(name string) string { return filepath.Join(dir, filepath.FromSlash(name)+end) }
		files[i] = file(stem)
		for k := 2; n.taken[strings.ToLower(files[i])]; k++ {
			files[i] = file(fmt.Sprintf("%s-%d", stem, k))
		}
		n.taken[strings.ToLower(files[i])] = true
		info, err := os.Stat(files[i])
		if err != nil {
			continue
		}
		for _, s := range n.sources {
			if os.SameFile(info, s) {
				return nil, argument("%s is a page to read; choose another folder for %s", files[i], flag)
			}
		}
	}
	return files, CheckFolder(dir)
}

// pngEncoder takes size for time: it writes strips of a few hundred megabytes of pixels.
var pngEncoder = png.Encoder{CompressionLevel: png.BestSpeed}

// WritePNG writes a picture as [Write] does.
func WritePNG(file string, img image.Image) error {
	return Write(file, func(w io.Writer) error { return pngEncoder.Encode(w, img) })
}
