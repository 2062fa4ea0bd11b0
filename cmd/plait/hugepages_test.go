package main

import (
	"bytes"
	"compress/zlib"
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"image"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"plait/internal/llmtest"
)

// A page of hugePages takes 0.8 GB alone, which is more than the budget. Without one, a worker with four slots takes several at a time.
const (
	hugeBudget = "512MiB"
	hugePeak   = 1300 // MiB
)

// A worker keeps within the memory that its setting gives to pages, and what it needs beside them, however many of the largest pages that
// are allowed come at a time. Pages with text stay in memory until they are lettered.
func TestTheLargestPagesKeepWithinMemory(t *testing.T) {
	t.Parallel()
	in := newUnwatched(t, append(usingModel(llmtest.New(t)), "PLAIT_WORKER_PAGE_MEMORY="+hugeBudget, "PLAIT_WORKER_DEVICE_SLOTS=4")...)
	pages := filepath.Join(in.dir, "pages")
	hugePages(t, pages, 1, 5)
	in.up()
	f := in.plait("translate", pages, "--from", "ja", "--to", "en", "-o", filepath.Join(in.dir, "out"))
	require.Zero(t, f.status, "%s%s", f.stdout, f.stderr)
	require.Contains(t, f.stdout, "6 of 6 pages")
	peak := in.memory("VmHWM:")["worker of all roles"]
	t.Logf("the worker took %d MiB at most", peak)
	require.Positive(t, peak)
	require.Less(t, peak, hugePeak)
}

// The largest page, in pixels.
const hugeWidth, hugeHeight = 7000, 7140

// hugePages writes PNG files of half a megabyte, of 16 bits for each of four channels: white ones, and ones with the first page of the
// small example in a corner. They differ in a comment.
func hugePages(t *testing.T, dir string, texts, blanks int) {
	t.Helper()
	require.NoError(t, os.Mkdir(dir, 0o700))
	blank, text := hugePixels(t, image.Rectangle{}), hugePixels(t, smallPage(t))
	for i := range texts + blanks {
		pixels := text
		if i >= texts {
			pixels = blank
		}
		header := binary.BigEndian.AppendUint32(binary.BigEndian.AppendUint32(nil, hugeWidth), hugeHeight)
		page := []byte("\x89PNG\r\n\x1a\n")
		page = appendChunk(page, "IHDR", append(header, 16, 6, 0, 0, 0))
		page = appendChunk(page, "tEXt", fmt.Appendf(nil, "Title\x00page %d", i))
		page = appendChunk(page, "IDAT", pixels)
		page = appendChunk(page, "IEND", nil)
		require.NoError(t, os.WriteFile(filepath.Join(dir, fmt.Sprintf("%02d.png", i)), page, 0o600))
	}
}

// hugePixels are the compressed pixels of a white page with a picture in its corner.
func hugePixels(t *testing.T, corner image.Image) []byte {
	t.Helper()
	var pixels bytes.Buffer
	z, err := zlib.NewWriterLevel(&pixels, zlib.BestSpeed)
	require.NoError(t, err)
	row := make([]byte, 1+8*hugeWidth)
	for y := range hugeHeight {
		for i := range row[1:] {
			row[1+i] = 0xff
		}
		for x := 0; x < corner.Bounds().Max.X && y < corner.Bounds().Max.Y; x++ {
			r, g, b, a := corner.At(x, y).RGBA()
			for i, v := range []uint32{r, g, b, a} {
				binary.BigEndian.PutUint16(row[1+8*x+2*i:], uint16(v))
			}
		}
		_, err := z.Write(row)
		require.NoError(t, err)
	}
	require.NoError(t, z.Close())
	return pixels.Bytes()
}

func smallPage(t *testing.T) image.Image {
	t.Helper()
	f, err := os.Open(example("small", "01.png"))
	require.NoError(t, err)
	defer f.Close()
	page, _, err := image.Decode(f)
	require.NoError(t, err)
	return page
}

func appendChunk(file []byte, kind string, content []byte) []byte {
	file = binary.BigEndian.AppendUint32(file, uint32(len(content)))
	body := append([]byte(kind), content...)
	return binary.BigEndian.AppendUint32(append(file, body...), crc32.ChecksumIEEE(body))
}
