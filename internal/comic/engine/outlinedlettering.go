package engine

import (
	"context"

	"plait/internal/comic"
	"plait/internal/comic/detect"
	"plait/internal/raster"
)

// readHaloed reads lines of dark lettering on strokes of art, which its white rim parts from it, without these: those found
// before, of which the surer readings stay, and more, which take the place of others where they say more.
func (e *Engine) readHaloed(ctx context.Context, found sighted, r *reading) error {
	if e.without.Lack(comic.PassHaloed) {
		return nil
	}
	var known []raster.Quad
	for i, l := range r.lines {
		if isTold(l) && l.Prob >= sureColumn {
			known = append(known, r.quads[i])
		}
	}
	haloed, more, err := e.detector.Haloed(ctx, found.img, found.paper(), known)
	if err != nil || haloed == nil {
		return err
	}
	before := lines{r.quads, r.lines}
	isDoubtful := func(i int) bool { return r.lines[i].Prob < sureColumn && haloed.Holds(r.quads[i]) }
	if err := before.again(ctx, haloed.Image, e.recognizer.Read, isDoubtful); err != nil {
		return err
	}
	added := detect.Quads(more)
	readings, err := e.recognizer.Read(ctx, haloed.Image, added)
	if err != nil {
		return err
	}
	var again lines
	for k, l := range readings {
		if isTold(l) {
			again.add(added[k], l)
		}
	}
	all := completed(before, again, 0)
	r.quads, r.lines = all.quads, all.readings
	return nil
}

// findOutlined adds the lines that only a look at the lettering with an outline, without the art around it, has found. Between
// the dots of dark screentone all is white with a dark outline: it is looked for without.
func (e *Engine) findOutlined(ctx context.Context, found *sighted) error {
	if e.without.Lack(comic.PassOutlined) {
		return nil
	}
	outlined, more, err := e.detector.Outlined(ctx, found.paper(), found.quads)
	found.outlined, found.quads = outlined, append(found.quads, detect.Quads(more)...)
	return err
}

// readOutlined reads lines that hold lettering with an outline without the art around it too, and keeps the surer readings.
func (e *Engine) readOutlined(ctx context.Context, outlined *detect.Outlined, all lines) error {
	if outlined == nil {
		return nil
	}
	return all.again(ctx, outlined.Image, e.recognizer.Read, func(i int) bool { return outlined.Holds(all.quads[i]) })
}
