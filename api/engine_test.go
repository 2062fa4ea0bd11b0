package api_test

import (
	"context"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"plait/activities/comic/enginetest"
	"plait/internal/comic"
	"plait/internal/core"
)

// page is a PNG that carries its text.
func page(tb testing.TB, lines ...string) []byte {
	tb.Helper()
	image, err := enginetest.Picture(lines...)
	require.NoError(tb, err)
	return image
}

// pageEngine is enginetest's for pages that are real images, which a test may hold up.
type pageEngine struct {
	enginetest.Pictures
	gates gates
}

func newPageEngine() *pageEngine {
	e := &pageEngine{}
	e.Before = func(ctx context.Context, stage core.Stage, image []byte) error {
		return e.gates.pass(ctx, stage, string(image))
	}
	return e
}

// gates hold pages that name one in their text, until it opens or the step is canceled, and refuse those that name one as
// shut. A page that names a late gate is held when it is lettered; its model has answered then.
type gates struct {
	mu   sync.Mutex
	open map[string]chan struct{}
	// holding says at which gates a page has come to wait.
	holding map[string]bool
}

func (g *gates) gate(name string) chan struct{} {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.open == nil {
		g.open, g.holding = map[string]chan struct{}{}, map[string]bool{}
	}
	if g.open[name] == nil {
		g.open[name] = make(chan struct{})
	}
	return g.open[name]
}

// holds reports whether a page has come to a gate.
func (g *gates) holds(name string) bool {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.holding[name]
}

func (g *gates) pass(ctx context.Context, stage core.Stage, text string) error {
	if _, name, found := strings.Cut(text, "shut:"); found {
		select {
		case <-g.gate(name):
			return nil
		default:
			return core.NewError(core.CodeInvalidImage, "the gate is shut")
		}
	}
	before, name, found := strings.Cut(text, "gate:")
	if !found || strings.HasSuffix(before, "late ") && stage != comic.StageRender {
		return nil
	}
	gate := g.gate(name)
	g.mu.Lock()
	g.holding[name] = true
	g.mu.Unlock()
	select {
	case <-gate:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}
