package videotasks

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"plait/internal/core"
	"plait/internal/memory"
	"plait/internal/picture"
	"plait/internal/video"
	"plait/tasks"
)

// Request is an unchecked request for a video. A nil field takes its default.
type Request struct {
	tasks.Request
	Model, Type            string
	Prompt, NegativePrompt string
	// Image is nil for a request without one.
	Image *tasks.Upload
	// Video is the video to enlarge, and Scale how many times.
	Video                   *tasks.Upload
	Scale                   *int
	Resolution              string
	Duration                *int
	PromptExtend, Watermark *bool
	Seed                    *int64
}

// The limits of a request.
const (
	// MaxPromptRunes is the number of characters of a prompt that are used; what follows is cut off.
	MaxPromptRunes = 800
	// MaxNegativeRunes is that of a negative prompt.
	MaxNegativeRunes = 500
	// maxPromptRunes is a length that nobody writes: a prompt beyond it is a mistake, which is refused.
	maxPromptRunes = 20_000
	// MaxImageBytes bounds the file of an image, minSide and maxSide its sides in pixels.
	MaxImageBytes    = 10 << 20
	minSide, maxSide = 360, 2000
)

// options checks the request, without its image; of one for an enlarged video only the model and the type. Errors: INVALID_INPUT,
// UNKNOWN_MODEL.
func (r Request) options(catalog video.Catalog) (o video.Options, m video.Model, err error) {
	if err := r.Check(); err != nil {
		return o, m, err
	}
	if m, err = r.model(catalog); err != nil {
		return o, m, err
	}
	o = video.Options{Model: m.Name, Engine: m.Engine, PromptExtend: or(r.PromptExtend, true) && !m.Literal, Watermark: or(r.Watermark, false)}
	if o.Type, err = core.OneOf("type", video.Type(r.Type), m.Types...); err != nil || o.Type == video.VideoUpscale {
		return o, m, err
	}
	if r.Video != nil || r.Scale != nil {
		return o, m, core.NewError(core.CodeInvalidInput, "input.video and parameters.scale are for video_upscale")
	}
	if err := r.shape(m, &o); err != nil {
		return o, m, err
	}
	if o.Seed = or(r.Seed, 0); o.Seed < 0 || o.Seed > video.MaxSeed {
		return o, m, core.Errorf(core.CodeInvalidInput, "parameters.seed %d is not from 0 to %d", o.Seed, video.MaxSeed)
	}
	return o, m, r.prompts(&o)
}

// shape sets the resolution and the duration of a video that is made, and its price.
func (r Request) shape(m video.Model, o *video.Options) (err error) {
	resolution := video.Resolution(r.Resolution)
	if resolution == "" && !slices.Contains(m.Resolutions, video.Resolution480) {
		resolution = m.Resolutions[0]
	} else if resolution == "" {
		resolution = video.Resolution480
	}
	if o.Resolution, err = core.OneOf("parameters.resolution", resolution, m.Offers()...); err != nil {
		return err
	}
	if o.Duration = or(r.Duration, m.Durations[0]); !slices.Contains(m.Durations, o.Duration) {
		return core.Errorf(core.CodeInvalidInput, "parameters.duration %d is none of the durations of model %s: %s", o.Duration, m.Name, numbers(m.Durations))
	}
	o.PriceMicros = m.Price.Micros(o.Duration)
	return nil
}

func (r Request) model(catalog video.Catalog) (video.Model, error) {
	if r.Model == "" {
		return video.Model{}, core.NewError(core.CodeInvalidInput, "model is missing")
	}
	m, found := catalog.Model(r.Model)
	if !found {
		return m, core.Errorf(core.CodeUnknownModel, "model %.100q does not exist; there are %s", core.Printable(r.Model), strings.Join(catalog.ModelNames(), ", "))
	}
	return m, nil
}

// CheckPrompts fails with INVALID_INPUT for a prompt that is no text, or so long that it is a mistake.
func (r Request) CheckPrompts() error {
	return cmp.Or(tasks.CheckText("input.prompt", r.Prompt, maxPromptRunes), tasks.CheckText("input.negative_prompt", r.NegativePrompt, maxPromptRunes))
}

func (r Request) prompts(o *video.Options) error {
	if err := r.CheckPrompts(); err != nil {
		return err
	}
	cut := func(text string, most int) string {
		runes := []rune(strings.TrimSpace(text))
		return string(runes[:min(len(runes), most)])
	}
	o.Prompt, o.NegativePrompt = cut(r.Prompt, MaxPromptRunes), cut(r.NegativePrompt, MaxNegativeRunes)
	switch {
	case o.Prompt == "":
		return core.NewError(core.CodeInvalidInput, "input.prompt is missing")
	case o.Type == video.ImageToVideo && r.Image == nil:
		return core.NewError(core.CodeInvalidInput, "input.image is missing: image_to_video needs one")
	case o.Type == video.TextToVideo && r.Image != nil:
		return core.NewError(core.CodeInvalidInput, "input.image is not for text_to_video")
	}
	return nil
}

// imageFormats are those that a request may have.
var imageFormats = []picture.Format{picture.JPEG, picture.PNG, picture.BMP, picture.WebP}

var imageLimits = picture.Limits{MaxBytes: MaxImageBytes, MaxSide: maxSide, MaxPixels: maxSide * maxSide}

// examine decodes an image, so that no engine meets one that cannot be. Its header says how much memory that takes. Errors: INVALID_IMAGE,
// IMAGE_TOO_LARGE, TOO_LARGE.
func (s *Service) examine(ctx context.Context, f tasks.Upload) (picture.Info, error) {
	info, err := readImage(ctx, s.memory, f, 0, func(b []byte) (picture.Info, error) { return picture.Probe(b, imageLimits) })
	if err != nil {
		return picture.Info{}, err
	}
	p, err := readImage(ctx, s.memory, f, info.Bytes(), func(b []byte) (*picture.Picture, error) { return picture.Decode(ctx, b, imageLimits) })
	if err != nil {
		return picture.Info{}, err
	}
	switch {
	case !slices.Contains(imageFormats, p.Format):
		return p.Info, core.Errorf(core.CodeInvalidImage, "input.image: the format %s is none of jpeg, png, bmp and webp", p.Format)
	case p.Width < minSide || p.Height < minSide:
		return p.Info, core.Errorf(core.CodeInvalidImage, "input.image: the image is %d x %d pixels; a side needs %d", p.Width, p.Height, minSide)
	case !p.Opaque():
		return p.Info, core.NewError(core.CodeInvalidImage, "input.image: the image is transparent")
	}
	return p.Info, nil
}

// readImage calls read with the content of an image, which takes so many bytes besides.
func readImage[T any](ctx context.Context, budget *memory.Budget, f tasks.Upload, besides int64, read func([]byte) (T, error)) (result T, err error) {
	held, err := budget.Reserve(ctx, f.Size+besides, memory.Admit)
	if err != nil {
		return result, err
	}
	defer held.Release()
	b := make([]byte, f.Size)
	if _, err := f.File.ReadAt(b, 0); err != nil && !errors.Is(err, io.EOF) {
		return result, core.Wrap(core.CodeUnavailable, err, "the upload cannot be read")
	}
	if result, err = read(b); err != nil {
		return result, core.Wrap(core.CodeOf(err), err, "input.image: "+core.PublicMessage(err))
	}
	return result, nil
}

func or[T any](given *T, otherwise T) T {
	if given == nil {
		return otherwise
	}
	return *given
}

func numbers(list []int) string {
	texts := make([]string, len(list))
	for i, n := range list {
		texts[i] = fmt.Sprint(n)
	}
	return strings.Join(texts, ", ")
}
