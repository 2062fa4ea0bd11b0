// Package openraster writes pictures with layers in the OpenRaster format (https://www.openraster.org), which Krita, GIMP, MyPaint and
// other painting programs open.
package openraster

import (
	"bytes"
	"context"
	"encoding/xml"
	"fmt"
	"image"
	"image/png"
	"io"

	"golang.org/x/image/draw"

	"plait/internal/archive"
)

// MediaType is the content of the first file of the format.
const MediaType = "image/openraster"

// version is that of the baseline that the files keep to.
const version = "0.0.3"

// thumbnailSide is the longer side of the thumbnail in pixels, which the format bounds.
const thumbnailSide = 256

// Layer is a picture at the upper left of the document.
type Layer struct {
	// Name is shown to people.
	Name string
	// PNG is the file of the picture.
	PNG []byte
}

// Document is a picture with its layers.
type Document struct {
	// Width and Height are in pixels.
	Width, Height int
	// Layers are the layers, the lowest first.
	Layers []Layer
	// Merged is the PNG file of what the layers show together, and Thumbnail is from [Thumbnail].
	Merged, Thumbnail []byte
}

// Thumbnail is a PNG file of a picture of at most 256 pixels a side. A smaller picture keeps its size.
func Thumbnail(img image.Image) ([]byte, error) {
	size := img.Bounds().Size()
	side := max(size.X, size.Y)
	if side > thumbnailSide {
		size = image.Pt(max(1, size.X*thumbnailSide/side), max(1, size.Y*thumbnailSide/side))
	}
	small := image.NewNRGBA(image.Rectangle{Max: size})
	draw.ApproxBiLinear.Scale(small, small.Rect, img, img.Bounds(), draw.Src, nil)
	var b bytes.Buffer
	err := png.Encode(&b, small)
	return b.Bytes(), err
}

// Write streams the file of a document to w. It fails with the error of w or of ctx.
func (d Document) Write(ctx context.Context, w io.Writer) error {
	stack, err := d.stack()
	if err != nil {
		return err
	}
	// The format asks for this file first, and stored.
	files := []archive.File{stored("mimetype", []byte(MediaType)), {Name: "stack.xml", Open: opener(stack)}}
	for i, l := range d.Layers {
		files = append(files, stored(path(i), l.PNG))
	}
	return archive.Write(ctx, w, append(files, stored("mergedimage.png", d.Merged), stored("Thumbnails/thumbnail.png", d.Thumbnail)))
}

func path(layer int) string { return fmt.Sprintf("data/%03d.png", layer) }

func stored(name string, content []byte) archive.File {
	return archive.File{Name: name, Open: opener(content), Store: true}
}

func opener(content []byte) func() (io.ReadCloser, error) {
	return func() (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(content)), nil }
}

// stackLayer is a layer in stack.xml.
type stackLayer struct {
	Name    string `xml:"name,attr"`
	Source  string `xml:"src,attr"`
	X       int    `xml:"x,attr"`
	Y       int    `xml:"y,attr"`
	Opacity string `xml:"opacity,attr"`
	Visible string `xml:"visibility,attr"`
	Compose string `xml:"composite-op,attr"`
}

// stack is the file that orders the layers, the uppermost first.
func (d Document) stack() ([]byte, error) {
	type layers struct {
		Layers []stackLayer `xml:"layer"`
	}
	file := struct {
		XMLName xml.Name `xml:"image"`
		Version string   `xml:"version,attr"`
		Width   int      `xml:"w,attr"`
		Height  int      `xml:"h,attr"`
		Stack   layers   `xml:"stack"`
	}{Version: version, Width: d.Width, Height: d.Height}
	for i := len(d.Layers) - 1; i >= 0; i-- {
		file.Stack.Layers = append(file.Stack.Layers, stackLayer{
			Name: d.Layers[i].Name, Source: path(i), Opacity: "1.0", Visible: "visible", Compose: "svg:src-over",
		})
	}
	b, err := xml.MarshalIndent(file, "", "  ")
	return append([]byte(xml.Header), b...), err
}
