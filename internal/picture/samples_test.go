package picture_test

import (
	"bytes"
	"encoding/binary"
	"hash/crc32"
	"image"
	"image/color"
	"image/gif"
	"image/jpeg"
	"image/png"
	"testing"

	"github.com/chai2010/webp"
	"github.com/stretchr/testify/require"
	"golang.org/x/image/bmp"

	"plait/internal/core"
	"plait/internal/picture"
)

// quadrants is an image whose quarters are red, green, blue and white, so that every flip and every channel shows.
func quadrants(width, height int) *image.NRGBA {
	img := image.NewNRGBA(image.Rect(0, 0, width, height))
	for y := range height {
		for x := range width {
			c := []color.NRGBA{{255, 0, 0, 255}, {0, 255, 0, 255}, {0, 0, 255, 255}, {255, 255, 255, 255}}[2*(2*y/height)+2*x/width]
			img.SetNRGBA(x, y, c)
		}
	}
	return img
}

func must[T any](tb testing.TB) func(T, error) T {
	tb.Helper()
	return func(v T, err error) T {
		tb.Helper()
		require.NoError(tb, err)
		return v
	}
}

func pngOf(tb testing.TB, img image.Image) []byte {
	tb.Helper()
	var b bytes.Buffer
	require.NoError(tb, png.Encode(&b, img))
	return b.Bytes()
}

func jpegOf(tb testing.TB, img image.Image, quality int) []byte {
	tb.Helper()
	var b bytes.Buffer
	require.NoError(tb, jpeg.Encode(&b, img, &jpeg.Options{Quality: quality}))
	return b.Bytes()
}

func gifOf(tb testing.TB, img *image.Paletted) []byte {
	tb.Helper()
	var b bytes.Buffer
	require.NoError(tb, gif.Encode(&b, img, nil))
	return b.Bytes()
}

func bmpOf(tb testing.TB, img image.Image) []byte {
	tb.Helper()
	var b bytes.Buffer
	require.NoError(tb, bmp.Encode(&b, img))
	return b.Bytes()
}

func paletted(img *image.NRGBA, palette color.Palette) *image.Paletted {
	out := image.NewPaletted(img.Rect, palette)
	for y := range img.Rect.Dy() {
		for x := range img.Rect.Dx() {
			out.Set(x, y, img.At(x, y))
		}
	}
	return out
}

var fourColors = color.Palette{
	color.NRGBA{255, 0, 0, 255}, color.NRGBA{0, 255, 0, 255}, color.NRGBA{0, 0, 255, 255}, color.NRGBA{255, 255, 255, 255},
}

// samples holds a small valid file of every kind that the libraries at hand can write.
func samples(tb testing.TB) map[string][]byte {
	tb.Helper()
	img := quadrants(16, 16)
	rgba := &image.RGBA{Pix: img.Pix, Stride: img.Stride, Rect: img.Rect}
	alpha := quadrants(16, 16)
	alpha.Pix[3] = 100
	rgbaAlpha := &image.RGBA{Pix: alpha.Pix, Stride: alpha.Stride, Rect: alpha.Rect}
	return map[string][]byte{
		"jpeg":             jpegOf(tb, img, 80),
		"jpeg gray":        jpegOf(tb, image.NewGray(image.Rect(0, 0, 9, 9)), 80),
		"jpeg progressive": flatJPEG{progressive: true, samples: []byte{76, 85, 255}}.bytes(),
		"jpeg cmyk":        flatJPEG{adobe: []byte{0}, samples: []byte{255, 0, 0, 255}}.bytes(),
		"png":              pngOf(tb, img),
		"png alpha":        pngOf(tb, alpha),
		"png palette":      pngOf(tb, paletted(img, fourColors)),
		"gif":              gifOf(tb, paletted(img, fourColors)),
		"bmp":              bmpOf(tb, img),
		"bmp palette":      bmpOf(tb, paletted(img, fourColors)),
		"webp lossy":       must[[]byte](tb)(webp.EncodeRGBA(rgba, 90)),
		"webp lossy alpha": must[[]byte](tb)(webp.EncodeRGBA(rgbaAlpha, 90)),
		"webp lossless":    must[[]byte](tb)(webp.EncodeLosslessRGBA(rgbaAlpha)),
	}
}

// flatJPEG is a JPEG of 8x8 pixels of one color, written by hand: the encoder at hand writes neither CMYK nor progressive
// files. Every quantization value is 8, so that a DC coefficient is the sample less 128; the only AC code is end of block.
type flatJPEG struct {
	samples       []byte // one a component
	width, height int    // said instead of 8x8
	adobe         []byte // the transform of an Adobe segment
	progressive   bool
	segments      []byte // put before the frame
	scans         int    // copies of the scan; 0 is 1
}

func (f flatJPEG) bytes() []byte {
	b := []byte{0xff, 0xd8}
	if f.adobe != nil {
		b = appendSegment(b, 0xee, append([]byte("Adobe\x00\x64\x00\x00\x00\x00"), f.adobe...))
	}
	b = append(b, f.segments...)
	b = appendSegment(b, 0xdb, append([]byte{0}, bytes.Repeat([]byte{8}, 64)...))
	sof, width, height := byte(0xc0), 8, 8
	if f.progressive {
		sof = 0xc2
	}
	if f.width != 0 {
		width, height = f.width, f.height
	}
	frame := []byte{8, byte(height >> 8), byte(height), byte(width >> 8), byte(width), byte(len(f.samples))}
	scan := []byte{byte(len(f.samples))}
	for i := range f.samples {
		frame = append(frame, byte(i+1), 0x11, 0)
		scan = append(scan, byte(i+1), 0)
	}
	if f.progressive {
		scan = append(scan, 0, 0, 0)
	} else {
		scan = append(scan, 0, 63, 0)
	}
	b = appendSegment(b, sof, frame)
	lengths := func(of ...byte) []byte { return append(of, make([]byte, 16-len(of))...) }
	b = appendSegment(b, 0xc4, append(append([]byte{0x00}, lengths(0, 0, 0, 9)...), 0, 1, 2, 3, 4, 5, 6, 7, 8))
	b = appendSegment(b, 0xc4, append(append([]byte{0x10}, lengths(1)...), 0))
	for range max(f.scans, 1) {
		b = appendSegment(b, 0xda, scan)
		b = append(b, f.entropy()...)
	}
	return append(b, 0xff, 0xd9)
}

func (f flatJPEG) entropy() []byte {
	var bits []byte
	put := func(value, n int) {
		for i := n - 1; i >= 0; i-- {
			bits = append(bits, byte(value>>i&1))
		}
	}
	for _, s := range f.samples {
		dc, size := int(s)-128, 0
		for m := max(dc, -dc); m > 0; m >>= 1 {
			size++
		}
		put(size, 4) // nine codes of four bits, in order
		if dc < 0 {
			dc += 1<<size - 1
		}
		put(dc, size)
		if !f.progressive {
			put(0, 1)
		}
	}
	for len(bits)%8 != 0 {
		bits = append(bits, 1)
	}
	var b []byte
	for ; len(bits) > 0; bits = bits[8:] {
		var v byte
		for _, bit := range bits[:8] {
			v = v<<1 | bit
		}
		if b = append(b, v); v == 0xff {
			b = append(b, 0)
		}
	}
	return b
}

func appendSegment(b []byte, marker byte, data []byte) []byte {
	b = append(b, 0xff, marker, byte((len(data)+2)>>8), byte(len(data)+2))
	return append(b, data...)
}

// afterSOI puts a segment at the start of a JPEG.
func afterSOI(file []byte, marker byte, data []byte) []byte {
	return append(appendSegment([]byte{0xff, 0xd8}, marker, data), file[2:]...)
}

// pngChunk is a chunk with its checksum.
func pngChunk(name string, data []byte) []byte {
	b := binary.BigEndian.AppendUint32(nil, uint32(len(data)))
	b = append(append(b, name...), data...)
	return binary.BigEndian.AppendUint32(b, crc32.ChecksumIEEE(b[4:]))
}

// afterIHDR puts chunks behind the header of a PNG.
func afterIHDR(file []byte, chunks ...[]byte) []byte {
	b := bytes.Clone(file[:33])
	for _, c := range chunks {
		b = append(b, c...)
	}
	return append(b, file[33:]...)
}

func pngHeader(width, height uint32, depth, colorType byte) []byte {
	data := binary.BigEndian.AppendUint32(nil, width)
	data = binary.BigEndian.AppendUint32(data, height)
	return append([]byte("\x89PNG\r\n\x1a\n"), pngChunk("IHDR", append(data, depth, colorType, 0, 0, 0))...)
}

// exif is a TIFF block with an orientation.
func exif(order binary.AppendByteOrder, orientation uint16) []byte {
	mark := "II*\x00"
	if order == binary.AppendByteOrder(binary.BigEndian) {
		mark = "MM\x00*"
	}
	b := order.AppendUint32([]byte(mark), 8)
	b = order.AppendUint16(b, 2)
	b = append(b, make([]byte, 12)...) // another entry
	b = order.AppendUint16(b, 0x0112)
	b = order.AppendUint16(b, 3)
	b = order.AppendUint32(b, 1)
	b = order.AppendUint16(b, orientation)
	return append(b, 0, 0, 0, 0, 0, 0)
}

// profile is the shell of a color profile for pixels of a space.
func profile(space string, size int) []byte {
	b := make([]byte, size)
	for i := range b {
		b[i] = byte(i * 7 / 3)
	}
	binary.BigEndian.PutUint32(b, uint32(size))
	copy(b[16:], space)
	copy(b[36:], "acsp")
	return b
}

func requireCode(t *testing.T, code core.Code, err error, words string) {
	t.Helper()
	require.Error(t, err)
	require.Equal(t, code, core.CodeOf(err), "%v", err)
	require.Contains(t, core.PublicMessage(err), words)
}

func decode(t *testing.T, b []byte) *picture.Picture {
	t.Helper()
	p, err := picture.Decode(t.Context(), b, picture.Limits{})
	require.NoError(t, err)
	require.Equal(t, image.Rect(0, 0, p.Width, p.Height), p.Image.Rect)
	require.Equal(t, 4*p.Width, p.Image.Stride)
	info, err := picture.Probe(b, picture.Limits{})
	require.NoError(t, err)
	require.Equal(t, info, p.Info)
	return p
}

func requireClose(t *testing.T, want, got color.NRGBA, tolerance int) {
	t.Helper()
	for _, d := range []int{int(want.R) - int(got.R), int(want.G) - int(got.G), int(want.B) - int(got.B), int(want.A) - int(got.A)} {
		require.LessOrEqual(t, max(d, -d), tolerance, "want %v, got %v", want, got)
	}
}

// requireQuadrants looks at the middle of each quarter.
func requireQuadrants(t *testing.T, img *image.NRGBA, tolerance int) {
	t.Helper()
	w, h := img.Rect.Dx(), img.Rect.Dy()
	want := quadrants(w, h)
	for _, p := range []image.Point{{w / 4, h / 4}, {3 * w / 4, h / 4}, {w / 4, 3 * h / 4}, {3 * w / 4, 3 * h / 4}} {
		requireClose(t, want.NRGBAAt(p.X, p.Y), img.NRGBAAt(p.X, p.Y), tolerance)
	}
}
