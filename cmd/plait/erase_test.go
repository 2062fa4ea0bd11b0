package main

import (
	"encoding/json"
	"image"
	"image/color"
	"image/draw"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"plait/internal/comic/batch"
	"plait/internal/core"
	"plait/internal/picture"
)

// decodeFile reads an image and says of what format it is.
func decodeFile(t *testing.T, path string) (image.Image, string) {
	t.Helper()
	f, err := os.Open(path)
	require.NoError(t, err)
	defer f.Close()
	img, format, err := image.Decode(f)
	require.NoError(t, err)
	return img, format
}

func TestEraseLeavesNothingToRead(t *testing.T) {
	t.Parallel()
	in := newUnwatched(t)
	clean, masks := filepath.Join(in.dir, "clean"), filepath.Join(in.dir, "masks")
	f := in.plait("erase", smallBook(t), "--from", "ja", "-o", clean, "--masks", masks)
	require.Zero(t, f.status, f.stderr)
	require.Empty(t, f.stderr)
	require.Equal(t, "01.png: 1 region erased → "+filepath.Join(clean, "01.png")+"\n"+
		"02.png: 1 region erased → "+filepath.Join(clean, "02.png")+"\n"+
		"03.png: 0 regions erased → "+filepath.Join(clean, "03.png")+"\n", f.stdout)

	for _, page := range readLines(t, in.plait("read", clean, "--json").stdout) {
		require.Nil(t, page.Error)
		require.Empty(t, page.Regions, page.Page)
	}
	for _, name := range []string{"01.png", "02.png", "03.png"} {
		requireErasedInMask(t, example("small", name), filepath.Join(clean, name), filepath.Join(masks, name), name != "03.png")
	}
	want, err := os.ReadFile(example("small", "03.png"))
	require.NoError(t, err)
	got, err := os.ReadFile(filepath.Join(clean, "03.png"))
	require.NoError(t, err)
	require.Equal(t, want, got, "a page without text stays as it is, byte for byte")
}

// requireErasedInMask demands that the page changed where its gray mask is white alone, and that the mask is not black where
// there is text.
func requireErasedInMask(t *testing.T, page, erased, mask string, text bool) {
	t.Helper()
	before, _ := decodeFile(t, page)
	after, _ := decodeFile(t, erased)
	removed, format := decodeFile(t, mask)
	require.Equal(t, "png", format)
	require.Equal(t, []image.Rectangle{before.Bounds(), before.Bounds()}, []image.Rectangle{after.Bounds(), removed.Bounds()})
	gray, ok := removed.(*image.Gray)
	require.True(t, ok, "%T", removed)
	white := 0
	for i, v := range gray.Pix {
		x, y := i%gray.Stride, i/gray.Stride
		if v == 255 {
			white++
			continue
		}
		require.Zero(t, v)
		if color.NRGBAModel.Convert(before.At(x, y)) != color.NRGBAModel.Convert(after.At(x, y)) {
			require.Fail(t, "changed outside the mask", "%s: pixel %d,%d", page, x, y)
		}
	}
	require.Equal(t, text, white > 0, page)
}

func TestEraseWritesPNGWhereAsked(t *testing.T) {
	t.Parallel()
	in := newUnwatched(t)
	pages := filepath.Join(in.dir, "pages")
	jpegOf(t, example("small", "01.png"), filepath.Join(pages, "b", "01.jpg"))
	jpegOf(t, example("small", "03.png"), filepath.Join(pages, "b", "03.jpg"))

	f := in.plait("erase", pages, "-o", filepath.Join(in.dir, "png"), "--format", "png")
	require.Zero(t, f.status, f.stderr)
	for _, name := range []string{"01.png", "03.png"} {
		_, format := decodeFile(t, filepath.Join(in.dir, "png", "b", name))
		require.Equal(t, "png", format)
	}
	f = in.plait("erase", pages, "-o", filepath.Join(in.dir, "same"), "--format", "same")
	require.Zero(t, f.status, f.stderr)
	_, format := decodeFile(t, filepath.Join(in.dir, "same", "b", "01.jpg"))
	require.Equal(t, "jpeg", format)

	// A page is never written over.
	f = in.plait("erase", pages, "-o", pages)
	require.Equal(t, exitUsage, f.status)
	require.Contains(t, f.stderr, "choose another folder for -o")
	f = in.plait("erase", filepath.Join(in.dir, "png"), "-o", filepath.Join(in.dir, "out"), "--masks", filepath.Join(in.dir, "png"))
	require.Equal(t, exitUsage, f.status)
	require.Contains(t, f.stderr, "choose another folder for --masks")
}

func TestEraseGoesOnAfterAPageThatFails(t *testing.T) {
	t.Parallel()
	in := newUnwatched(t)
	bad := filepath.Join(in.dir, "bad.png")
	require.NoError(t, os.WriteFile(bad, []byte("no image"), 0o600))
	out := filepath.Join(in.dir, "out")

	some := in.plait("erase", bad, example("small", "03.png"), "-o", out)
	require.Equal(t, exitPartial, some.status, some.stderr)
	require.Contains(t, some.stderr, "plait: bad.png: ")
	require.Contains(t, some.stderr, "1 of 2 pages could not be erased")
	require.FileExists(t, filepath.Join(out, "03.png"))
	require.NoFileExists(t, filepath.Join(out, "bad.png"))

	all := in.plait("erase", bad, "-o", out)
	require.Equal(t, exitFailed, all.status)
	require.Empty(t, all.stdout)
}

// eraseLine is a line of `plait erase --json`: a page or a failure.
type eraseLine struct {
	batch.Record
	Error *pageError `json:"error"`
}

func TestEraseTellsWhatItChanged(t *testing.T) {
	t.Parallel()
	in := newUnwatched(t)
	bad := filepath.Join(in.dir, "bad.png")
	require.NoError(t, os.WriteFile(bad, []byte("no image"), 0o600))
	out, masks := filepath.Join(in.dir, "out"), filepath.Join(in.dir, "masks")
	f := in.plait("erase", example("small", "01.png"), bad, example("small", "03.png"), "-o", out, "--masks", masks, "--json")
	require.Equal(t, exitPartial, f.status, f.stderr)

	var lines []eraseLine
	for text := range strings.Lines(f.stdout) {
		var l eraseLine
		require.NoError(t, json.Unmarshal([]byte(text), &l), text)
		lines = append(lines, l)
	}
	require.Len(t, lines, 3)
	with, failed, without := lines[0], lines[1], lines[2]
	require.Nil(t, with.Error)
	require.Equal(t, filepath.Join(out, "01.png"), with.File)
	require.Len(t, with.Regions, 1)
	require.Equal(t, changedOnDisk(t, example("small", "01.png"), with.File), *with.ChangedPixels)
	for _, part := range []string{"decode", "detect", "ocr", "erase", "encode", "total"} {
		require.Contains(t, with.Elapsed, part)
	}
	require.Equal(t, "bad.png", failed.Page)
	require.Equal(t, core.CodeInvalidImage, failed.Error.Code)
	require.Zero(t, *without.ChangedPixels)
	require.NotNil(t, without.Regions)
	require.Empty(t, without.Regions)
}

func changedOnDisk(t *testing.T, a, b string) int {
	t.Helper()
	before, _ := decodeFile(t, a)
	after, _ := decodeFile(t, b)
	require.Equal(t, before.Bounds(), after.Bounds())
	n := 0
	for y := range before.Bounds().Dy() {
		for x := range before.Bounds().Dx() {
			if color.NRGBAModel.Convert(before.At(x, y)) != color.NRGBAModel.Convert(after.At(x, y)) {
				n++
			}
		}
	}
	return n
}

func TestErasedPNGKeepsDensity(t *testing.T) {
	t.Parallel()
	in := newUnwatched(t)
	img, _ := decodeFile(t, example("small", "01.png"))
	page := image.NewNRGBA(img.Bounds())
	draw.Draw(page, page.Rect, img, page.Rect.Min, draw.Src)
	density := picture.Density{X: 300, Y: 300, Unit: picture.DensityInch}
	b, err := picture.Encode(t.Context(), page, picture.Info{Format: picture.JPEG, Density: density})
	require.NoError(t, err)
	scan := filepath.Join(in.dir, "scan.jpg")
	require.NoError(t, os.WriteFile(scan, b, 0o600))

	out := filepath.Join(in.dir, "out")
	f := in.plait("erase", scan, "-o", out, "--format", "png")
	require.Zero(t, f.status, f.stderr)
	b, err = os.ReadFile(filepath.Join(out, "scan.png"))
	require.NoError(t, err)
	info, err := picture.Probe(b, picture.Limits{MaxPixels: 1e7, MaxSide: 1e4, MaxBytes: 1e8})
	require.NoError(t, err)
	require.Equal(t, picture.PNG, info.Format)
	// PNG counts pixels a meter.
	require.Equal(t, picture.DensityMeter, info.Density.Unit)
	require.InDelta(t, 11811, float64(info.Density.X), 1)
}

func TestEraseSaysHowItIsUsed(t *testing.T) {
	t.Parallel()
	in := newUnwatched(t)
	for says, args := range map[string][]string{
		"name images, folders or CBZ files to erase":  {"erase"},
		"--out is missing":                            {"erase", "x.png"},
		`--format: "jpeg" is none of same, png`:       {"erase", "x.png", "-o", "out", "--format", "jpeg"},
		"-o and --masks are one folder":               {"erase", "x.png", "-o", "out", "--masks", "./out"},
		`source language "klingon" is not known`:      {"erase", "x.png", "-o", "out", "--from", "klingon"},
		"name images, folders or CBZ files to letter": {"letter"},
		"--script is missing":                         {"letter", "x.png"},
		"--to is missing":                             {"letter", "x.png", "--script", "x.csv"},
	} {
		f := in.plait(args...)
		require.Equal(t, exitUsage, f.status, f.stderr)
		require.Contains(t, f.stderr, says)
	}
}
