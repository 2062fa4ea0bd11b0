package ocr

import (
	"context"
	"image"

	"plait/internal/onnx"
	"plait/internal/raster"
)

// mostLevel is how many characters are set beside each other at most: as many as fit the widest line.
const mostLevel = maxLineWidth / lineHeight

// ReadLevel reads a column by its characters set upright beside each other, given by their outlines from its top: short ones of
// kana are read as letters when they are turned. It fails as [Recognizer.Read] does.
func (r *Recognizer) ReadLevel(ctx context.Context, img *image.NRGBA, characters []raster.Quad) (Reading, error) {
	characters = characters[:min(len(characters), mostLevel)]
	if len(characters) == 0 || img.Bounds().Empty() {
		return Reading{Vertical: true}, nil
	}
	width := lineHeight * len(characters)
	input, output := r.borrow(width)
	defer r.pool.Return(input, output)
	for i, q := range characters {
		c := upright(q)
		c.width = lineHeight
		c.sample(img, width, input.Data[i*lineHeight:])
	}
	if err := r.pool.Run(ctx, []onnx.Tensor{input}, []onnx.Tensor{output}); err != nil {
		return Reading{}, err
	}
	read := r.dictionary.Decode(output.Data)
	return Reading{Text: settle(read.Text), Prob: read.Prob, Vertical: true}, nil
}
