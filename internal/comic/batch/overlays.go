package batch

import (
	"context"
	"path/filepath"

	"plait/internal/assets"
	"plait/internal/comic/engine"
	"plait/internal/comic/overlay"
	"plait/internal/files"
)

// Overlays are pictures of pages with their regions marked.
type Overlays struct {
	files []string
	fonts *overlay.Fonts
}

// NewOverlays chooses the files in dir, with an ending such as ".png"; flag is the command-line flag that names dir. Labels are drawn with
// the fonts of the assets.
func NewOverlays(n *files.Names, flag, dir, ending, assetsDir string) (*Overlays, error) {
	set, err := assets.Open(assetsDir)
	if err != nil {
		return nil, err
	}
	o := &Overlays{}
	if o.fonts, err = overlay.LoadFonts(filepath.Join(set.Dir(), "fonts")); err != nil {
		return nil, err
	}
	o.files, err = n.In(flag, dir, files.Ending(ending))
	return o, err
}

// write draws the overlay of page i and writes its file.
func (o *Overlays) write(ctx context.Context, i int, page *engine.Context) error {
	marked, err := overlay.Draw(ctx, page.Page(), page.Regions(), o.fonts)
	if err != nil {
		return err
	}
	return files.WritePNG(o.files[i], marked)
}
