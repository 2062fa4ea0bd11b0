package detect

import (
	"context"
	"image"

	"plait/internal/comic"
	"plait/internal/onnx"
	"plait/internal/raster"
)

// Line is one line of text, or one column of vertical text.
type Line struct {
	// Quad is the outline on the page in pixels: upper left, upper right, lower right and lower left corner, as seen on the page. The
	// first corner of a slanted line is the one nearest to the upper left. It has a margin in proportion to the size of the line, so that
	// the lines of one text meet.
	Quad raster.Quad
	// Slack is how much of the margin on each side is certainly not lettering, in pixels. Small lines have none, and lines at the edge of
	// the page, which cuts off the margin.
	Slack float64
	// Score is the mean probability of text inside the core of the line, 0..1.
	Score float64
}

// Params configure detection. Lengths are in pixels.
type Params struct {
	// PageWidth is the width to which narrower pages are enlarged.
	PageWidth int
	// MaxPageWidth is the width to which wider pages are reduced.
	MaxPageWidth int
	// StripWidth is the width to which narrower strips are enlarged. Lettering on strips is larger, for small screens.
	StripWidth int
	// StripRatio is the ratio of height to width above which a page is a strip.
	StripRatio float64
	// MaxEnlarge bounds the factor of enlargement, which adds no detail.
	MaxEnlarge float64
	// WholeWidth is the width of the reduced page on which detection runs first, unless the page is a strip. This run finds most lines, and
	// lettering that is too large for a tile; detection runs again only in the tiles where it leaves doubt. A narrower page keeps its size.
	// 0 disables the run; then it runs in all tiles.
	WholeWidth int
	// CandidateThreshold is the least probability of a pixel that may be text, and CandidateMargin the distance from it, at the scale of the
	// tiles, up to which a tile is near it. With a threshold of 0.02, steep sounds and other doubtful lettering are lost.
	CandidateThreshold float64
	CandidateMargin    int
	// TileSide is the longest side of what the model sees at once. Much context around the text misleads the model: on 18 drawn manga
	// pages with 156 blocks the character error rate was 0.08 in tiles of 1600 pixels, 0.10 of 820, and 0.06 of 640, the size that it was
	// trained with. A run takes some 0.3 GB a megapixel.
	TileSide int
	// TileOverlap is the overlap of two neighboring tiles.
	TileOverlap int
	// StripTileSide and StripTileOverlap are the same for a strip.
	StripTileSide, StripTileOverlap int
	// StripTileWidth is the scaled width up to which a strip is one tile wide.
	StripTileWidth int
	// Threshold is the least probability of a pixel in the core of a line.
	Threshold float64
	// MinScore is the least score of a line.
	MinScore float64
	// Unclip is how far a core is grown on each side, in units of its area divided by its perimeter.
	Unclip float64
}

// DefaultParams are the parameters chosen by measurement.
func DefaultParams() Params {
	return Params{
		PageWidth: 1400, MaxPageWidth: 1550, StripWidth: 640, StripRatio: 3, MaxEnlarge: 2, WholeWidth: 720,
		CandidateThreshold: 0.012, CandidateMargin: 8,
		TileSide: 640, TileOverlap: 96, StripTileSide: 640, StripTileOverlap: 96, StripTileWidth: 800,
		Threshold: 0.3, MinScore: 0.55, Unclip: 1.6,
	}
}

// FastParams scale a page of usual proportions to a longest side of 1280 pixels, a third of the pixels of [DefaultParams]. Measured on
// pages 1240 wide: one in 80 blocks of Chinese dialogue is lost, none of English and Japanese. Strips are treated as with [DefaultParams],
// except that those wider than 905 pixels are reduced.
func FastParams() Params {
	p := DefaultParams()
	p.PageWidth, p.MaxPageWidth = 905, 905
	p.WholeWidth = 0
	p.TileSide, p.TileOverlap = 1600, 256 // without a run on the whole page, tiles have to show much of it
	return p
}

// Model is the manifest entry of a PP-OCR detection model. Its input is a normalized BGR picture with sides that are multiples of 32; its
// output is a probability map of the same size.
func Model(name, path, sha256 string) onnx.Model {
	return onnx.Model{
		Name: name, Path: path, SHA256: sha256,
		Inputs:  []onnx.Port{{Name: "x", Shape: []int64{onnx.Any, 3, onnx.Any, onnx.Any}}},
		Outputs: []onnx.Port{{Name: "fetch_name_0", Shape: []int64{onnx.Any, onnx.Any, onnx.Any, onnx.Any}}},
	}
}

// Detector finds lines of text. It is safe for concurrent use.
type Detector struct {
	pool   *onnx.Pool
	params Params
}

// New makes a Detector from a pool that was loaded from [Model].
func New(pool *onnx.Pool, params Params) *Detector { return &Detector{pool: pool, params: params} }

// Warm runs the model once on a small tile, so that the first page does not wait while the device prepares it.
func (d *Detector) Warm(ctx context.Context) error {
	tile := image.NewNRGBA(image.Rect(0, 0, sideMultiple, sideMultiple))
	tile.Pix[3] = 255 // a black pixel, because the model does not run on blank tiles
	_, err := d.Lines(ctx, tile)
	return err
}

// Lines finds the lines of img, ordered from top to bottom and left to right by their upper left corners, followed by slanted and by large
// lines. It fails with the error of ctx when ctx ends, and with CodeDevice.
func (d *Detector) Lines(ctx context.Context, img *image.NRGBA) ([]Line, error) {
	bounds := img.Bounds()
	if bounds.Empty() {
		return nil, nil
	}
	fine := d.params.scale(bounds.Dx(), bounds.Dy())
	tiles := d.params.cut(scaled(bounds.Dx(), fine), scaled(bounds.Dy(), fine))
	coarse := d.params.wholeScale(bounds.Dx(), bounds.Dy())
	var large []Line
	var believed reduced
	if coarse > 0 {
		whole, err := d.look(ctx, img, coarse, d.params.cut(scaled(bounds.Dx(), coarse), scaled(bounds.Dy(), coarse)))
		if err != nil {
			return nil, err
		}
		cores := d.params.cores(whole)
		large = d.params.lines(cores, coarse, bounds)
		if comic.PassCandidates.Runs(ctx) {
			tiles, believed = d.params.divide(tiles, whole, cores, fine/coarse)
		}
	}
	m, err := d.look(ctx, img, fine, tiles)
	if err != nil {
		return nil, err
	}
	believed.fill(m)
	cores := believed.narrow(d.params.cores(m))
	lines := d.params.lines(cores, fine, bounds)
	if comic.PassAskew.Runs(ctx) {
		askew, err := d.askew(ctx, img, cores, fine)
		if err != nil {
			return nil, err
		}
		lines = append(lines, askew...)
	}
	if coarse > 0 && comic.PassLarge.Runs(ctx) {
		lines = withLarge(lines, large, coarse)
	}
	if comic.PassExtended.Runs(ctx) {
		lines = extend(img, lines)
	}
	return lines, nil
}

// look runs the model on tiles of img at one scale. It returns a map of the probability of text, 0..255: one byte a pixel is precise enough for
// the thresholds, and keeps a strip of 50 megapixels at 50 MB. Where there is no tile, the probability is 0.
func (d *Detector) look(ctx context.Context, img *image.NRGBA, scale float64, tiles []tile) (*image.Gray, error) {
	bounds := img.Bounds()
	m := image.NewGray(image.Rect(0, 0, scaled(bounds.Dx(), scale), scaled(bounds.Dy(), scale)))
	return m, d.pool.Each(ctx, len(tiles), func(ctx context.Context, i int) error { return d.runTile(ctx, img, scale, tiles[i], m) })
}

// runTile fills the part of m that t owns. The owned parts are disjoint, so tiles may run concurrently.
func (d *Detector) runTile(ctx context.Context, img *image.NRGBA, scale float64, t tile, m *image.Gray) error {
	width, height := roundUp(t.seen.Dx()), roundUp(t.seen.Dy())
	input, output := d.pool.BorrowUnset(1, 3, int64(height), int64(width)), d.pool.BorrowUnset(1, 1, int64(height), int64(width))
	defer d.pool.Return(input, output)
	sample(img, scale, t.seen, width, height, input.Data)
	if blank(input.Data, width*height) {
		return nil
	}
	if err := d.pool.Run(ctx, []onnx.Tensor{input}, []onnx.Tensor{output}); err != nil {
		return err
	}
	t.fill(m, output.Data, width)
	return nil
}
