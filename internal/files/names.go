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

// Names chooses names for the files that a command makes from pages. No file overwrites a page or another file of the command.
type Names struct {
	pages   []Page
	sources []os.FileInfo
	// taken are the chosen names in lower case, because many file systems ignore case.
	taken map[string]bool
}

// NamesFor returns Names for files made from these pages.
func NamesFor(pages []Page) *Names {
	n := &Names{pages: pages, taken: map[string]bool{}}
	for _, p := range pages {
		if info, err := os.Stat(p.Path); p.Path != "" && err == nil {
			n.sources = append(n.sources, info)
		}
	}
	return n
}

// Ending returns a function that gives every file the same ending, such as ".png".
func Ending(same string) func(Page) string {
	return func(Page) string { return same }
}

// OwnEnding returns the ending of the page's own name, such as ".jpg".
func OwnEnding(p Page) string { return path.Ext(p.Name) }

// In returns the path of a file in dir for each page: the name of the page with the given ending, and a number if the name is taken.
// It fails if a path is that of a page, or if dir cannot be created or written. flag is the flag that set dir, for the message.
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

// pngEncoder favors speed over size, because it writes strips with a few hundred megabytes of pixels.
var pngEncoder = png.Encoder{CompressionLevel: png.BestSpeed}

// WritePNG writes img to file as a PNG, atomically like [Write].
func WritePNG(file string, img image.Image) error {
	return Write(file, func(w io.Writer) error { return pngEncoder.Encode(w, img) })
}
