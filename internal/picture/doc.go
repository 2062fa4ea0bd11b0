// Package picture decodes image files to pixels and encodes pixels in the format of the original file. It does not trust
// the files that it reads.
//
// # Reading
//
// [Probe] checks a file without decoding a pixel: what it is, that it is whole (JPEG markers through EOI, PNG chunks with
// their CRC through IEND, GIF blocks through the trailer, RIFF sizes, BMP rows), and that its size is within [Limits]. It
// allocates nothing that grows with the number of pixels. [Decode] probes first, so that no decoder sees a size that was
// not checked, and returns upright 8-bit pixels. A bad file gives CodeInvalidImage, CodeImageTooLarge or CodeTooLarge with a
// message that names the reason. A panic of a decoder is such an error, too.
//
// The package reads JPEG (baseline and progressive, gray, RGB, CMYK and YCCK), PNG, WebP, GIF and BMP. AVIF, HEIC, JPEG XL and
// TIFF are recognized and refused by name, and so are animations: a page is one still picture, and writing back only the
// first frame would lose the others.
//
// # Color
//
// Pixels stay in the color space of the file. A profile for RGB or gray is kept in [Info] and attached again by [Encode],
// so what is drawn into the page is drawn in the page's own space and no color of the art moves. CMYK becomes RGB by the
// plain formula r = (1-c)(1-k), and its profile is dropped, because no pixel is in its space any more. 16 bits a channel
// become 8 on decoding. Transparent pixels are composited over white, as readers see them; [Picture.Encode] restores their alpha.
// WebP's lossy form is BT.601 in the range 16..235, which this package honors.
//
// # Writing
//
// [Encode] writes the format of the source and keeps its visible properties: profile, resolution, palette,
// gray, alpha, and of a JPEG its quantization tables and how its chroma is sampled. [Picture.Encode] also keeps what the
// file stores for unchanged pixels beyond 8 bits a channel: the samples of a JPEG, and 16 bits of a PNG. So the unchanged
// parts of a JPEG have a PSNR of 59 to 63 dB, and 95 to 98 of 100 values are the same (pages of quality 93; 4:4:4 pages
// written in 4:2:0 by quality alone had 38 to 43 dB). Metadata (EXIF, XMP, comments) is not carried
// over: the orientation is applied, and the rest describes another picture. The same pixels and [Info] give the same bytes.
//
// Known limits: a progressive JPEG becomes a baseline one; lossy WebP is written at quality 90, whatever it was; BMP is written
// without alpha; a gray PNG with alpha becomes RGB with alpha; a PNG of 16 bits that is stored rotated or interlaced becomes
// one of 8; GIF adds as many new colors as its palette has room for, and uses the nearest ones for the rest.
package picture
