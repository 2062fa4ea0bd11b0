package picture_test

import (
	"bytes"
	"compress/zlib"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"image"
	"image/gif"
	"testing"

	"github.com/stretchr/testify/require"

	"plait/internal/core"
	"plait/internal/memory/memorytest"
	"plait/internal/picture"
)

func TestProbeRefusesByName(t *testing.T) {
	t.Parallel()
	var animated bytes.Buffer
	frame := paletted(quadrants(4, 4), fourColors)
	require.NoError(t, gif.EncodeAll(&animated, &gif.GIF{Image: []*image.Paletted{frame, frame}, Delay: []int{1, 1}}))
	files := samples(t)
	damagedCRC := bytes.Clone(files["png"])
	damagedCRC[len(damagedCRC)-20] ^= 1
	for name, c := range map[string]struct {
		file  []byte
		words string
	}{
		"empty":           {nil, "empty"},
		"text":            {[]byte("<!doctype html><title>Not found</title>"), "not an image"},
		"zip":             {[]byte("PK\x03\x04 and more"), "not an image"},
		"rar":             {[]byte("Rar!\x1a\x07\x00"), "not an image"},
		"pdf":             {[]byte("%PDF-1.7"), "PDF is not read"},
		"avif":            {[]byte("\x00\x00\x00\x1cftypavif\x00\x00\x00\x00mif1"), "AVIF is not read"},
		"heic":            {[]byte("\x00\x00\x00\x1cftypheic\x00\x00\x00\x00mif1"), "HEIC is not read"},
		"jpeg xl":         {[]byte("\xff\x0a rest"), "JPEG XL is not read"},
		"tiff":            {[]byte("II*\x00\x08\x00\x00\x00"), "TIFF is not read"},
		"animated gif":    {animated.Bytes(), "animated"},
		"animated png":    {afterIHDR(files["png"], pngChunk("acTL", []byte{0, 0, 0, 2, 0, 0, 0, 0})), "animated"},
		"png checksum":    {damagedCRC, "checksum"},
		"png depth":       {append(pngHeader(1, 1, 3, 2), pngChunk("IEND", nil)...), "unknown kind"},
		"png zero":        {append(pngHeader(0, 1, 8, 2), pngChunk("IEND", nil)...), "0 x 1"},
		"jpeg arithmetic": {bytes.Replace(files["jpeg"], []byte{0xff, 0xc0}, []byte{0xff, 0xc9}, 1), "SOF9"},
		"jpeg two frames": {append(files["jpeg"][:len(files["jpeg"])-2:len(files["jpeg"])-2], flatJPEG{samples: []byte{0}}.bytes()[2:]...), "two frames"},
		"jpeg no end":     {files["jpeg"][:len(files["jpeg"])-2], "end marker"},
		"jpeg scans":      {flatJPEG{samples: []byte{1}, scans: 60}.bytes(), "50 scans"},
		"bmp compressed":  {func() []byte { b := bytes.Clone(files["bmp"]); b[30] = 1; return b }(), "compressed"},
		"bmp channels":    {func() []byte { b := bytes.Clone(files["bmp"]); b[30] = 3; return b }(), "orders its channels"},
		"bmp depth":       {func() []byte { b := bytes.Clone(files["bmp"]); b[28] = 7; return b }(), "7 bits"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			_, err := picture.Probe(c.file, picture.Limits{})
			requireCode(t, core.CodeInvalidImage, err, c.words)
		})
	}
	_, err := picture.Probe(files["png"], picture.Limits{MaxBytes: 10})
	requireCode(t, core.CodeTooLarge, err, "10 are allowed")
	_, err = picture.Probe(files["png"], picture.Limits{MaxPixels: 255})
	requireCode(t, core.CodeImageTooLarge, err, "16 x 16")
	_, err = picture.Probe(files["png"], picture.Limits{MaxPixels: 256, MaxSide: 16})
	require.NoError(t, err)
	_, err = picture.Probe(files["png"], picture.Limits{MaxSide: 15})
	requireCode(t, core.CodeImageTooLarge, err, "16 x 16")
}

// hugeFiles are small files that declare many pixels.
func hugeFiles(t *testing.T, width, height int) map[string][]byte {
	t.Helper()
	files := map[string][]byte{
		"jpeg":             flatJPEG{samples: []byte{1, 2, 3}, width: width, height: height}.bytes(),
		"jpeg progressive": flatJPEG{samples: []byte{1, 2, 3}, width: width, height: height, progressive: true}.bytes(),
	}
	var packed bytes.Buffer
	z := zlib.NewWriter(&packed)
	_, err := z.Write(make([]byte, 1<<20))
	require.NoError(t, err)
	require.NoError(t, z.Close())
	files["png"] = append(append(pngHeader(uint32(width), uint32(height), 16, 6), pngChunk("IDAT", packed.Bytes())...), pngChunk("IEND", nil)...)
	b := bytes.Clone(samples(t)["bmp"])
	binary.LittleEndian.PutUint32(b[18:], uint32(width))
	binary.LittleEndian.PutUint32(b[22:], uint32(height))
	files["bmp"] = b
	return files
}

// Not parallel: it counts what is allocated.
func TestBombsCostNothing(t *testing.T) {
	for _, c := range []struct {
		width, height int
		code          core.Code
	}{
		{40_000, 40_000, core.CodeImageTooLarge},
		{65_535, 65_535, core.CodeImageTooLarge},
		{8_000, 6_000, core.CodeInvalidImage}, // allowed, but the bytes for it are missing
	} {
		for name, file := range hugeFiles(t, c.width, c.height) {
			require.Less(t, len(file), 20_000)
			cost := memorytest.Allocated(func() {
				_, err := picture.Decode(t.Context(), file, picture.Limits{})
				require.Equal(t, c.code, core.CodeOf(err), "%s: %v", name, err)
			})
			require.Less(t, cost, uint64(1<<20), "%s of %dx%d", name, c.width, c.height)
		}
	}
	// The signed sizes of a BMP at the ends of their range.
	for _, size := range [][2]uint32{{0x7fffffff, 0x7fffffff}, {0x80000000, 1}, {1, 0x80000000}, {0xffffffff, 0xffffffff}} {
		b := bytes.Clone(samples(t)["bmp"])
		binary.LittleEndian.PutUint32(b[18:], size[0])
		binary.LittleEndian.PutUint32(b[22:], size[1])
		_, err := picture.Decode(t.Context(), b, picture.Limits{})
		require.Error(t, err)
		require.NotEqual(t, core.CodeInternal, core.CodeOf(err))
	}
}

// Not parallel: it counts what is allocated.
func TestProfileBombsCostLittle(t *testing.T) {
	var packed bytes.Buffer
	z := zlib.NewWriter(&packed)
	_, err := z.Write(make([]byte, 8<<20))
	require.NoError(t, err)
	require.NoError(t, z.Close())
	chunk := pngChunk("iCCP", append([]byte("bomb\x00\x00"), packed.Bytes()...))
	file := afterIHDR(pngOf(t, quadrants(4, 4)), bytes.Repeat(chunk, 50))
	cost := memorytest.Allocated(func() {
		info, err := picture.Probe(file, picture.Limits{})
		require.NoError(t, err)
		require.Empty(t, info.ICC)
	})
	require.Less(t, cost, uint64(32<<20))
}

func TestProbeEstimatesQuality(t *testing.T) {
	t.Parallel()
	img := quadrants(16, 16)
	for quality := 1; quality <= 100; quality++ {
		info, err := picture.Probe(jpegOf(t, img, quality), picture.Limits{})
		require.NoError(t, err)
		require.Equal(t, quality, info.Quality)
		require.Equal(t, picture.Subsampling("4:2:0"), info.Subsampling)
	}
}

func TestInfoIsJSON(t *testing.T) {
	t.Parallel()
	for name, file := range samples(t) {
		p := decode(t, file)
		b, err := json.Marshal(p.Info)
		require.NoError(t, err)
		var info picture.Info
		require.NoError(t, json.Unmarshal(b, &info))
		want, err := picture.Encode(t.Context(), p.Image, p.Info)
		require.NoError(t, err)
		got, err := picture.Encode(t.Context(), p.Image, info)
		require.NoError(t, err)
		require.Equal(t, want, got, "%s: %s", name, b)
	}
}

func ExampleProbe() {
	file := flatJPEG{samples: []byte{76, 85, 255}}.bytes()
	info, err := picture.Probe(file, picture.DefaultLimits())
	fmt.Println(info.Format, info.Width, info.Height, info.Color, err)

	_, err = picture.Probe(file[:len(file)-2], picture.DefaultLimits())
	fmt.Println(core.PublicMessage(err))
	// Output:
	// jpeg 8 8 rgb <nil>
	// the JPEG is truncated: its end marker is missing
}
