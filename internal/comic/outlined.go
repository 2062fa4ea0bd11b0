package comic

import (
	"context"

	"plait/internal/comic/detect"
	"plait/internal/pipeline"
)

// findOutlined adds the lines that only a look at the lettering with an outline, without the art around it, has found. Between
// the dots of dark screentone all is white with a dark outline: it is looked for without.
func (e *Engine) findOutlined(ctx context.Context, found *sighted) error {
	outlined, more, err := e.detector.Outlined(ctx, found.paper(), found.quads)
	found.outlined, found.quads = outlined, append(found.quads, detect.Quads(more)...)
	return err
}

// readOutlined reads lines that hold lettering with an outline without the art around it too, and keeps the surer readings.
func (e *Engine) readOutlined(ctx context.Context, outlined *detect.Outlined, all lines) error {
	var quads []pipeline.Quad
	var places []int
	for i, q := range all.quads {
		if outlined.Holds(q) {
			quads, places = append(quads, q), append(places, i)
		}
	}
	if len(quads) == 0 {
		return nil
	}
	readings, err := e.recognizer.Read(ctx, outlined.Image, quads)
	for k, r := range readings {
		all.readings[places[k]] = surer(all.readings[places[k]], r)
	}
	return err
}
