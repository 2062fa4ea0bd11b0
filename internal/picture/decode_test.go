package picture_test

import (
	"bytes"
	"context"
	"encoding/binary"
	"image"
	"image/color"
	"image/gif"
	"slices"
	"strings"
	"testing"

	"github.com/chai2010/webp"
	"github.com/stretchr/testify/require"

	"plait/internal/core"
	"plait/internal/picture"
)

func TestDecodeEveryFormat(t *testing.T) {
	t.Parallel()
	tolerance := map[picture.Format]int{picture.JPEG: 12, picture.WebP: 8}
	for name, file := range samples(t) {
		if name == "jpeg gray" || name == "jpeg progressive" || name == "jpeg cmyk" {
			continue // they hold another image
		}
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := decode(t, file)
			requireQuadrants(t, p.Image, tolerance[p.Format])
			require.Equal(t, strings.Fields(name)[0], string(p.Format))
			require.Equal(t, strings.HasSuffix(name, "alpha") || name == "webp lossless", p.Alpha)
			require.Equal(t, strings.HasSuffix(name, "lossless"), p.Lossless)
			decode(t, append(slices.Clone(file), "junk behind the end"...))
		})
	}
}

// The stored forms of a letter that each orientation shows upright.
var storedLetters = map[uint16][]string{
	1: {"###", "#  ", "## ", "#  ", "#  "},
	2: {"###", "  #", " ##", "  #", "  #"},
	3: {"  #", "  #", " ##", "  #", "###"},
	4: {"#  ", "#  ", "## ", "#  ", "###"},
	5: {"#####", "# #  ", "#    "},
	6: {"#    ", "# #  ", "#####"},
	7: {"    #", "  # #", "#####"},
	8: {"#####", "  # #", "    #"},
}

func drawn(rows []string) *image.Gray {
	img := image.NewGray(image.Rect(0, 0, len(rows[0]), len(rows)))
	for y, row := range rows {
		for x, c := range row {
			if c == ' ' {
				img.SetGray(x, y, color.Gray{Y: 255})
			}
		}
	}
	return img
}

func read(img *image.NRGBA) []string {
	var rows []string
	for y := range img.Rect.Dy() {
		row := ""
		for x := range img.Rect.Dx() {
			row += map[byte]string{0: "#", 255: " "}[img.NRGBAAt(x, y).R]
		}
		rows = append(rows, row)
	}
	return rows
}

func TestDecodeTurnsUpright(t *testing.T) {
	t.Parallel()
	for orientation, rows := range storedLetters {
		for _, order := range []binary.AppendByteOrder{binary.LittleEndian, binary.BigEndian} {
			file := afterIHDR(pngOf(t, drawn(rows)), pngChunk("eXIf", exif(order, orientation)))
			p := decode(t, file)
			require.Equal(t, storedLetters[1], read(p.Image), "orientation %d", orientation)
			require.EqualValues(t, orientation, p.Orientation)
			require.Equal(t, [2]int{3, 5}, [2]int{p.Width, p.Height})
		}
	}
}

func TestDecodeTurnsJPEGUpright(t *testing.T) {
	t.Parallel()
	file := jpegOf(t, quadrants(64, 32), 95)
	file = afterSOI(file, 0xe1, append([]byte("Exif\x00\x00"), exif(binary.BigEndian, 6)...))
	file = afterSOI(file, 0xe0, []byte("JFIF\x00\x01\x01\x01\x00\x48\x00\x90\x00\x00"))
	p := decode(t, file)
	require.Equal(t, [2]int{32, 64}, [2]int{p.Width, p.Height})
	require.Equal(t, picture.Density{X: 144, Y: 72, Unit: picture.DensityInch}, p.Density)
	// Turned clockwise: what was at the bottom left comes to the top left.
	requireClose(t, color.NRGBA{0, 0, 255, 255}, p.Image.NRGBAAt(8, 16), 8)
	requireClose(t, color.NRGBA{255, 0, 0, 255}, p.Image.NRGBAAt(24, 16), 8)
}

func TestDecodeReadsBrokenEXIFAsUpright(t *testing.T) {
	t.Parallel()
	whole := exif(binary.LittleEndian, 6)
	for n := range len(whole) - 6 {
		decode(t, afterIHDR(pngOf(t, drawn(storedLetters[1])), pngChunk("eXIf", whole[:n])))
	}
	p := decode(t, afterIHDR(pngOf(t, drawn(storedLetters[1])), pngChunk("eXIf", exif(binary.LittleEndian, 9))))
	require.Equal(t, 1, p.Orientation)
}

func TestDecodeFourComponents(t *testing.T) {
	t.Parallel()
	red := color.NRGBA{255, 0, 0, 255}
	for name, c := range map[string]struct {
		file flatJPEG
		want color.NRGBA
	}{
		"Adobe CMYK, inverted": {flatJPEG{adobe: []byte{0}, samples: []byte{255, 0, 0, 255}}, red},
		// The Y, Cb and Cr are those of cyan: the formula gives RGB, which is taken for CMY (libjpeg, jdcolor.c).
		"Adobe YCCK":             {flatJPEG{adobe: []byte{2}, samples: []byte{179, 171, 1, 255}}, red},
		"CMYK without a segment": {flatJPEG{samples: []byte{0, 255, 255, 0}}, red},
		"half black":             {flatJPEG{adobe: []byte{0}, samples: []byte{255, 0, 0, 128}}, color.NRGBA{128, 0, 0, 255}},
		"RGB by Adobe":           {flatJPEG{adobe: []byte{0}, samples: []byte{255, 0, 0}}, red},
		"YCbCr":                  {flatJPEG{samples: []byte{76, 85, 255}}, red},
		"progressive":            {flatJPEG{progressive: true, samples: []byte{76, 85, 255}}, red},
		"gray":                   {flatJPEG{samples: []byte{77}}, color.NRGBA{77, 77, 77, 255}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := decode(t, c.file.bytes())
			requireClose(t, c.want, p.Image.NRGBAAt(4, 4), 3)
			require.Equal(t, c.file.progressive, p.Progressive)
		})
	}
}

func TestDecodeDeepAndTransparentPNGOverWhite(t *testing.T) {
	t.Parallel()
	rect := image.Rect(0, 0, 2, 1)
	deep := image.NewNRGBA64(rect)
	deep.SetNRGBA64(1, 0, color.NRGBA64{0x1234, 0xabcd, 0x00ff, 0x80ff})
	opaque := image.NewRGBA64(rect)
	opaque.SetRGBA64(0, 0, color.RGBA64{0, 0, 0, 0xffff})
	opaque.SetRGBA64(1, 0, color.RGBA64{0x1234, 0xabcd, 0x00ff, 0xffff})
	gray := image.NewGray16(rect)
	gray.SetGray16(1, 0, color.Gray16{0x80ff})
	see := image.NewPaletted(rect, color.Palette{color.NRGBA{}, color.NRGBA{9, 8, 7, 100}})
	see.SetColorIndex(1, 0, 1)
	for name, c := range map[string]struct {
		img  image.Image
		want color.NRGBA
		kind picture.ColorKind
	}{
		"16-bit alpha":        {deep, color.NRGBA{0x88, 0xd5, 0x7f, 255}, picture.ColorRGB},
		"16-bit":              {opaque, color.NRGBA{0x12, 0xab, 0, 255}, picture.ColorRGB},
		"16-bit gray":         {gray, color.NRGBA{0x80, 0x80, 0x80, 255}, picture.ColorGray},
		"translucent palette": {see, color.NRGBA{159, 158, 158, 255}, picture.ColorPalette},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := decode(t, pngOf(t, c.img))
			require.Equal(t, c.want, p.Image.NRGBAAt(1, 0))
			require.Equal(t, c.kind, p.Color)
		})
	}
	transparent := afterIHDR(pngOf(t, image.NewGray(rect)), pngChunk("tRNS", []byte{0, 0}))
	require.Equal(t, color.NRGBA{255, 255, 255, 255}, decode(t, transparent).Image.NRGBAAt(0, 0))
}

// A frame of a GIF may cover a part of its canvas, and leave the rest transparent, which is seen over white.
func TestDecodePartOfGIFCanvas(t *testing.T) {
	t.Parallel()
	part := image.NewPaletted(image.Rect(2, 1, 4, 3), fourColors)
	var file bytes.Buffer
	require.NoError(t, gif.EncodeAll(&file, &gif.GIF{
		Image: []*image.Paletted{part}, Delay: []int{0}, Config: image.Config{Width: 6, Height: 5, ColorModel: fourColors},
	}))
	p := decode(t, file.Bytes())
	require.Equal(t, [2]int{6, 5}, [2]int{p.Width, p.Height})
	require.True(t, p.Alpha)
	require.Equal(t, color.NRGBA{255, 255, 255, 255}, p.Image.NRGBAAt(1, 1))
	require.Equal(t, color.NRGBA{255, 0, 0, 255}, p.Image.NRGBAAt(2, 1))
}

// Black is black: the lossy form keeps luma in 16..235.
func TestDecodeWebPRange(t *testing.T) {
	t.Parallel()
	for _, v := range []byte{0, 128, 255} {
		img := image.NewNRGBA(image.Rect(0, 0, 32, 32))
		for i := range img.Pix {
			img.Pix[i] = v
			if i%4 == 3 {
				img.Pix[i] = 255
			}
		}
		file, err := picture.Encode(t.Context(), img, picture.Info{Format: picture.WebP})
		require.NoError(t, err)
		requireClose(t, color.NRGBA{v, v, v, 255}, decode(t, file).Image.NRGBAAt(16, 16), 1)
	}
}

// The colors are those of libwebp, and so of every viewer, at the edges of color too.
func TestDecodeWebPAsItsLibraryDoes(t *testing.T) {
	t.Parallel()
	for _, size := range []image.Point{{33, 31}, {32, 32}, {1, 1}, {2, 7}, {3, 1}} {
		file, err := picture.Encode(t.Context(), quadrants(size.X, size.Y), picture.Info{Format: picture.WebP})
		require.NoError(t, err)
		want, err := webp.DecodeRGBA(file)
		require.NoError(t, err)
		require.Equal(t, want.Pix, decode(t, file).Image.Pix, "%v", size)
	}
}

func TestDecodeEndsWithItsContext(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	for name, file := range samples(t) {
		_, err := picture.Decode(ctx, file, picture.Limits{})
		require.ErrorIs(t, err, context.Canceled, name)
	}
	_, err := picture.Encode(ctx, quadrants(4, 4), picture.Info{Format: picture.PNG})
	require.ErrorIs(t, err, context.Canceled)
}

func TestTruncatedFilesAreInvalid(t *testing.T) {
	t.Parallel()
	for name, file := range samples(t) {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			for n := range file {
				_, err := picture.Decode(t.Context(), file[:n], picture.Limits{})
				require.Equal(t, core.CodeInvalidImage, core.CodeOf(err), "%d of %d bytes: %v", n, len(file), err)
			}
		})
	}
}

// Whatever byte is changed, the answer is an image or a reason.
func TestDamagedFilesNeverPanic(t *testing.T) {
	t.Parallel()
	small := picture.Limits{MaxPixels: 1 << 16, MaxSide: 1 << 12}
	for name, file := range samples(t) {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			for i := range file {
				for _, v := range []byte{0x00, 0xff, file[i] ^ 0x01, file[i] ^ 0x80} {
					damaged := slices.Clone(file)
					damaged[i] = v
					if _, err := picture.Decode(t.Context(), damaged, small); err != nil {
						require.Contains(t, []core.Code{core.CodeInvalidImage, core.CodeImageTooLarge}, core.CodeOf(err), "byte %d: %v", i, err)
					}
				}
			}
		})
	}
}
