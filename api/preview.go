package api

import (
	"bytes"
	"context"
	"image"
	"image/jpeg"
	"io"
	"net/http"
	"strconv"

	"github.com/labstack/echo/v4"
	"golang.org/x/image/draw"

	"plait/internal/core"
	"plait/internal/picture"
)

const (
	// previewWidth is the query parameter of a preview, in pixels.
	previewWidth = "width"
	// pictureVersion is the query parameter that gives a picture another address, for browsers.
	pictureVersion  = "version"
	minPreviewWidth = 16
	maxPreviewWidth = 2048
	previewQuality  = 82
	// maxPreviews bounds how many pages are decoded for previews at once; on few cores it is half of them.
	maxPreviews = 2
)

// sendPicture sends a blob of an item or, where the request has a width, its picture reduced to that width.
func (s *Server) sendPicture(c echo.Context, ref core.BlobRef, name string) error {
	if !c.QueryParams().Has(previewWidth) {
		return s.sendBlob(c, ref, name)
	}
	width, err := strconv.Atoi(c.QueryParam(previewWidth))
	if err != nil || width < minPreviewWidth || width > maxPreviewWidth {
		return core.Errorf(core.CodeInvalidInput, "query parameter width is a number of pixels from %d to %d", minPreviewWidth, maxPreviewWidth)
	}
	h := c.Response().Header()
	tag := `"` + ref.Hex() + "-" + strconv.Itoa(width) + `"`
	h.Set("ETag", tag)
	h.Set(echo.HeaderCacheControl, "private, no-cache")
	if c.Request().Header.Get("If-None-Match") == tag {
		return c.NoContent(http.StatusNotModified)
	}
	b, err := s.preview(c.Request().Context(), ref, width)
	if err != nil {
		return err
	}
	h.Set(echo.HeaderContentType, "image/jpeg")
	return serveContent(c, bytes.NewReader(b))
}

// preview is a picture as a JPEG of at most that width. A picture is never enlarged.
func (s *Server) preview(ctx context.Context, ref core.BlobRef, width int) ([]byte, error) {
	ctx, cancel := context.WithTimeout(ctx, s.Config.RequestTimeout)
	defer cancel()
	select {
	case s.previews <- struct{}{}:
		defer func() { <-s.previews }()
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	r, size, err := s.Blobs.Open(ctx, ref)
	if err != nil {
		return nil, err
	}
	defer func() { _ = r.Close() }() // read-only
	if size > s.Config.Picture.MaxBytes {
		return nil, core.Errorf(core.CodeInvalidInput, "a file of %d bytes has no preview", size)
	}
	b, err := io.ReadAll(r)
	if err != nil {
		return nil, unavailable(err, "the file cannot be read")
	}
	p, err := picture.Decode(ctx, b, s.Config.Picture)
	if err != nil {
		return nil, err
	}
	var out bytes.Buffer
	err = jpeg.Encode(&out, reduced(p.Image, width), &jpeg.Options{Quality: previewQuality})
	return out.Bytes(), err
}

// reduced is an opaque picture of at most that width. It is made of the averages of whole blocks of pixels, which takes a fraction of the
// time of weighing every pixel.
func reduced(img *image.NRGBA, width int) *image.RGBA {
	from := img.Bounds()
	width = min(width, from.Dx())
	to := image.NewRGBA(image.Rect(0, 0, width, max(1, from.Dy()*width/from.Dx())))
	blocks := averages(img, min(from.Dx()/width, from.Dy()))
	draw.ApproxBiLinear.Scale(to, to.Rect, blocks, blocks.Rect, draw.Src, nil)
	return to
}

// averages is a picture with a pixel for each block of side × side pixels of an opaque one. What is left at the right and below is less than
// a block, and has none.
func averages(img *image.NRGBA, side int) *image.RGBA {
	from := img.Bounds()
	to := image.NewRGBA(image.Rect(0, 0, from.Dx()/side, from.Dy()/side))
	row := 4 * side * to.Rect.Dx()
	sums := make([]uint32, to.Stride)
	area := uint32(side * side)
	for y := range to.Rect.Dy() {
		clear(sums)
		for n := range side {
			start := img.PixOffset(from.Min.X, from.Min.Y+y*side+n)
			for x, block := 0, 0; x < row; block += 4 {
				for end := x + 4*side; x < end; x += 4 {
					pixel := img.Pix[start+x : start+x+3 : start+x+3]
					sums[block] += uint32(pixel[0])
					sums[block+1] += uint32(pixel[1])
					sums[block+2] += uint32(pixel[2])
				}
			}
		}
		out := to.Pix[y*to.Stride : (y+1)*to.Stride]
		for i, sum := range sums {
			out[i] = uint8((sum + area/2) / area)
			if i%4 == 3 {
				out[i] = 255
			}
		}
	}
	return to
}
