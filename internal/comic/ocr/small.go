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

const (
	// longLine is the length in heights from which a line is read by the small model first. Lists of credits have a hundred such lines a
	// page. On 67 pages the longest line of dialogue has 13 heights, the longest note 19, and the longest caption beside a list 30. One
	// doubtful character among a hundred is no reason to read such a line again, but a word of a script that the model does not know is.
	// Measured on 39 lines of credits with 3777 letters: 7 are wrong, and 1 with the usual model, in a fifth of the time.
	longLine = 30
	// smallProb is the least probability of the least certain letter of any other line that the small model alone reads.
	smallProb = 0.8
	// probeLines is the number of lines that tell whether the small model knows the script of a page.
	probeLines = 4
)

// Small is a recognition model that is smaller than the usual one. It knows fewer scripts and makes more errors.
type Small struct{ network }

// NewSmall makes a Small from a pool that was loaded from [Model]. It fails with CodeModelMissing if the dictionary does not fit the output
// of the model.
func NewSmall(pool *onnx.Pool, dictionary Dictionary) (*Small, error) {
	n, err := newNetwork(pool, dictionary)
	return &Small{n}, err
}

// WithSmall returns a recognizer that reads lines longer than any of a bubble with a small model, and again with the model of r only where
// the first reading is in doubt. It calls load for each such line, so that pages without one need no small model.
func (r *Recognizer) WithSmall(load func(context.Context) (*Small, error)) *Recognizer {
	with := *r
	with.small = load
	return &with
}

// Fast returns a recognizer that reads every line with its small model first, if it has one. That model may lack scripts: where it is in
// doubt about most of the longest lines of a page, the others are read with the model of r alone.
func (r *Recognizer) Fast() *Recognizer {
	fast := *r
	fast.fast = r.small != nil
	return &fast
}

func (r *Recognizer) readFast(ctx context.Context, img *image.NRGBA, quads []raster.Quad, lines []int, readings []Reading) error {
	slices.SortStableFunc(lines, func(a, b int) int { return cmp.Compare(proportion(quads[b]), proportion(quads[a])) })
	probe := lines[:min(probeLines, len(lines))]
	if err := r.readLines(ctx, img, quads, probe, readings); err != nil {
		return err
	}
	known := 0
	for _, i := range probe {
		if readings[i].small {
			known++
		}
	}
	rest := *r
	rest.fast = 2*known >= len(probe)
	return rest.readLines(ctx, img, quads, lines[len(probe):], readings)
}

// proportion is the ratio of the longer to the shorter side of a line.
func proportion(q raster.Quad) float64 {
	return max(q.Sides()) / max(min(q.Sides()), 1)
}

// readSmall reads a line with the small model, if it is one of those that this model reads. It reports whether the reading is kept.
func (r *Recognizer) readSmall(ctx context.Context, img *image.NRGBA, c crop) (Reading, bool, error) {
	long := r.small != nil && c.width > longLine*lineHeight && comic.PassLong.Runs(ctx)
	if !long && !r.fast {
		return Reading{}, false, nil
	}
	small, err := r.small(ctx)
	if err != nil {
		return Reading{}, false, err
	}
	d, err := small.readCrop(ctx, img, c)
	if err != nil || !(long && d.Prob >= comic.SureReading || isSure(d)) {
		return Reading{}, false, err
	}
	return Reading{Text: settled(ctx, d.Text), Prob: d.Prob, small: true}, true, nil
}

// isSure reports whether a reading of the small model is kept. It cannot count the dots of an ellipsis.
func isSure(d Decoded) bool {
	return d.Least >= smallProb && comic.Letters(d.Text) > 0 && !strings.Contains(d.Text, "…") && !strings.Contains(d.Text, "..")
}
