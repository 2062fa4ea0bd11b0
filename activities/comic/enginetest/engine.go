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

	"plait/internal/comic"
	"plait/internal/core"
	"plait/internal/raster"
)

const broken = "broken\n"

// Page is the image of a page with these lines; without lines it has no text.
func Page(lines ...string) []byte { return []byte("page\n" + strings.Join(lines, "\n")) }

// BrokenPage is an image that Decode refuses with CodeInvalidImage.
func BrokenPage() []byte { return []byte(broken) }

// Rendered is what is made of a page of these lines, each translated by translate.
func Rendered(translate func(string) string, lines ...string) []byte {
	var out bytes.Buffer
	for _, line := range lines {
		fmt.Fprintf(&out, "%s -> %s\n", line, translate(line))
	}
	return out.Bytes()
}

// Engine is what comicsteps.EngineOf takes. Its zero value is ready.
type Engine struct {
	// Before, when not nil, is called at the start of each call of Detect or Letter. Its error is that of the call.
	Before func(ctx context.Context, stage core.Stage, image []byte) error
	// Beside, when not nil, is called at the start of each call of Decode, which is of stage detect, or Encode, of stage render.
	// Its error is that of the call.
	Beside func(ctx context.Context, stage core.Stage, image []byte) error
	// Read, when not nil, changes the lines that Detect finds, as another device may.
	Read func(lines []string) []string
	// Room, when not 0, is how many characters of a translation fit; longer ones overflow.
	Room int
	// Kept are the indices of the regions that stay as drawn with their translation beside them.
	Kept []int
	// Missing are characters that no font has.
	Missing string
	// Layers are what each page is taken apart to.
	Layers []byte

	running, most, detects, renders, erased atomic.Int64
}

// MostAtOnce is the largest number of calls of Detect and Letter that ran at a time.
func (e *Engine) MostAtOnce() int { return int(e.most.Load()) }

// Detects is the number of calls of Detect so far.
func (e *Engine) Detects() int { return int(e.detects.Load()) }

// Renders is the number of calls of Letter so far.
func (e *Engine) Renders() int { return int(e.renders.Load()) }

// Erased is how often a page was prepared or lettered that was not prepared before: a real engine erases it then.
func (e *Engine) Erased() int { return int(e.erased.Load()) }

// Decoded is a page of text on which no line was looked for.
type Decoded struct {
	engine *Engine
	image  []byte
}

// Context is a page of text.
type Context struct {
	image    []byte
	lines    []string
	prepared bool
	// chosen are what people chose for the lines.
	chosen []comic.Override
}

// Bytes is the length of the text.
func (p *Context) Bytes() int64 { return int64(len(p.image)) }

// Lettered is a page of text with its translations.
type Lettered struct {
	engine *Engine
	image  []byte
	result []byte
	report comic.RenderReport
}

// Bytes is the length of an image.
func (e *Engine) Bytes(image []byte) (int64, error) { return int64(len(image)), nil }

// Decode refuses a broken page.
func (e *Engine) Decode(ctx context.Context, image []byte) (*Decoded, error) {
	if err := call(ctx, e.Beside, comic.StageDetect, image); err != nil {
		return nil, err
	}
	if bytes.HasPrefix(image, []byte(broken)) {
		return nil, core.NewError(core.CodeInvalidImage, "the page is broken")
	}
	return &Decoded{engine: e, image: image}, nil
}

// Detect makes a region of each line. Options.To becomes the target language, and all sources are Japanese.
func (d *Decoded) Detect(ctx context.Context, o comic.Options) (*Context, comic.DetectOutput, error) {
	e := d.engine
	defer e.enter()()
	e.detects.Add(1)
	if err := call(ctx, e.Before, comic.StageDetect, d.image); err != nil {
		return nil, comic.DetectOutput{}, err
	}
	found := comic.DetectOutput{Width: 100, Height: 200, FromLang: "ja", Elapsed: core.ElapsedMS{"total": 1}}
	_, text, _ := strings.Cut(string(d.image), "\n")
	if text == "" {
		return nil, found, nil
	}
	lines := strings.Split(text, "\n")
	if e.Read != nil {
		lines = e.Read(lines)
	}
	for i, line := range lines {
		y := float64(10 * i)
		found.Regions = append(found.Regions, comic.Region{
			Index: i, Text: line, Texts: []string{line}, Lines: []raster.Quad{{{0, y}, {90, y}, {90, y + 8}, {0, y + 8}}},
			Kind: comic.KindDialogue, Direction: comic.Horizontal, Alignment: comic.AlignCenter, FontSize: 8,
			SourceLang: "ja", TargetLang: o.To, LineSpacing: 1, Prob: 1,
		})
	}
	return &Context{image: d.image, lines: lines}, found, nil
}

// With makes lines of regions.
func (d *Decoded) With(regions []comic.Region, _ comic.Options) *Context {
	c := &Context{image: d.image}
	for _, r := range regions {
		c.lines = append(c.lines, r.Text)
		c.chosen = append(c.chosen, r.Override)
	}
	return c
}

// Revise takes what people chose over.
func (e *Engine) Revise(p *Context, regions []comic.Region) *Context {
	revised := *p
	revised.chosen, revised.lines = nil, nil
	for _, r := range regions {
		revised.chosen = append(revised.chosen, r.Override)
		revised.lines = append(revised.lines, r.Text)
	}
	return &revised
}

// ReadArea finds in every rectangle its own coordinates, as one line.
func (e *Engine) ReadArea(ctx context.Context, p *Context, area comic.Area, from string) (comic.Region, error) {
	defer e.enter()()
	if err := call(ctx, e.Before, comic.StageDetect, p.image); err != nil {
		return comic.Region{}, err
	}
	line := fmt.Sprintf("読 %v", area)
	return comic.Region{
		Text: line, Texts: []string{line}, Lines: []raster.Quad{area.Quad()}, Kind: comic.KindFree, Direction: comic.Horizontal,
		Alignment: comic.AlignCenter, FontSize: area[3] - area[1], SourceLang: from, LineSpacing: 1, Prob: 1,
	}, nil
}

// Prepare has nothing to do ahead, and notes that it was called.
func (e *Engine) Prepare(_ context.Context, p *Context, _ []core.Translation) (*Context, error) {
	e.erase(p)
	return &Context{image: p.image, lines: p.lines, prepared: true, chosen: p.chosen}, nil
}

func (e *Engine) erase(p *Context) {
	if !p.prepared {
		e.erased.Add(1)
	}
}

// Overflow are the translations that are longer than there is room for.
func (e *Engine) Overflow(_ context.Context, _ *Context, translations []core.Translation) ([]comic.OverflowText, error) {
	var overflow []comic.OverflowText
	for _, t := range translations {
		if e.Room > 0 && utf8.RuneCountInString(t.Text) > e.Room {
			overflow = append(overflow, comic.OverflowText{Index: t.Index, Room: e.Room})
		}
	}
	return overflow, nil
}

// Letter writes each line with its translation, in which the terms stand between < and >. The font that a person chose comes before it, and
// an erased or deleted line has its own word instead.
func (e *Engine) Letter(ctx context.Context, p *Context, translations []core.Translation) (*Lettered, error) {
	defer e.enter()()
	e.renders.Add(1)
	if err := call(ctx, e.Before, comic.StageRender, p.image); err != nil {
		return nil, err
	}
	e.erase(p)
	report := comic.RenderReport{Annotated: e.Kept, Elapsed: core.ElapsedMS{"total": 1}}
	byLine := make(map[string]string, len(translations))
	for _, t := range translations {
		text := e.fonts(t.Text, &report)
		for _, term := range t.Terms {
			text = strings.ReplaceAll(text, term, "<"+term+">")
		}
		if p.chosen != nil {
			text = chosen(p.chosen[t.Index], text)
		}
		byLine[p.lines[t.Index]] = text
	}
	overflow, err := e.Overflow(ctx, p, translations)
	for _, t := range overflow {
		report.Overflow = append(report.Overflow, t.Index)
	}
	result := Rendered(func(line string) string { return byLine[line] }, p.lines...)
	return &Lettered{engine: e, image: p.image, result: result, report: report}, err
}

func chosen(o comic.Override, text string) string {
	switch {
	case o.JoinedInto != nil:
		return "absent"
	case o.Deleted:
		return "deleted"
	case o.Erased:
		return "erased"
	case o.Style.Font != "":
		return string(o.Style.Font) + ":" + text
	}
	return text
}

// fonts leaves out of a text what no font has, and reports it.
func (e *Engine) fonts(text string, report *comic.RenderReport) string {
	return strings.Map(func(r rune) rune {
		if !strings.ContainsRune(e.Missing, r) {
			return r
		}
		if !strings.ContainsRune(report.Missing, r) {
			report.Missing += string(r)
		}
		return -1
	}, text)
}

// Encode is the text of the page.
func (l *Lettered) Encode(ctx context.Context) ([]byte, comic.RenderReport, error) {
	err := call(ctx, l.engine.Beside, comic.StageRender, l.image)
	return l.result, l.report, err
}

// Layers are those that the test gives the page.
func (l *Lettered) Layers(context.Context) ([]byte, error) { return l.engine.Layers, nil }

func call(ctx context.Context, hook func(context.Context, core.Stage, []byte) error, stage core.Stage, image []byte) error {
	if hook == nil {
		return nil
	}
	return hook(ctx, stage, image)
}

func (e *Engine) enter() (leave func()) {
	now := e.running.Add(1)
	for most := e.most.Load(); now > most && !e.most.CompareAndSwap(most, now); most = e.most.Load() {
	}
	return func() { e.running.Add(-1) }
}
