package engine

import (
	"context"
	"image"
	"unicode/utf8"

	"golang.org/x/sync/errgroup"
	"golang.org/x/text/unicode/norm"

	"plait/internal/comic"
	"plait/internal/comic/descreen"
	"plait/internal/comic/detect"
	"plait/internal/comic/ocr"
	"plait/internal/raster"
)

// sighted is a page with the lines that were found on it.
type sighted struct {
	img   *image.NRGBA
	quads []raster.Quad
	// toneless is the page without its screentone, nil where it has none, and again the lines that stand on tone as they
	// were found without it: the model overlooks lettering among dots.
	toneless *descreen.Page
	again    []raster.Quad
	// outlined is the lettering that is drawn with an outline, nil where there is none.
	outlined *detect.Outlined
}

// find finds the lines of a page, and those on screentone once more without it. The tone is looked for beside the lines.
func (e *Engine) find(ctx context.Context, img *image.NRGBA) (sighted, error) {
	found := sighted{img: img}
	looks, looksContext := errgroup.WithContext(ctx)
	looks.Go(func() error {
		lines, err := e.detector.Lines(looksContext, img)
		found.quads = detect.Quads(lines)
		return err
	})
	looks.Go(func() (err error) {
		if e.without.Lack(comic.PassToneless) {
			return nil
		}
		found.toneless, err = descreen.Clean(looksContext, img)
		return err
	})
	if err := looks.Wait(); err != nil {
		return found, err
	}
	if err := e.findOutlined(ctx, &found); err != nil || found.toneless == nil {
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

// paper is the page without its screentone, if it has any: where ink is told from the ground.
func (s sighted) paper() *image.NRGBA {
	if s.toneless != nil {
		return s.toneless.Image
	}
	return s.img
}

// readLines reads the lines of a page. Lines that were found without screentone take the place of others where they say more.
func (e *Engine) readLines(ctx context.Context, found sighted) (lines, error) {
	readings, err := found.read(ctx, found.quads, e.recognizer.Read)
	first := lines{found.quads, readings}
	if err != nil {
		return lines{}, err
	}
	if err := e.readOutlined(ctx, found.outlined, first); err != nil || found.toneless == nil {
		return first, err
	}
	readings, err = found.read(ctx, found.again, e.recognizer.Read)
	if err != nil {
		return lines{}, err
	}
	return completed(first, lines{found.again, readings}, 0), nil
}

// read reads lines as they stand, and those on screentone without it too, and keeps the surer readings.
func (s sighted) read(ctx context.Context, quads []raster.Quad, by readBy) ([]ocr.Reading, error) {
	all, err := by(ctx, s.img, quads)
	if err != nil || s.toneless == nil {
		return all, err
	}
	err = lines{quads, all}.again(ctx, s.toneless.Image, by, func(i int) bool { return s.toneless.Under(quads[i]) })
	return all, err
}

// readBy is a way to read lines of an image.
type readBy func(ctx context.Context, img *image.NRGBA, quads []raster.Quad) ([]ocr.Reading, error)

// sureAsItStands is the least probability of a line whose reading is not doubted.
const sureAsItStands = 0.9

// surer is the surer of the readings of a line as it stands and without the tone or the art around it. With these go small
// marks of its characters, and the model is as sure of what is left: what was surely read as it stands stays, if it says no less.
func surer(asItStands, without ocr.Reading) ocr.Reading {
	if asItStands.Prob >= without.Prob || asItStands.Prob >= sureAsItStands && said(asItStands) >= said(without) {
		return asItStands
	}
	return without
}

// said is how many characters a line has, and voicing marks on them.
func said(r ocr.Reading) int { return utf8.RuneCountInString(norm.NFD.String(r.Text)) }

// lines are lines of a page with what they say, in parallel.
type lines struct {
	quads    []raster.Quad
	readings []ocr.Reading
}

// again reads those lines that want it on a picture of the page without tone or art too, and keeps the surer readings.
func (l lines) again(ctx context.Context, without *image.NRGBA, by readBy, want func(i int) bool) error {
	var quads []raster.Quad
	var places []int
	for i, q := range l.quads {
		if want(i) {
			quads, places = append(quads, q), append(places, i)
		}
	}
	if len(quads) == 0 {
		return nil
	}
	readings, err := by(ctx, without, quads)
	for k, r := range readings {
		l.readings[places[k]] = surer(l.readings[places[k]], r)
	}
	return err
}
