package enginetest

import (
	"bytes"
	"context"
	"encoding/binary"
	"hash/crc32"
	"image"
	"image/png"
	"strings"

	"plait/internal/core"
	"plait/internal/picture"
)

// textChunk is the PNG chunk that holds the text: ancillary, private and safe to copy, by the case of its letters.
const textChunk = "plTx"

// endOfHeader is where the IHDR chunk of a PNG ends.
const endOfHeader = 8 + 4 + 4 + 13 + 4

// Picture is a page as a real image: a PNG of 8x8 pixels that carries these lines.
func Picture(lines ...string) ([]byte, error) {
	var blank bytes.Buffer
	if err := png.Encode(&blank, image.NewGray(image.Rect(0, 0, 8, 8))); err != nil {
		return nil, err
	}
	return WithText(blank.Bytes(), strings.Join(lines, "\n")), nil
}

// WithText is the PNG with a text in a chunk of its own.
func WithText(png []byte, text string) []byte {
	body := append([]byte(textChunk), text...)
	chunk := binary.BigEndian.AppendUint32(nil, uint32(len(text)))
	chunk = append(chunk, body...)
	chunk = binary.BigEndian.AppendUint32(chunk, crc32.ChecksumIEEE(body))
	return bytes.Join([][]byte{png[:endOfHeader], chunk, png[endOfHeader:]}, nil)
}

// TextOf is the text of a PNG that WithText made, and empty of any other.
func TextOf(png []byte) string {
	at := bytes.Index(png, []byte(textChunk))
	if at < 4 {
		return ""
	}
	n := int(binary.BigEndian.Uint32(png[at-4:]))
	from := at + len(textChunk)
	return string(png[from:min(from+n, len(png))])
}

// Pictures is the engine of pages that [Picture] made. Its zero value is ready.
type Pictures struct{ Engine }

// Decode refuses what is no image.
func (e *Pictures) Decode(ctx context.Context, image []byte) (*Decoded, error) {
	if _, err := picture.Probe(image, picture.DefaultLimits()); err != nil {
		return nil, err
	}
	var lines []string
	if text := TextOf(image); text != "" {
		lines = strings.Split(text, "\n")
	}
	return e.Engine.Decode(ctx, Page(lines...))
}

// Letter makes a picture of each line with its translation.
func (e *Pictures) Letter(ctx context.Context, p *Context, translations []core.Translation) (*Lettered, error) {
	page, err := e.Engine.Letter(ctx, p, translations)
	if err == nil {
		page.result, err = Picture(string(page.result))
	}
	return page, err
}
