package ocr

import (
	"context"
	"image"

	"plait/internal/onnx"
)

const (
	// angleWidth is the width of the classifier's input. A longer line is squeezed into it, a shorter one is padded.
	angleWidth = 192
	// angleClasses is the number of classes: upright and upside down.
	angleClasses = 2
	// leastTurned is the least probability at which the classifier is trusted (PP-OCR).
	leastTurned = 0.9
	// leastAngleRatio is the least ratio of width to height of a line that the classifier sees. It takes shorter upright lines of comics,
	// such as "of … ??!!", for upside-down ones.
	leastAngleRatio = 4
)

// AngleModel is the manifest entry of a PP-OCR angle classifier. Its input is a line in blue, green and red, -1..1; its output is the
// probabilities that the line is upright and upside down.
func AngleModel(name, path, sha256 string) onnx.Model {
	return onnx.Model{
		Name: name, Path: path, SHA256: sha256,
		Inputs:  []onnx.Port{{Name: "x", Shape: []int64{onnx.Any, 3, lineHeight, angleWidth}}},
		Outputs: []onnx.Port{{Name: "fetch_name_0", Shape: []int64{onnx.Any, angleClasses}}},
	}
}

// UseAngles adds a classifier, loaded from [AngleModel]. For a long line that was read with doubt, r asks it whether the line is upside
// down, and reads it that way if the result is more certain. Call it before the first Read.
func (r *Recognizer) UseAngles(classifier *onnx.Pool) { r.angles = classifier }

// turnDoubtful reads a line upside down if the classifier says that it is, and returns the more certain of both readings.
func (r *Recognizer) turnDoubtful(ctx context.Context, img *image.NRGBA, c crop, first Decoded) (Decoded, error) {
	if r.angles == nil || first.Prob >= r.params.DoubtProb || c.width < leastAngleRatio*lineHeight {
		return first, nil
	}
	turned, err := r.isTurned(ctx, img, c)
	if err != nil || !turned {
		return first, err
	}
	second, err := r.readCrop(ctx, img, c.opposite())
	if err != nil || second.Prob <= first.Prob {
		return first, err
	}
	return second, nil
}

func (r *Recognizer) isTurned(ctx context.Context, img *image.NRGBA, c crop) (bool, error) {
	c.width = min(c.width, angleWidth)
	input, output := r.angles.Borrow(1, 3, lineHeight, angleWidth), r.angles.Borrow(1, angleClasses)
	defer r.angles.Return(input, output)
	c.sample(img, angleWidth, input.Data)
	if err := r.angles.Run(ctx, []onnx.Tensor{input}, []onnx.Tensor{output}); err != nil {
		return false, err
	}
	return output.Data[1] >= leastTurned && output.Data[1] > output.Data[0], nil
}
