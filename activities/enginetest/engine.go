// Package enginetest is an engine without pictures: a page is plain text, one region a line, and rendering it writes
// the translations beside their sources. It costs next to nothing, and a test can stop it, fail it, and watch it.
package enginetest

import (
	"bytes"
	"context"
	"fmt"
	"strings"
	"sync/atomic"
	"unicode/utf8"

	"plait/internal/pipeline"
)

const broken = "broken\n"

// Page is the image of a page with these lines; without lines it has no text.
func Page(lines ...string) []byte { return []byte("page\n" + strings.Join(lines, "\n")) }

// BrokenPage is an image that Detect refuses with CodeInvalidImage.
func BrokenPage() []byte { return []byte(broken) }

// Rendered is what Render makes of a page of these lines, each translated by translate.
func Rendered(translate func(string) string, lines ...string) []byte {
	var out bytes.Buffer
	for _, line := range lines {
		fmt.Fprintf(&out, "%s -> %s\n", line, translate(line))
	}
	return out.Bytes()
}

// Engine is what activities.EngineOf takes. Its zero value is ready.
type Engine struct {
	// Before, when not nil, is called at the start of each call of Detect or Render. Its error is that of the call.
	Before func(ctx context.Context, stage pipeline.Stage, image []byte) error
	// Read, when not nil, changes the lines that Detect finds, as another device may.
	Read func(lines []string) []string
	// Room, when not 0, is how many characters of a translation fit; longer ones are tight.
	Room int

	running, most, detects, renders, erased atomic.Int64
}

// MostAtOnce is the largest number of calls that ran at a time.
func (e *Engine) MostAtOnce() int { return int(e.most.Load()) }

// Detects is the number of calls of Detect so far.
func (e *Engine) Detects() int { return int(e.detects.Load()) }

// Renders is the number of calls of Render so far.
func (e *Engine) Renders() int { return int(e.renders.Load()) }

// Erased is how often a page was prepared or rendered that was not prepared before: a real engine erases it then.
func (e *Engine) Erased() int { return int(e.erased.Load()) }

// Context is a page of text.
type Context struct {
	image    []byte
	lines    []string
	prepared bool
}

// Bytes is the length of the text.
func (p *Context) Bytes() int64 { return int64(len(p.image)) }

// Detect makes a region of each line. Options.To becomes the target language, and all sources are Japanese.
func (e *Engine) Detect(ctx context.Context, image []byte, o pipeline.Options) (*Context, pipeline.DetectOutput, error) {
	defer e.enter()()
	e.detects.Add(1)
	if err := e.before(ctx, pipeline.StageDetect, image); err != nil {
		return nil, pipeline.DetectOutput{}, err
	}
	if bytes.HasPrefix(image, []byte(broken)) {
		return nil, pipeline.DetectOutput{}, pipeline.NewError(pipeline.CodeInvalidImage, "the page is broken")
	}
	found := pipeline.DetectOutput{Width: 100, Height: 200, FromLang: "ja", Elapsed: pipeline.ElapsedMS{"total": 1}}
	_, text, _ := strings.Cut(string(image), "\n")
	if text == "" {
		return nil, found, nil
	}
	lines := strings.Split(text, "\n")
	if e.Read != nil {
		lines = e.Read(lines)
	}
	for i, line := range lines {
		y := float64(10 * i)
		found.Regions = append(found.Regions, pipeline.Region{
			Index: i, Text: line, Texts: []string{line}, Lines: []pipeline.Quad{{{0, y}, {90, y}, {90, y + 8}, {0, y + 8}}},
			Kind: pipeline.KindDialogue, Direction: pipeline.Horizontal, Alignment: pipeline.AlignCenter, FontSize: 8,
			SourceLang: "ja", TargetLang: o.To, LineSpacing: 1, Prob: 1,
		})
	}
	return &Context{image: image, lines: lines}, found, nil
}

// Prepare has nothing to do ahead, and notes that it was called.
func (e *Engine) Prepare(_ context.Context, p *Context, _ []pipeline.Translation) (*Context, error) {
	e.erase(p)
	return &Context{image: p.image, lines: p.lines, prepared: true}, nil
}

func (e *Engine) erase(p *Context) {
	if !p.prepared {
		e.erased.Add(1)
	}
}

// Tight are the translations that are longer than there is room for.
func (e *Engine) Tight(_ context.Context, _ *Context, translations []pipeline.Translation) ([]pipeline.TightText, error) {
	var tight []pipeline.TightText
	for _, t := range translations {
		if e.Room > 0 && utf8.RuneCountInString(t.Text) > e.Room {
			tight = append(tight, pipeline.TightText{Index: t.Index, Room: e.Room})
		}
	}
	return tight, nil
}

// Render writes each line with its translation, in which the terms stand between < and >.
func (e *Engine) Render(ctx context.Context, p *Context, translations []pipeline.Translation) ([]byte, pipeline.RenderReport, error) {
	defer e.enter()()
	e.renders.Add(1)
	if err := e.before(ctx, pipeline.StageRender, p.image); err != nil {
		return nil, pipeline.RenderReport{}, err
	}
	e.erase(p)
	byLine := make(map[string]string, len(translations))
	for _, t := range translations {
		text := t.Text
		for _, term := range t.Terms {
			text = strings.ReplaceAll(text, term, "<"+term+">")
		}
		byLine[p.lines[t.Index]] = text
	}
	report := pipeline.RenderReport{Elapsed: pipeline.ElapsedMS{"total": 1}}
	tight, err := e.Tight(ctx, p, translations)
	for _, t := range tight {
		report.Tight = append(report.Tight, t.Index)
	}
	return Rendered(func(line string) string { return byLine[line] }, p.lines...), report, err
}

func (e *Engine) before(ctx context.Context, stage pipeline.Stage, image []byte) error {
	if e.Before == nil {
		return nil
	}
	return e.Before(ctx, stage, image)
}

func (e *Engine) enter() (leave func()) {
	now := e.running.Add(1)
	for most := e.most.Load(); now > most && !e.most.CompareAndSwap(most, now); most = e.most.Load() {
	}
	return func() { e.running.Add(-1) }
}
