package picture

import (
	"bytes"
	"compress/flate"
	"context"
	"encoding/binary"
	"hash/adler32"
	"hash/maphash"
	"image"
	"sync"
)

// bandRows is the height of a band in rows: the text of a balloon reaches over a few bands, and a band alone is not much longer than as a part
// of a whole file.
const bandRows = 32

// Written keeps what [Picture.EncodeAgain] wrote, so that another picture of the same page is written sooner. It is safe for concurrent use.
type Written struct {
	mu    sync.Mutex
	seed  maphash.Seed
	bands []band
}

// band is some rows of a PNG, filtered and compressed apart from all others.
type band struct {
	// pixels is a hash of the rows and of the one above them, on which their filters depend.
	pixels uint64
	data   []byte
	// length and sum are of the filtered rows before their compression.
	length int
	sum    uint32
}

// pngRows are the rows of a picture as a PNG of 8 bits a sample stores them.
type pngRows struct {
	width, height int
	// channels are 1 for gray, 3 for RGB and 4 for RGB with alpha.
	channels int
	// of is a row of the picture, from which store makes one of the file.
	of    func(y int) []byte
	store func(row, of []byte)
}

func rowsOfGray(img *image.Gray) pngRows {
	return pngRows{
		width: img.Rect.Dx(), height: img.Rect.Dy(), channels: 1,
		of:    func(y int) []byte { return img.Pix[y*img.Stride:][:img.Rect.Dx()] },
		store: func(row, of []byte) { copy(row, of) },
	}
}

func rowsOfColors(img *image.NRGBA) pngRows {
	rows := pngRows{
		width: img.Rect.Dx(), height: img.Rect.Dy(), channels: 4,
		of:    func(y int) []byte { return img.Pix[y*img.Stride:][:4*img.Rect.Dx()] },
		store: func(row, of []byte) { copy(row, of) },
	}
	if isOpaque(img) {
		rows.channels, rows.store = 3, withoutAlpha
	}
	return rows
}

func withoutAlpha(row, of []byte) {
	for ; len(of) >= 4; row, of = row[3:], of[4:] {
		row[0], row[1], row[2] = of[0], of[1], of[2]
	}
}

// colorType is that of the header (W3C PNG, 11.2.1).
func (r pngRows) colorType() byte { return map[int]byte{1: 0, 3: 2, 4: 6}[r.channels] }

// encode writes the rows as a PNG, in bands. Bands in which it does not differ from what was written before are taken from there; written may
// be nil, and the bytes are the same. It fails with the context's error.
func (r pngRows) encode(ctx context.Context, written *Written) ([]byte, error) {
	if written == nil {
		written = &Written{}
	}
	written.mu.Lock()
	defer written.mu.Unlock()
	w, err := newBandWriter(r, written)
	if err != nil {
		return nil, err
	}
	data := []byte{0x78, 0x9c} // a zlib stream with a window of 32 KiB
	sum := uint32(1)
	for first := 0; first < r.height; first += bandRows {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		b, err := w.band(first)
		if err != nil {
			return nil, err
		}
		data = append(data, b.data...)
		sum = joinAdler32(sum, b.sum, b.length)
	}
	data = binary.BigEndian.AppendUint32(data, sum)
	head := binary.BigEndian.AppendUint32(nil, uint32(r.width))
	head = binary.BigEndian.AppendUint32(head, uint32(r.height))
	file := appendPNGChunk([]byte(pngSignature), "IHDR", append(head, 8, r.colorType(), 0, 0, 0)) // not interlaced
	return appendPNGChunk(appendPNGChunk(file, "IDAT", data), "IEND", nil), nil
}

// bandWriter writes the bands of a picture from the top.
type bandWriter struct {
	pngRows
	written *Written
	hashed  maphash.Hash
	// rows are those of a band, behind the one above them.
	rows     []byte
	filtered *rowFilter
	deflate  *flate.Writer
}

func newBandWriter(r pngRows, written *Written) (*bandWriter, error) {
	if count := (r.height + bandRows - 1) / bandRows; len(written.bands) != count {
		written.seed, written.bands = maphash.MakeSeed(), make([]band, count)
	}
	deflate, err := flate.NewWriter(nil, flate.DefaultCompression)
	length := r.channels * r.width
	w := &bandWriter{pngRows: r, written: written, rows: make([]byte, (bandRows+1)*length), filtered: newRowFilter(length, r.channels), deflate: deflate}
	w.hashed.SetSeed(written.seed)
	return w, err
}

// band returns the band that begins with a row. It is called for each in turn.
func (w *bandWriter) band(first int) (*band, error) {
	length := w.channels * w.width
	count := min(bandRows, w.height-first)
	b := &w.written.bands[first/bandRows]
	pixels := w.hash(first, count)
	if b.data != nil && b.pixels == pixels && b.length == count*(1+length) {
		return b, nil
	}
	rows := w.rows[:(1+count)*length]
	clear(rows[:length]) // above the first row of a picture
	for y := max(first-1, 0); y < first+count; y++ {
		w.store(rows[(1+y-first)*length:][:length], w.of(y))
	}
	var data bytes.Buffer
	sum := adler32.New()
	w.deflate.Reset(&data)
	for ; len(rows) > length; rows = rows[length:] {
		line := w.filtered.row(rows[length:2*length], rows[:length])
		_, _ = sum.Write(line)
		_, _ = w.deflate.Write(line) // a bytes.Buffer takes everything
	}
	end := w.deflate.Flush
	if first+count == w.height {
		end = w.deflate.Close
	}
	err := end()
	*b = band{pixels: pixels, data: bytes.Clone(data.Bytes()), length: count * (1 + length), sum: sum.Sum32()}
	return b, err
}

// hash is one of some rows and the one above them.
func (w *bandWriter) hash(first, count int) uint64 {
	w.hashed.Reset()
	for y := max(first-1, 0); y < first+count; y++ {
		_, _ = w.hashed.Write(w.of(y))
	}
	return w.hashed.Sum64()
}

// joinAdler32 is the Adler-32 sum of two pieces one after the other, from those of the pieces and the length of the second: its lower half is 1 plus the
// sum of the bytes, and its upper half the sum of the lower halves after each byte (RFC 1950, 8.2).
func joinAdler32(first, second uint32, length int) uint32 {
	const modulus = 65521
	low := (first&0xffff + second&0xffff + modulus - 1) % modulus
	// Each of the lower halves of the second piece began at 1 instead of the first's.
	carried := uint64(length%modulus) * uint64(first&0xffff+modulus-1) % modulus
	high := (uint64(first>>16) + uint64(second>>16) + carried) % modulus
	return uint32(high)<<16 | low
}
