package comic

import (
	"context"
	"slices"

	"plait/internal/comic/detect"
	"plait/internal/pipeline"
)

// readRimmed reads lines of dark lettering on strokes of art, which its white rim parts from it, without these: those found
// before, of which the surer readings stay, and more, which take the place of others where they say more.
func (e *Engine) readRimmed(ctx context.Context, found sighted, r *reading) error {
	var known, doubtful []pipeline.Quad
	var places []int
	for i, l := range r.lines {
		if isTold(l) && l.Prob >= sureColumn {
			known = append(known, r.quads[i])
		}
	}
	rimmed, more, err := e.detector.Rimmed(ctx, found.img, found.paper(), known)
	if err != nil || rimmed == nil {
		return err
	}
	for i, q := range r.quads {
		if r.lines[i].Prob < sureColumn && rimmed.Holds(q) {
			doubtful, places = append(doubtful, q), append(places, i)
		}
	}
	added := detect.Quads(more)
	readings, err := e.recognizer.Read(ctx, rimmed.Image, slices.Concat(doubtful, added))
	if err != nil {
		return err
	}
	for k, i := range places {
		r.lines[i] = surer(r.lines[i], readings[k])
	}
	var again lines
	for k, l := range readings[len(doubtful):] {
		if isTold(l) {
			again.add(added[k], l)
		}
	}
	all := completed(lines{r.quads, r.lines}, again, 0)
	r.quads, r.lines = all.quads, all.readings
	return nil
}
