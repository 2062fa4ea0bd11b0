package engine

import (
	"context"

	"plait/internal/comic/detect"
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
	if outlined == nil {
		return nil
	}
	return all.again(ctx, outlined.Image, e.recognizer.Read, func(i int) bool { return outlined.Holds(all.quads[i]) })
}
