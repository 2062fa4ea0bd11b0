package picture

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"image"
	"image/gif"
	"image/png"

	"github.com/chai2010/webp"
	"golang.org/x/image/bmp"

	"plait/internal/core"
	"plait/internal/picture/jpegenc"
)

// Encode writes img, which has the size of p, in a format and otherwise as a file like p's. Pixels equal to those of p's image are written
// from the data of p's file: the samples of a JPEG before conversion to RGB, the 16 bits a channel of a PNG, and alpha. If p's file has
// alpha, other pixels get it, too, and look the same over white: new letters on transparent paper have transparent paper between them.
// Otherwise it works like [Encode].
func (p *Picture) Encode(ctx context.Context, img *image.NRGBA, format Format) ([]byte, error) {
	return p.EncodeAgain(ctx, img, format, nil)
}

// EncodeAgain is Encode for one of several pictures that differ in places. Written keeps what it wrote for the next one, and is nil where there
// is none; the bytes are the same.
func (p *Picture) EncodeAgain(ctx context.Context, img *image.NRGBA, format Format, written *Written) ([]byte, error) {
	like := p.Info
	like.source.written = written
	like.Format = format
	like.source.page = p
	if p.translucent != nil && format.storesAlpha() && img != nil && img.Rect == p.Image.Rect {
		img = p.seeThrough(img, format)
	}
	return Encode(ctx, img, like)
}

// Encode writes img as a file in the format of like, with its profile, density, quality, palette or gray if the pixels allow it. img may
// have any size that the format supports. The same input gives the same bytes.
//
// It fails with the context's error (the WebP encoder checks it only before and after its work), and with CodeInternal if img is empty or
// the format is unknown.
func Encode(ctx context.Context, img *image.NRGBA, like Info) ([]byte, error) {
	if img == nil || img.Rect.Empty() {
		return nil, core.NewError(core.CodeInternal, "there are no pixels to encode")
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	w := &contextWriter{ctx: ctx}
	b, err := encodeAs(w, img, like)
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	if err != nil {
		return nil, core.Wrap(core.CodeInternal, err, fmt.Sprintf("the result cannot be written as %s", like.Format))
	}
	return b, nil
}

func encodeAs(w *contextWriter, img *image.NRGBA, like Info) ([]byte, error) {
	switch like.Format {
	case JPEG:
		return encodeJPEG(w.ctx, img, like)
	case PNG:
		return encodePNG(w, img, like)
	case WebP:
		return encodeWebP(img, like)
	case GIF:
		reduced := toPalette(img, like.Palette, true)
		err := gif.Encode(w, reduced, &gif.Options{NumColors: len(reduced.Palette)})
		return w.buf.Bytes(), err
	case BMP:
		return encodeBMP(w, img, like)
	default:
		return nil, errors.New("the format is unknown")
	}
}

func encodeJPEG(ctx context.Context, img *image.NRGBA, like Info) ([]byte, error) {
	img = onWhite(img)
	gray := like.Color == ColorGray && isGray(img)
	space := profileRGB
	if gray {
		space = profileGray
	}
	params := jpegParams(like, gray)
	if page := like.source.page; page != nil && page.samples != nil && page.samples.Bounds() == img.Rect {
		params.Known = &jpegenc.Known{Pixels: page.Image, Samples: page.samples}
	}
	return jpegenc.Append(ctx, jpegHeader(like.Density, profileFor(like, space)), img, params)
}

// webpQuality is the quality of lossy WebP, of 100: the format does not store the quality of the source. It is high because ringing shows
// on lettering first.
const webpQuality = 90

func encodeWebP(img *image.NRGBA, like Info) (b []byte, err error) {
	// libwebp wants R, G, B, A that are not premultiplied: the layout of NRGBA. The package asks for an RGBA by name only.
	if like.Lossless {
		b, err = webp.EncodeExactLosslessRGBA(asRGBA(img))
	} else {
		b, err = webp.EncodeRGBA(asRGBA(img), webpQuality)
	}
	profile := profileFor(like, profileRGB)
	if err != nil || profile == nil {
		return b, err
	}
	return attachWebPProfile(b, profile, img)
}

// attachWebPProfile inserts the profile at its place in the container: after an extended header, before the image.
func attachWebPProfile(b, profile []byte, img *image.NRGBA) ([]byte, error) {
	if len(b) < 30 {
		return nil, errors.New("webp: the encoder wrote too little")
	}
	chunks := b[12:]
	features := byte(webpProfile)
	if string(chunks[:4]) == "VP8X" {
		features |= chunks[8]
		chunks = chunks[18:]
	} else if string(chunks[:4]) == "VP8L" && chunks[12]>>4&1 != 0 {
		features |= webpAlpha
	}
	head := webpHeader(features, img.Rect.Dx(), img.Rect.Dy())
	return webpFile(append(appendRIFFChunk(head, "ICCP", profile), chunks...)), nil
}

func encodeBMP(w *contextWriter, img *image.NRGBA, like Info) ([]byte, error) {
	img = onWhite(img)
	var src image.Image = asRGBA(img)
	if reduced := toPalette(img, like.Palette, false); like.Color == ColorPalette && reduced != nil {
		src = reduced
	}
	if err := bmp.Encode(w, src); err != nil {
		return nil, err
	}
	b := w.buf.Bytes()
	if d, ok := like.Density.perMeter(); ok {
		binary.LittleEndian.PutUint32(b[38:], d.X)
		binary.LittleEndian.PutUint32(b[42:], d.Y)
	}
	return b, nil
}

func encodePNG(w *contextWriter, img *image.NRGBA, like Info) ([]byte, error) {
	space := profileRGB
	gray := like.Color == ColorGray && isOpaque(img) && isGray(img)
	if gray {
		space = profileGray
	}
	var file []byte
	var err error
	deep := like.deepFor(img)
	switch reduced := reducePNG(img, like); {
	case reduced != nil:
		space = profileRGB
		file, err = encodeByLibrary(w, reduced)
	case deep != nil:
		rows, failed := deep.deepen(w.ctx, img, gray)
		if failed != nil {
			return nil, failed
		}
		file, err = encodeByLibrary(w, rows)
	case gray:
		file, err = rowsOfGray(toGray(img)).encode(w.ctx, like.source.written)
	default:
		file, err = rowsOfColors(img).encode(w.ctx, like.source.written)
	}
	if err != nil {
		return nil, err
	}
	return withPNGChunks(file, like, profileFor(like, space)), nil
}

// encodeByLibrary writes what has a palette, or 16 bits a sample.
func encodeByLibrary(w *contextWriter, img image.Image) ([]byte, error) {
	err := (&png.Encoder{}).Encode(w, img)
	return w.buf.Bytes(), err
}

// deepFor returns the rows of the file that img was made from, if that is an upright, non-interlaced PNG of 16 bits a channel.
func (i Info) deepFor(img *image.NRGBA) *deepPNG {
	if i.source.page == nil || i.Orientation != 1 {
		return nil
	}
	deep := i.source.page.source.deep
	if deep == nil || deep.interlaced || img.Rect != i.source.page.Image.Rect {
		return nil
	}
	return deep
}

// reducePNG returns the image with a palette if the source had one or had gray of few bits, and the colors fit. Gray with a profile stays
// gray, because a palette is a kind of RGB.
func reducePNG(img *image.NRGBA, like Info) *image.Paletted {
	fewGrays := like.Color == ColorGray && like.Depth < 8 && len(like.ICC) == 0
	if like.Color != ColorPalette && !fewGrays {
		return nil
	}
	reduced := toPalette(img, like.Palette, false)
	if reduced != nil && fewGrays && len(reduced.Palette) > 1<<like.Depth {
		return nil
	}
	return reduced
}

// profileFor is the profile of the source if it is for the given color space.
func profileFor(like Info, space string) []byte {
	if profileSpace(like.ICC) != space {
		return nil
	}
	return like.ICC
}

// contextWriter collects bytes until its context ends: the encoders take no context.
type contextWriter struct {
	ctx context.Context
	buf bytes.Buffer
}

func (c *contextWriter) Write(b []byte) (int, error) {
	if err := c.ctx.Err(); err != nil {
		return 0, err
	}
	return c.buf.Write(b)
}
