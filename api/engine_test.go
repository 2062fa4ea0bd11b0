package api_test

import (
	"bytes"
	"context"
	"encoding/binary"
	"hash/crc32"
	stdimage "image"
	"image/png"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"plait/activities/enginetest"
	"plait/internal/picture"
	"plait/internal/pipeline"
)

const textChunk = "plTx"

// page is a PNG that carries its text in a chunk of its own.
func page(tb testing.TB, lines ...string) []byte {
	tb.Helper()
	var b bytes.Buffer
	require.NoError(tb, png.Encode(&b, stdimage.NewGray(stdimage.Rect(0, 0, 8, 8))))
	return withText(b.Bytes(), strings.Join(lines, "\n"))
}

// endOfHeader is where the IHDR chunk of a PNG ends.
const endOfHeader = 8 + 4 + 4 + 13 + 4

func withText(image []byte, text string) []byte {
	body := append([]byte(textChunk), text...)
	chunk := binary.BigEndian.AppendUint32(nil, uint32(len(text)))
	chunk = append(chunk, body...)
	chunk = binary.BigEndian.AppendUint32(chunk, crc32.ChecksumIEEE(body))
	return bytes.Join([][]byte{image[:endOfHeader], chunk, image[endOfHeader:]}, nil)
}

func textOf(image []byte) string {
	at := bytes.Index(image, []byte(textChunk))
	if at < 0 {
		return ""
	}
	n := int(binary.BigEndian.Uint32(image[at-4:]))
	return string(image[at+4 : at+4+n])
}

// pageEngine is enginetest's for pages that are real images.
type pageEngine struct {
	enginetest.Engine
	gates gates
}

func newPageEngine() *pageEngine {
	e := &pageEngine{}
	e.Before = func(ctx context.Context, stage pipeline.Stage, image []byte) error {
		return e.gates.pass(ctx, string(image))
	}
	return e
}

func (e *pageEngine) Detect(ctx context.Context, image []byte, o pipeline.Options) (*enginetest.Context, pipeline.DetectOutput, error) {
	if _, err := picture.Probe(image, picture.DefaultLimits()); err != nil {
		return nil, pipeline.DetectOutput{}, err
	}
	var lines []string
	if text := textOf(image); text != "" {
		lines = strings.Split(text, "\n")
	}
	return e.Engine.Detect(ctx, enginetest.Page(lines...), o)
}

func (e *pageEngine) Render(ctx context.Context, c *enginetest.Context, translations []pipeline.Translation) ([]byte, pipeline.RenderReport, error) {
	text, report, err := e.Engine.Render(ctx, c, translations)
	if err != nil {
		return nil, report, err
	}
	var b bytes.Buffer
	if err := png.Encode(&b, stdimage.NewGray(stdimage.Rect(0, 0, 8, 8))); err != nil {
		return nil, report, err
	}
	return withText(b.Bytes(), string(text)), report, nil
}

// gates hold pages that name one in their text, until it opens or the step is canceled.
type gates struct {
	mu   sync.Mutex
	open map[string]chan struct{}
}

func (g *gates) gate(name string) chan struct{} {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.open == nil {
		g.open = map[string]chan struct{}{}
	}
	if g.open[name] == nil {
		g.open[name] = make(chan struct{})
	}
	return g.open[name]
}

func (g *gates) pass(ctx context.Context, text string) error {
	_, name, found := strings.Cut(text, "gate:")
	if !found {
		return nil
	}
	select {
	case <-g.gate(name):
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}
