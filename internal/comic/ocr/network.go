package ocr

import (
	"context"
	"image"
	"math/bits"

	"plait/internal/core"
	"plait/internal/onnx"
)

// network is a recognition model with its dictionary.
type network struct {
	pool       *onnx.Pool
	dictionary Dictionary
}

// newNetwork fails with CodeModelMissing if the dictionary does not fit the output of the model.
func newNetwork(pool *onnx.Pool, dictionary Dictionary) (network, error) {
	if classes := pool.Outputs()[0].Shape[2]; classes != int64(len(dictionary)) {
		return network{}, core.Errorf(core.CodeModelMissing, "model %q has %d classes, but its dictionary has %d", pool.Name(), classes, len(dictionary))
	}
	return network{pool, dictionary}, nil
}

func (n network) readCrop(ctx context.Context, img *image.NRGBA, c crop) (Decoded, error) {
	width := c.paddedWidth()
	input, output := n.borrow(width)
	defer n.pool.Return(input, output)
	c.sample(img, width, input.Data)
	if err := n.pool.Run(ctx, []onnx.Tensor{input}, []onnx.Tensor{output}); err != nil {
		return Decoded{}, err
	}
	return n.dictionary.Decode(output.Data), nil
}

// borrow returns the tensors for a line of that width. Lines have any width, but tensors are allocated in few sizes, so that the pool
// keeps little memory for the next line.
func (n network) borrow(width int) (input, output onnx.Tensor) {
	kept := int64(1) << bits.Len(uint(width-1))
	input = n.pool.Borrow(1, 3, lineHeight, kept)
	output = n.pool.BorrowUnset(1, kept/widthMultiple, int64(len(n.dictionary)))
	input.Shape[3], output.Shape[1] = int64(width), int64(width/widthMultiple)
	input.Data, output.Data = input.Data[:3*lineHeight*width], output.Data[:width/widthMultiple*len(n.dictionary)]
	return input, output
}
