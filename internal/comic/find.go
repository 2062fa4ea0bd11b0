package comic

import (
	"context"
	"image"

	"plait/internal/comic/detect"
	"plait/internal/comic/ocr"
	"plait/internal/comic/tone"
	"plait/internal/pipeline"
)

// sighted is a page with the lines that were found on it.
type sighted struct {
	img   *image.NRGBA
	quads []pipeline.Quad
	// toneless is the page without its screentone, nil where it has none, and again the lines that stand on tone as they
	// were found without it: the model overlooks lettering among dots.
	toneless *tone.Page
	again    []pipeline.Quad
	// outlined is the lettering that is drawn with an outline, nil where there is none.
	outlined *detect.Outlined
}

// find finds the lines of a page, and those on screentone once more without it.
func (e *Engine) find(ctx context.Context, img *image.NRGBA) (sighted, error) {
	lines, err := e.detector.Lines(ctx, img)
	if err != nil {
		return sighted{}, err
	}
	found := sighted{img: img, quads: detect.Quads(lines)}
	if err := e.findOutlined(ctx, &found); err != nil {
		return sighted{}, err
	}
	if found.toneless, err = tone.Clean(ctx, img); err != nil || found.toneless == nil {
		return found, err
	}
	again, err := e.detector.LinesIn(ctx, found.toneless.Image, found.toneless.In)
	for _, l := range again {
		if found.toneless.Under(l.Quad) {
			found.again = append(found.again, l.Quad)
		}
	}
	return found, err
}

// readLines reads the lines of a page. On screentone each is read with it and without, and lines that were found without
// it take the place of others where they say more.
func (e *Engine) readLines(ctx context.Context, found sighted) (lines, error) {
	readings, err := e.recognizer.Read(ctx, found.img, found.quads)
	first := lines{found.quads, readings}
	if err != nil {
		return lines{}, err
	}
	if err := e.readOutlined(ctx, found.outlined, first); err != nil || found.toneless == nil {
		return first, err
	}
	if err := e.readToned(ctx, found.toneless, first); err != nil {
		return lines{}, err
	}
	readings, err = e.recognizer.Read(ctx, found.toneless.Image, found.again)
	if err != nil {
		return lines{}, err
	}
	asTheyStand, err := e.recognizer.Read(ctx, found.img, found.again)
	if err != nil {
		return lines{}, err
	}
	for i := range readings {
		readings[i] = surer(asTheyStand[i], readings[i])
	}
	return completed(first, lines{found.again, readings}), nil
}

// readToned reads lines that stand on screentone without it too, and keeps the surer readings.
func (e *Engine) readToned(ctx context.Context, toneless *tone.Page, all lines) error {
	var quads []pipeline.Quad
	var places []int
	for i, q := range all.quads {
		if toneless.Under(q) {
			quads, places = append(quads, q), append(places, i)
		}
	}
	readings, err := e.recognizer.Read(ctx, toneless.Image, quads)
	for k, r := range readings {
		all.readings[places[k]] = surer(all.readings[places[k]], r)
	}
	return err
}

// surer is the surer of the readings of a line as it stands and without screentone.
func surer(asItStands, toneless ocr.Reading) ocr.Reading {
	if asItStands.Prob >= toneless.Prob {
		return asItStands
	}
	return toneless
}

// lines are lines of a page with what they say, in parallel.
type lines struct {
	quads    []pipeline.Quad
	readings []ocr.Reading
}
