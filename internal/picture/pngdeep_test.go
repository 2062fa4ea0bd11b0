package picture_test

import (
	"bytes"
	"compress/zlib"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"image"
	"image/color"
	"image/png"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"plait/internal/core"
	"plait/internal/memory/memorytest"
	"plait/internal/picture"
)

func TestEncodeKeepsDeepPixels(t *testing.T) {
	t.Parallel()
	rect := image.Rect(0, 0, 3, 2)
	gray, rgb, alpha := image.NewGray16(rect), image.NewRGBA64(rect), image.NewNRGBA64(rect)
	for y := range 2 {
		for x := range 3 {
			v := uint16(0x1234 + 0x1111*x + 0x0707*y)
			gray.SetGray16(x, y, color.Gray16{Y: v})
			rgb.SetRGBA64(x, y, color.RGBA64{R: v, G: v / 3, B: 77, A: 0xffff})
			alpha.SetNRGBA64(x, y, color.NRGBA64{R: v, G: v / 3, B: 77, A: 0x8321})
		}
	}
	for name, src := range map[string]image.Image{"gray": gray, "rgb": rgb, "alpha": alpha} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			page := decode(t, pngOf(t, src))
			drawn := image.NewNRGBA(rect)
			copy(drawn.Pix, page.Image.Pix)
			drawn.SetNRGBA(1, 1, color.NRGBA{200, 200, 200, 255})
			out, err := page.Encode(t.Context(), drawn, picture.PNG)
			require.NoError(t, err)
			again, err := page.Encode(t.Context(), drawn, picture.PNG)
			require.NoError(t, err)
			require.Equal(t, out, again)
			require.Equal(t, told(t, page.Info), told(t, decode(t, out).Info))
			got, err := png.Decode(bytes.NewReader(out))
			require.NoError(t, err)
			for y := range 2 {
				for x := range 3 {
					r, g, b, a := got.At(x, y).RGBA()
					if x == 1 && y == 1 { // as translucent as its neighbors, and over white as it was drawn
						require.InDelta(t, 200*0x101, g+0xffff-a, 0x101)
						continue
					}
					wr, wg, wb, wa := src.At(x, y).RGBA()
					require.Equal(t, []uint32{wr, wg, wb, wa}, []uint32{r, g, b, a}, "%d,%d", x, y)
				}
			}
		})
	}
}

// told is what an Info tells a client.
func told(t *testing.T, info picture.Info) string {
	t.Helper()
	b, err := json.Marshal(info)
	require.NoError(t, err)
	return string(b)
}

// noise is an image in which each channel has every value, of the model's kind.
func noise(set func(x, y int, v uint16), size image.Point) {
	v := uint16(1)
	for y := range size.Y {
		for x := range size.X {
			v = v*25173 + 13849
			set(x, y, v)
		}
	}
}

// A PNG of 16 bits a channel is reduced row by row: its pixels are those of image/png, and no image of 16 bits is held.
func TestDecodeReducesDeepPixelsAsTheyCome(t *testing.T) {
	t.Parallel()
	size := image.Pt(37, 19)
	rect := image.Rectangle{Max: size}
	gray, rgb, alpha := image.NewGray16(rect), image.NewRGBA64(rect), image.NewNRGBA64(rect)
	noise(func(x, y int, v uint16) {
		gray.SetGray16(x, y, color.Gray16{Y: v})
		rgb.SetRGBA64(x, y, color.RGBA64{R: v, G: v + uint16(x)<<8, B: ^v, A: 0xffff})
		alpha.SetNRGBA64(x, y, color.NRGBA64{R: v, G: v + uint16(y)<<8, B: ^v, A: 0xff00 | uint16(x)})
	}, size)
	files := map[string][]byte{"gray": pngOf(t, gray), "rgb": pngOf(t, rgb), "alpha": pngOf(t, alpha)}
	transparent := gray.Gray16At(3, 3).Y
	files["gray with a clear level"] = afterIHDR(files["gray"], pngChunk("tRNS", binary.BigEndian.AppendUint16(nil, transparent)))
	for kind, channels := range map[byte]int{0: 1, 2: 3, 4: 2, 6: 4} {
		files[fmt.Sprintf("interlaced, color type %d", kind)] = interlacedPNG(size, kind, channels)
	}
	for name, file := range files {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			want, err := png.Decode(bytes.NewReader(file))
			require.NoError(t, err)
			over := func(v, a uint32) uint32 { return (v>>8*(a>>8) + 255*(255-a>>8) + 127) / 255 }
			got := decode(t, file).Image
			for y := range size.Y {
				for x := range size.X {
					c := color.NRGBA64Model.Convert(want.At(x, y)).(color.NRGBA64)
					a := uint32(c.A)
					require.Equal(t, color.NRGBA{byte(over(uint32(c.R), a)), byte(over(uint32(c.G), a)), byte(over(uint32(c.B), a)), 255}, got.NRGBAAt(x, y), "%d,%d", x, y)
				}
			}
		})
	}
	_, err := picture.Decode(t.Context(), withRawPixels(size, 6, 4, false, 1), picture.Limits{})
	require.Equal(t, core.CodeInvalidImage, core.CodeOf(err), "more pixels than its header says")
}

// interlacedPNG is a PNG of 16 bits a channel in the seven passes of Adam7, which image/png does not write.
func interlacedPNG(size image.Point, kind byte, channels int) []byte {
	return withRawPixels(size, kind, channels, true, 0)
}

// withRawPixels is a PNG of unfiltered rows of 16 bits a channel, with so many bytes beyond its last row.
func withRawPixels(size image.Point, kind byte, channels int, interlaced bool, beyond int) []byte {
	passes := [][4]int{{1, 1, 0, 0}}
	header := append(binary.BigEndian.AppendUint32(binary.BigEndian.AppendUint32(nil, uint32(size.X)), uint32(size.Y)), 16, kind, 0, 0, 0)
	if interlaced {
		header[12] = 1
		passes = [][4]int{{8, 8, 0, 0}, {8, 8, 4, 0}, {4, 8, 0, 4}, {4, 4, 2, 0}, {2, 4, 0, 2}, {2, 2, 1, 0}, {1, 2, 0, 1}}
	}
	var data bytes.Buffer
	z := zlib.NewWriter(&data)
	for _, p := range passes {
		for y := p[3]; y < size.Y; y += p[1] {
			var row []byte
			for x := p[2]; x < size.X; x += p[0] {
				for c := range channels {
					row = binary.BigEndian.AppendUint16(row, uint16(x*1699+y*811+c*7919))
				}
			}
			if len(row) > 0 {
				_, _ = z.Write(append([]byte{0}, row...)) // a bytes.Buffer takes everything
			}
		}
	}
	_, _ = z.Write(make([]byte, beyond))
	_ = z.Close()
	return slices.Concat([]byte("\x89PNG\r\n\x1a\n"), pngChunk("IHDR", header), pngChunk("IDAT", data.Bytes()), pngChunk("IEND", nil))
}

// What is allocated in all bounds what is held at a time.
func TestDecodeHoldsNoMoreThanItsInfoSays(t *testing.T) {
	size := image.Pt(1200, 800)
	files := map[string][]byte{
		"interlaced": interlacedPNG(size, 2, 3), "RGBA of 16 bits": withRawPixels(size, 6, 4, false, 0), "gray of 16 bits": withRawPixels(size, 0, 1, false, 0),
		"JPEG": jpegOf(t, quadrants(size.X, size.Y), 90), "PNG": pngOf(t, quadrants(size.X, size.Y)),
		"gray": pngOf(t, image.NewGray(image.Rectangle{Max: size})), "transparent": pngOf(t, image.NewNRGBA(image.Rectangle{Max: size})),
	}
	for _, format := range []picture.Info{{Format: picture.WebP}, {Format: picture.WebP, Lossless: true}, {Format: picture.GIF}, {Format: picture.BMP}} {
		file, err := picture.Encode(t.Context(), quadrants(size.X, size.Y), format)
		require.NoError(t, err)
		files[fmt.Sprintf("%s, lossless %t", format.Format, format.Lossless)] = file
	}
	for name, file := range files {
		t.Run(name, func(t *testing.T) {
			info, err := picture.Probe(file, picture.Limits{})
			require.NoError(t, err)
			var p *picture.Picture
			took := memorytest.Allocated(func() { p = decode(t, file) })
			const decoder = 1 << 20 // tables and windows of decoders, and the rows under way
			require.Less(t, took, uint64(info.Bytes()+decoder))
			require.LessOrEqual(t, p.Bytes(), info.Bytes())
		})
	}
}

// Another format counts pixels by another length.
func TestEncodeTurnsDensityIntoTheUnitOfTheFormat(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ from, want picture.Density }{
		{picture.Density{X: 300, Y: 150, Unit: picture.DensityInch}, picture.Density{X: 11811, Y: 5906, Unit: picture.DensityMeter}},
		{picture.Density{X: 118, Y: 118, Unit: picture.DensityCentimeter}, picture.Density{X: 11800, Y: 11800, Unit: picture.DensityMeter}},
		{picture.Density{X: 2, Y: 1, Unit: picture.DensityAspect}, picture.Density{X: 2, Y: 1, Unit: picture.DensityAspect}},
	} {
		page := decode(t, jpegOf(t, quadrants(16, 16), 90))
		page.Density = c.from
		out, err := page.Encode(t.Context(), page.Image, picture.PNG)
		require.NoError(t, err)
		require.Equal(t, c.want, decode(t, out).Density)
		if c.want.Unit == picture.DensityMeter {
			out, err = page.Encode(t.Context(), page.Image, picture.BMP)
			require.NoError(t, err)
			require.Equal(t, c.want, decode(t, out).Density)
		}
	}
}
