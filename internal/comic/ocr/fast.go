package ocr

import (
	"cmp"
	"context"
	"image"
	"slices"
	"strings"

	"plait/internal/comic"
	"plait/internal/onnx"
	"plait/internal/raster"
)

// probeLines is the number of lines that tell whether the fast model knows the script of a page.
const probeLines = 4

// Fast returns a recognizer that reads each line with a smaller model first, loaded from [Model], and again with the model of r only where
// the first reading is in doubt. The smaller model may lack scripts: where it is in doubt about most of the longest lines of a page, the
// others are read with the model of r alone. It fails with CodeModelMissing if the dictionary does not fit the output of the model.
func (r *Recognizer) Fast(pool *onnx.Pool, dictionary Dictionary) (*Recognizer, error) {
	n, err := newNetwork(pool, dictionary)
	fast := *r
	fast.fast = &n
	return &fast, err
}

func (r *Recognizer) readFast(ctx context.Context, img *image.NRGBA, quads []raster.Quad, lines []int, readings []Reading) error {
	slices.SortStableFunc(lines, func(a, b int) int { return cmp.Compare(proportion(quads[b]), proportion(quads[a])) })
	probe := lines[:min(probeLines, len(lines))]
	if err := r.readLines(ctx, img, quads, probe, readings); err != nil {
		return err
	}
	known := 0
	for _, i := range probe {
		if readings[i].fast {
			known++
		}
	}
	rest := *r
	if 2*known < len(probe) {
		rest.fast = nil
	}
	return rest.readLines(ctx, img, quads, lines[len(probe):], readings)
}

// proportion is the ratio of the longer to the shorter side of a line.
func proportion(q raster.Quad) float64 {
	width, height := q.Sides()
	return max(width, height) / max(min(width, height), 1)
}

// isSure reports whether a reading of the fast model is kept. It cannot count the dots of an ellipsis.
func isSure(d Decoded) bool {
	return d.Least >= fastProb && comic.Letters(d.Text) > 0 && !strings.Contains(d.Text, "…") && !strings.Contains(d.Text, "..")
}
