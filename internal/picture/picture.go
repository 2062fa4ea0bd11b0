package picture

import (
	"image"

	"plait/internal/core"
	"plait/internal/picture/jpegenc"
)

// Format is the file format of an image.
type Format string

// The formats that the package reads and writes.
const (
	JPEG Format = "jpeg"
	PNG  Format = "png"
	GIF  Format = "gif"
	BMP  Format = "bmp"
	WebP Format = "webp"
)

// ContentType is the media type of the format.
func (f Format) ContentType() string { return "image/" + string(f) }

// Limits bounds the files that are read. A field that is zero or negative takes its default.
type Limits struct {
	// MaxPixels is the largest product of width and height. Defaults to 50,000,000: a double page at 600 dpi.
	MaxPixels int64
	// MaxSide is the largest width or height in pixels. Defaults to 32,000, for strips that scroll.
	MaxSide int
	// MaxBytes is the largest file. Defaults to 64 MiB.
	MaxBytes int64
}

// DefaultLimits are the limits of a page.
func DefaultLimits() Limits {
	return Limits{MaxPixels: 50_000_000, MaxSide: 32_000, MaxBytes: 64 << 20}
}

func (l Limits) orDefaults() Limits {
	d := DefaultLimits()
	if l.MaxPixels <= 0 {
		l.MaxPixels = d.MaxPixels
	}
	if l.MaxSide <= 0 {
		l.MaxSide = d.MaxSide
	}
	if l.MaxBytes <= 0 {
		l.MaxBytes = d.MaxBytes
	}
	return l
}

// checkSize fails unless width and height are positive and within the limits.
func (l Limits) checkSize(width, height int64) error {
	switch {
	case width <= 0 || height <= 0:
		return invalid("the image is %d x %d pixels", width, height)
	case width > int64(l.MaxSide) || height > int64(l.MaxSide):
		return core.Errorf(core.CodeImageTooLarge, "the image is %d x %d pixels; a side may have %d at most", width, height, l.MaxSide)
	case width > l.MaxPixels/height: // width*height > MaxPixels, without an overflow
		return core.Errorf(core.CodeImageTooLarge, "the image is %d x %d pixels; %d pixels are allowed", width, height, l.MaxPixels)
	}
	return nil
}

// ColorKind is how a file holds colors.
type ColorKind string

// The kinds of color.
const (
	ColorRGB     ColorKind = "rgb" // YCbCr as well
	ColorGray    ColorKind = "gray"
	ColorPalette ColorKind = "palette"
	ColorCMYK    ColorKind = "cmyk" // YCCK as well
)

// Subsampling is the chroma subsampling of a JPEG: "4:4:4", "4:2:2", "4:2:0", "4:4:0", "4:1:1" or "4:1:0"; empty without chroma.
type Subsampling string

// DensityUnit is the unit of length of a [Density].
type DensityUnit string

// The units of density. DensityAspect says that only the ratio of X to Y has a meaning.
const (
	DensityAspect     DensityUnit = "aspect"
	DensityInch       DensityUnit = "inch"
	DensityCentimeter DensityUnit = "centimeter"
	DensityMeter      DensityUnit = "meter"
)

// Density is the resolution of the upright image, in pixels a unit. The zero value means that the file has none.
type Density struct {
	X    uint32      `json:"x"`
	Y    uint32      `json:"y"`
	Unit DensityUnit `json:"unit,omitempty"`
}

// perMeter is the density in pixels a meter. It is false if the file has no density, or only a ratio.
func (d Density) perMeter() (Density, bool) {
	var num, den uint64 // of units a meter
	switch d.Unit {
	case DensityInch: // of 0.0254 m
		num, den = 10_000, 254
	case DensityCentimeter:
		num, den = 100, 1
	case DensityMeter:
		num, den = 1, 1
	default:
		return Density{}, false
	}
	per := func(n uint32) uint32 { return uint32(min((uint64(n)*num+den/2)/den, 1<<31-1)) }
	return Density{X: per(d.X), Y: per(d.Y), Unit: DensityMeter}, d.X != 0 && d.Y != 0
}

// Info describes an image file, with all that [Encode] needs to write a similar one.
type Info struct {
	Format Format `json:"format"`
	// Width and Height are in pixels, after the orientation is applied.
	Width  int `json:"width"`
	Height int `json:"height"`
	// Orientation is the EXIF orientation as stored, 1..8; 1 when there is none. Decoded pixels are upright.
	Orientation int       `json:"orientation"`
	Color       ColorKind `json:"color"`
	// Depth is the number of bits a sample, or of an index into a palette: 1, 2, 4, 8 or 16.
	Depth int  `json:"depth"`
	Alpha bool `json:"alpha"`
	// Quality is the estimated quality of a JPEG on the scale of the Independent JPEG Group, 1..100; zero for other formats.
	Quality     int         `json:"quality,omitempty"`
	Subsampling Subsampling `json:"subsampling,omitempty"`
	// Quantization holds the tables of a JPEG's components in their order.
	Quantization []jpegenc.Table `json:"quantization,omitempty"`
	Progressive  bool            `json:"progressive,omitempty"`
	// Lossless says that a WebP is in the lossless form.
	Lossless bool `json:"lossless,omitempty"`
	// Palette holds the colors of a palette in order, as R, G, B, A bytes.
	Palette []byte `json:"palette,omitempty"`
	// ICC is the color profile of the pixels; empty means sRGB.
	ICC     []byte  `json:"icc,omitempty"`
	Density Density `json:"density,omitzero"`
	// PNGColor holds the PNG chunks that say what the sample values mean (sRGB, gAMA, cHRM), as they were.
	PNGColor []byte `json:"png_color,omitempty"`

	// source are the parts of the file that Decode needs.
	source sourceParts
}

// Bytes is the most memory that [Decode] holds at a time for pixels, in bytes: the 4 bytes a pixel of the result, the buffers of the
// decoder, and a second copy of the result if the file may be transparent.
func (i Info) Bytes() int64 {
	pixels := int64(i.Width) * int64(i.Height)
	quarters := int64(4 * 4)
	if i.Alpha {
		quarters *= 2
	}
	switch {
	case i.Format == JPEG:
		samples := i.samplesPerQuad()
		quarters += samples
		if i.Progressive {
			quarters += 4 * samples // coefficients
		}
	case i.Format == WebP && i.Lossless:
		quarters += 8 * 4 // the image before and after a transform of its colors
	case i.Format == WebP:
		quarters += 10 // luma, chroma at a quarter of it twice, alpha
	case i.Format == GIF, i.Color == ColorPalette, i.Color == ColorGray && i.Depth <= 8:
		quarters += 4 // an index or a level
	}
	return pixels * quarters / 4
}

// samplesPerQuad is the number of 8-bit samples of a JPEG for 4 pixels.
func (i Info) samplesPerQuad() int64 {
	switch {
	case i.Color == ColorGray:
		return 4
	case i.Color == ColorCMYK:
		return 16
	case i.Subsampling == "4:2:0", i.Subsampling == "4:1:1":
		return 6
	case i.Subsampling == "4:1:0":
		return 5
	case i.Subsampling == "4:2:2", i.Subsampling == "4:4:0":
		return 8
	default:
		return 12
	}
}

// sourceParts are views into the probed file that Decode needs.
type sourceParts struct {
	jpegNoAdobe bool // four components without the segment that says how they are stored
	webpFrame   []byte
	webpAlpha   []byte
	deep        *deepPNG
	page        *Picture // the picture that another one like it is encoded from, or nil
	written     *Written // what was written of others like it, or nil
}

// Picture is a decoded image.
type Picture struct {
	Info
	// Image has its origin at 0,0 and is upright and opaque: 8 bits a channel, Stride = 4 x Width. What is transparent in the
	// file is laid over white, as readers see it.
	Image *image.NRGBA
	// translucent is Image with the alpha of the file, not premultiplied; nil if the file is opaque.
	translucent *image.NRGBA
	// samples are those of a JPEG that is stored upright, or nil: they do not all come back from colors that were cut to 0..255.
	samples *image.YCbCr
}

// Bytes is the memory of the pixels, in bytes.
func (p *Picture) Bytes() int64 {
	size := int64(len(p.Image.Pix))
	if p.samples != nil {
		size += int64(len(p.samples.Y) + len(p.samples.Cb) + len(p.samples.Cr))
	}
	if p.translucent != nil {
		size += int64(len(p.translucent.Pix))
	}
	return size
}

// Opaque reports whether the file has no pixel that anything behind it shows through.
func (p *Picture) Opaque() bool { return p.translucent == nil }

func invalid(format string, args ...any) error {
	return core.Errorf(core.CodeInvalidImage, format, args...)
}

// upright sets the size and the density of the upright image from those of the stored one.
func (i *Info) upright(width, height int) {
	i.Width, i.Height = width, height
	if i.Orientation >= 5 {
		i.Width, i.Height = height, width
		i.Density.X, i.Density.Y = i.Density.Y, i.Density.X
	}
}
