package engine

import (
	"context"
	"errors"

	"plait/internal/assets"
	"plait/internal/comic/bubbles"
	"plait/internal/comic/detect"
	"plait/internal/comic/inpaint"
	"plait/internal/comic/letter"
	"plait/internal/comic/ocr"
	"plait/internal/comic/scripts"
	"plait/internal/core"
	"plait/internal/onnx"
	"plait/internal/picture"
)

// Config configures an engine.
type Config struct {
	Assets *assets.Set
	// Runtime says where models run. Without a path, the library is that of the assets.
	Runtime onnx.Config
	// Models are added to the base set, or replace models of it; see [onnx.ReadManifest].
	Models []onnx.Entry
	// Places is the number of concurrent runs of each model.
	Places int
	// Workers is the number of goroutines for the work on a page outside models, at least 1.
	Workers int
	// Fast reads every page as with [comic.Options.Fast].
	Fast bool
	// Fonts is a folder of fonts that replace the default ones; see [letter.Config]. It may be empty.
	Fonts string
	// KeepCase letters dialogue in the case of the translation instead of in capitals, as is usual in comics.
	KeepCase bool
	// Limits bound the pictures that are decoded.
	Limits picture.Limits
}

// Engine holds the loaded models and fonts. It is safe for concurrent use.
type Engine struct {
	reader
	// small reads long lines, and pages if [comic.Options.Fast] is set.
	small *smallModels
	// others read again the lines that recognizer may not read well.
	others []scripts.Recognizer
	// bubbles is nil if no model for bubbles is loaded.
	bubbles  *bubbles.Detector
	models   []Model
	letterer *letter.Letterer
	style    letter.Params
	filler   inpaint.Filler
	limits   picture.Limits
	closers  []func() error
}

// reader is the models that find and read lines.
type reader struct {
	detector   *detect.Detector
	recognizer *ocr.Recognizer
}

// Open loads models and fonts, and runs each model once, so that the first page does not wait while the device prepares it. It fails with
// CodeModelMissing, naming the file, if a file is missing or differs from the manifest, and with CodeInvalidInput if two models have the
// same place.
func Open(ctx context.Context, c Config) (_ *Engine, err error) {
	e := &Engine{limits: c.Limits, filler: inpaint.Filler{Workers: c.Workers}}
	defer func() {
		if err != nil {
			err = errors.Join(err, e.Close())
		}
	}()
	if c.Runtime.LibraryPath == "" {
		if c.Runtime.LibraryPath, err = c.Assets.Path(assets.OnnxRuntime); err != nil {
			return nil, missing(err)
		}
	}
	rt, err := onnx.Open(c.Runtime)
	if err != nil {
		return nil, err
	}
	e.closers = append(e.closers, rt.Close)
	base, err := BaseModels(c.Assets)
	if err != nil {
		return nil, err
	}
	chosen, err := chooseModels(base, c.Models)
	if err != nil {
		return nil, err
	}
	l := &loader{runtime: rt, places: c.Places, engine: e}
	for _, entry := range chosen {
		if err = l.add(ctx, entry); err != nil {
			return nil, err
		}
	}
	e.addSmall(l, c.Assets)
	if c.Fast {
		if e.reader, err = e.small.reader(ctx); err != nil {
			return nil, err
		}
		e.models = append(e.models, e.small.models...)
	}
	e.style = letter.DefaultParams()
	e.style.Capitals = !c.KeepCase
	e.letterer, err = letter.Open(letter.Config{Assets: c.Assets.Dir(), Fonts: c.Fonts})
	return e, err
}

func missing(err error) error {
	return core.Wrap(core.CodeModelMissing, err, "the assets are incomplete")
}

// Close releases the models.
func (e *Engine) Close() error {
	var errs []error
	for i := len(e.closers) - 1; i >= 0; i-- {
		errs = append(errs, e.closers[i]())
	}
	e.closers = nil
	return errors.Join(errs...)
}

// CheckSource fails with CodeUnknownLanguage if a source language is given and neither the base set nor an added model reads its script,
// as Detect would. It reads no file.
func CheckSource(added []onnx.Entry, from string) error {
	e := &Engine{}
	for _, entry := range added {
		if entry.Kind == onnx.KindRecognizer && len(entry.Scripts) > 0 {
			e.others = append(e.others, scripts.Recognizer{Scripts: entry.Scripts})
		}
	}
	return e.checkSource(from)
}
