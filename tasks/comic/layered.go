package comictasks

import (
	"context"
	"fmt"
	"image"
	"io"
	"os"
	"path"
	"strings"

	"plait/internal/archive"
	"plait/internal/comic/layers"
	"plait/internal/core"
	"plait/internal/openraster"
	"plait/internal/picture"
	"plait/internal/records"
	comicrecords "plait/internal/records/comic"
)

// The names of the layers of a page, which a painting program shows.
const (
	layerOriginal  = "Original"
	layerErased    = "Erased"
	layerLettering = "Lettering"
	layerResult    = "Translation"
)

// layeredPage is a page to write in layers.
type layeredPage struct {
	name string
	// result is empty for a page without one, and layers for one whose result is the original or was made without.
	original, result, layers core.BlobRef
	// damaged is a page that is no picture: it comes as its own file.
	damaged bool
}

// writeLayered streams each page of a chapter as an OpenRaster file, all of them in a ZIP, or the only page as it is. A page that is no
// image comes as its own file.
func (s *Service) writeLayered(ctx context.Context, w io.Writer, t records.Task) error {
	pages, err := s.layeredPages(ctx, t.ID)
	if err != nil {
		return err
	}
	if len(pages) == 1 {
		file, err := s.openPage(ctx, pages[0])
		if err != nil {
			return err
		}
		defer file.Close()
		_, err = io.Copy(w, file)
		return err
	}
	taken := map[string]bool{}
	files := make([]archive.File, len(pages))
	for i, p := range pages {
		name := p.name
		if !p.damaged {
			name = strings.TrimSuffix(p.name, path.Ext(p.name)) + ".ora"
		}
		if taken[strings.ToLower(name)] {
			name = p.name + ".ora"
		}
		taken[strings.ToLower(name)] = true
		files[i] = archive.File{Name: name, Store: true, Open: func() (io.ReadCloser, error) { return s.openPage(ctx, p) }}
	}
	return archive.Write(ctx, w, files)
}

// layeredPages are the pages in their order. It fails with BLOB_MISSING when a file is missing.
func (s *Service) layeredPages(ctx context.Context, id string) ([]layeredPage, error) {
	items, err := s.chapters.Items(ctx, id)
	if err != nil {
		return nil, err
	}
	files, err := s.chapters.Files(ctx, id, comicrecords.RoleLayers)
	if err != nil {
		return nil, err
	}
	kept := map[int]core.BlobRef{}
	for _, f := range files {
		kept[f.Position] = f.Blob
	}
	pages := make([]layeredPage, len(items))
	var blobs []records.File
	for i, item := range items {
		pages[i] = layeredPage{name: item.Ref.Name, original: item.Ref.Blob}
		if item.Status == core.StatusSuccess && item.Result != item.Ref.Blob {
			pages[i].result, pages[i].layers = item.Result, kept[item.Ref.Index]
		}
		if item.Status != core.StatusSuccess {
			err := s.decodes(ctx, item.Ref.Blob)
			if pages[i].damaged = isNoPicture(err); err != nil && !pages[i].damaged {
				return nil, err
			}
		}
		for _, b := range []core.BlobRef{pages[i].original, pages[i].result, pages[i].layers} {
			if b != "" {
				blobs = append(blobs, records.File{Blob: b})
			}
		}
	}
	return pages, s.checkBlobs(ctx, blobs)
}

func (s *Service) openPage(ctx context.Context, p layeredPage) (io.ReadCloser, error) {
	if !p.damaged {
		return s.openLayered(ctx, p)
	}
	r, _, err := s.deps.Blobs.Open(ctx, p.original)
	return r, err
}

// openLayered makes the file of a page on the disk: few pages are in memory at a time, however slowly clients read.
func (s *Service) openLayered(ctx context.Context, p layeredPage) (io.ReadCloser, error) {
	leave, err := s.enterLayering(ctx)
	if err != nil {
		return nil, err
	}
	defer leave()
	document, err := s.layered(ctx, p)
	if err != nil {
		return nil, fmt.Errorf("take %s apart: %w", p.name, err)
	}
	file, err := os.CreateTemp("", "plait-layers-*.ora")
	if err != nil {
		return nil, err
	}
	_ = os.Remove(file.Name()) // the file lives as long as it is open
	err = document.Write(ctx, file)
	if err == nil {
		_, err = file.Seek(0, io.SeekStart)
	}
	if err != nil {
		_ = file.Close()
		return nil, err
	}
	return file, nil
}

// enterLayering waits until one more page may be in memory.
func (s *Service) enterLayering(ctx context.Context) (leave func(), err error) {
	select {
	case s.layering <- struct{}{}:
		return func() { <-s.layering }, nil
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// decodes fails as asPNG does.
func (s *Service) decodes(ctx context.Context, ref core.BlobRef) error {
	leave, err := s.enterLayering(ctx)
	if err != nil {
		return err
	}
	defer leave()
	_, _, err = s.asPNG(ctx, ref)
	return err
}

func isNoPicture(err error) bool {
	switch core.CodeOf(err) {
	case core.CodeInvalidImage, core.CodeImageTooLarge, core.CodeTooLarge:
		return true
	default:
		return false
	}
}

// layered reads the layers of a page and what they show together.
func (s *Service) layered(ctx context.Context, p layeredPage) (d openraster.Document, err error) {
	original, img, err := s.asPNG(ctx, p.original)
	if err != nil {
		return d, err
	}
	d = openraster.Document{Width: img.Rect.Dx(), Height: img.Rect.Dy(), Merged: original}
	d.Layers = []openraster.Layer{{Name: layerOriginal, PNG: original}}
	if p.result != "" {
		if d.Merged, img, err = s.asPNG(ctx, p.result); err != nil {
			return d, err
		}
	}
	switch {
	case p.layers != "":
		file, err := s.deps.Blobs.Read(ctx, p.layers, s.deps.Limits.Picture.MaxBytes)
		if err != nil {
			return d, err
		}
		page, err := layers.Unpack(file)
		if err != nil {
			return d, err
		}
		d.Layers = append(d.Layers, openraster.Layer{Name: layerErased, PNG: page.Erased}, openraster.Layer{Name: layerLettering, PNG: page.Lettering})
	case p.result != "":
		d.Layers = append(d.Layers, openraster.Layer{Name: layerResult, PNG: d.Merged})
	}
	d.Thumbnail, err = openraster.Thumbnail(img)
	return d, err
}

// asPNG returns a picture as a PNG file, which is its own if it is one that is stored upright, and its pixels.
func (s *Service) asPNG(ctx context.Context, ref core.BlobRef) ([]byte, *image.NRGBA, error) {
	file, err := s.deps.Blobs.Read(ctx, ref, s.deps.Limits.Picture.MaxBytes)
	if err != nil {
		return nil, nil, err
	}
	p, err := picture.Decode(ctx, file, s.deps.Limits.Picture)
	if err != nil {
		return nil, nil, err
	}
	if p.Format == picture.PNG && p.Orientation == 1 {
		return file, p.Image, nil
	}
	file, err = p.Encode(ctx, p.Image, picture.PNG)
	return file, p.Image, err
}
