package ocr

import (
	"context"
	"image"

	"plait/internal/onnx"
)

const (
	// angleWidth is the width of the classifier's input; a longer line is squashed into it, a shorter one padded.
	angleWidth = 192
	// angleClasses are a line as it stands and one upside down.
	angleClasses = 2
	// leastTurned is the probability from which the classifier is believed (PP-OCR).
	leastTurned = 0.9
	// leastAngleRatio is the width in heights from which a line tells which way up it is: the classifier turns shorter ones
	// of comics, such as "of … ??!!", that stand upright.
	leastAngleRatio = 4
)

// AngleModel is the manifest entry of a PP-OCR angle classifier: a line in blue, green and red, -1..1, to the
// probabilities that it stands upright and upside down.
func AngleModel(name, path, sha256 string) onnx.Model {
	return onnx.Model{
		Name: name, Path: path, SHA256: sha256,
		Inputs:  []onnx.Port{{Name: "x", Shape: []int64{onnx.Any, 3, lineHeight, angleWidth}}},
		Outputs: []onnx.Port{{Name: "fetch_name_0", Shape: []int64{onnx.Any, angleClasses}}},
	}
}

// UseAngles makes r ask a classifier, loaded from [AngleModel], whether a long line that was read with doubt stands upside
// down, and read it so if that is surer. It is not to be called once r reads.
func (r *Recognizer) UseAngles(classifier *onnx.Pool) { r.angles = classifier }

// turnDoubtful reads a line upside down where the classifier says that it stands so. It returns the surer of both readings.
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
