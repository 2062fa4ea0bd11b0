package picture

import (
	"bytes"
	"context"
	"errors"
	"image"
	"image/gif"
	"image/jpeg"
	"image/png"
	"io"

	"golang.org/x/image/bmp"
	"golang.org/x/image/webp"

	"plait/internal/core"
)

// Decode probes and decodes an image, in no more memory than [Info.Bytes]. The result keeps the samples of a JPEG, and a second
// image with alpha if the file is not opaque, for [Picture.Encode].
//
// It fails as [Probe] does, and with the context's error when ctx ends first.
func Decode(ctx context.Context, b []byte, l Limits) (*Picture, error) {
	info, err := Probe(b, l)
	if err != nil {
		return nil, err
	}
	if deep := info.source.deep; deep != nil {
		img, err := deep.decode(ctx, info)
		if err != nil {
			return nil, decodeFailure(ctx, info.Format, err)
		}
		return newPicture(info, img), nil
	}
	src, err := decodeStored(ctx, b, info)
	if err != nil {
		return nil, err
	}
	img, err := toUpright(ctx, src, info)
	if err != nil {
		return nil, err
	}
	p := newPicture(info, img)
	if samples, ok := src.(*image.YCbCr); ok && info.Format == JPEG && info.Orientation == 1 {
		p.samples = samples
	}
	return p, nil
}

func newPicture(info Info, upright *image.NRGBA) *Picture {
	p := &Picture{Info: info, Image: onWhite(upright)}
	if p.Image != upright {
		p.translucent = upright
	}
	return p
}

// decodeStored returns the image as it is stored. A panic of a decoder becomes an error of the file.
func decodeStored(ctx context.Context, b []byte, info Info) (src image.Image, err error) {
	defer func() {
		if fault := recover(); fault != nil {
			err = invalid("the %s is damaged: its decoder gave up", info.Format)
		}
	}()
	r := func(b []byte) io.Reader { return &contextReader{ctx: ctx, r: bytes.NewReader(b)} }
	switch info.Format {
	case JPEG:
		if info.source.jpegNoAdobe {
			src, err = decodePlainCMYK(r, b)
		} else {
			src, err = jpeg.Decode(r(b))
		}
	case PNG:
		src, err = png.Decode(r(b))
	case GIF:
		src, err = gif.Decode(r(b))
	case BMP:
		src, err = bmp.Decode(r(b))
	case WebP:
		src, err = webp.Decode(r(plainWebP(info)))
	}
	if err != nil || ctx.Err() != nil {
		return nil, decodeFailure(ctx, info.Format, err)
	}
	width, height := src.Bounds().Dx(), src.Bounds().Dy()
	if info.Orientation >= 5 {
		width, height = height, width
	}
	if info.Format != GIF && (width != info.Width || height != info.Height) {
		return nil, invalid("the %s is damaged: its header and its image differ in size", info.Format)
	}
	return src, nil
}

// decodeFailure is the error of ctx if it ended, or else the reason why the pixels cannot be read.
func decodeFailure(ctx context.Context, format Format, err error) error {
	if ctx.Err() != nil {
		return ctx.Err()
	}
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		return core.Wrap(core.CodeInvalidImage, err, "the "+string(format)+" is truncated in its pixels")
	}
	return invalid("the %s cannot be decoded: %w", format, err)
}

// decodePlainCMYK reads four components without an Adobe segment: CMYK that is not inverted. The decoder supports only the inverted form,
// so this function inserts the missing segment and inverts the result.
func decodePlainCMYK(reader func([]byte) io.Reader, b []byte) (image.Image, error) {
	head := appendJPEGSegment(b[:2:2], markerAPP14, []byte("Adobe\x00\x64\x00\x00\x00\x00\x00"))
	src, err := jpeg.Decode(io.MultiReader(reader(head), reader(b[2:])))
	if err != nil {
		return nil, err
	}
	if cmyk, ok := src.(*image.CMYK); ok {
		for i, v := range cmyk.Pix {
			cmyk.Pix[i] = 255 - v
		}
	}
	return src, nil
}

// plainWebP keeps only the chunks with pixels, so that no fault in the others makes the decoder fail.
func plainWebP(info Info) []byte {
	width, height := info.Width, info.Height
	if info.Orientation >= 5 {
		width, height = height, width
	}
	switch parts := info.source; {
	case info.Lossless:
		return webpFile(appendRIFFChunk(nil, "VP8L", parts.webpFrame))
	case parts.webpAlpha != nil:
		chunks := webpHeader(webpAlpha, width, height)
		chunks = appendRIFFChunk(chunks, "ALPH", parts.webpAlpha)
		return webpFile(appendRIFFChunk(chunks, "VP8 ", parts.webpFrame))
	default:
		return webpFile(appendRIFFChunk(nil, "VP8 ", parts.webpFrame))
	}
}

// contextReader stops reading when its context ends: the decoders take no context, but all of them read as they go.
type contextReader struct {
	ctx context.Context
	r   *bytes.Reader
}

func (c *contextReader) Read(b []byte) (int, error) {
	if err := c.ctx.Err(); err != nil {
		return 0, err
	}
	return c.r.Read(b)
}
