package pdfedit

import (
	"bytes"
	"fmt"
	"image"
	"image/png"

	"github.com/pdfcpu/pdfcpu/pkg/pdfcpu/types"

	"plait/internal/core"
	"plait/internal/document"
)

// patches writes the pictures of an edit, and returns the operators that draw them in the user space of the page.
func (d *writer) patches(page *streamEdit, list []document.Patch) ([]byte, error) {
	var program []byte
	for _, patch := range list {
		decoded, err := png.Decode(bytes.NewReader(patch.PNG))
		picture, ok := decoded.(*image.NRGBA)
		if err != nil || !ok {
			return nil, core.Wrap(core.CodeInternal, err, "a patch of a page cannot be read")
		}
		number, err := d.picture(picture)
		if err != nil {
			return nil, err
		}
		var name string
		page.resources, name = withResource(d.file, page.resources, "XObject", "Patch", ref(number))
		b := patch.Box
		program = fmt.Appendf(program, "q %s cm /%s Do Q ", numerals(b.X1-b.X0, 0, 0, b.Y1-b.Y0, b.X0, b.Y0), types.EncodeName(name))
	}
	return program, nil
}

// picture writes a picture with its transparency, and returns the number of its object.
func (d *writer) picture(picture *image.NRGBA) (int, error) {
	size := picture.Rect.Size()
	colors, alpha := make([]byte, 0, 3*size.X*size.Y), make([]byte, 0, size.X*size.Y)
	for y := range size.Y {
		row := picture.Pix[y*picture.Stride : y*picture.Stride+4*size.X]
		for x := 0; x < len(row); x += 4 {
			colors, alpha = append(colors, row[x:x+3]...), append(alpha, row[x+3])
		}
	}
	write := func(space string, samples []byte, entries types.Dict) (int, error) {
		dict := types.Dict{
			"Type": types.Name("XObject"), "Subtype": types.Name("Image"), "Width": types.Integer(size.X), "Height": types.Integer(size.Y),
			"ColorSpace": types.Name(space), "BitsPerComponent": types.Integer(8),
		}
		for key, value := range entries {
			dict[key] = value
		}
		number := d.out.Reserve()
		return number, d.out.Flate(number, dict, samples)
	}
	mask, err := write("DeviceGray", alpha, nil)
	if err != nil {
		return 0, err
	}
	return write("DeviceRGB", colors, types.Dict{"SMask": ref(mask)})
}
