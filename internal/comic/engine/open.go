package engine

import (
	"context"
	"errors"

	"plait/internal/assets"
	"plait/internal/comic"
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

// Config says what an engine is made of.
type Config struct {
	Assets *assets.Set
	Device onnx.Device
	// Library is the file of libonnxruntime, or empty for the one of the assets.
	Library string
	// DeviceID tells devices of one kind apart, from 0.
	DeviceID int
	// Precision is empty for full.
	Precision onnx.Precision
	// Models are added to the base set; see [onnx.ReadManifest].
	Models []onnx.Entry
	// Threads is how many threads one model run computes on, on a CPU.
	Threads int
	// Places is how many runs of a model go on at once.
	Places int
	// Workers is how many parts of a page are worked on side by side where no model does, at least 1.
	Workers int
	// Fast looks for text on reduced pages; see [detect.FastParams]. What is found is read at full size all the same.
	Fast bool
	// Fonts is a folder of fonts that take the place of the house's; see [letter.Config]. Empty for none.
	Fonts string
	// KeepCase letters dialogue in the case of the translation, rather than in capitals as comics do.
	KeepCase bool
	// Limits bound what is decoded.
	Limits picture.Limits
}

// Engine is loaded models and fonts. It is safe for concurrent use.
type Engine struct {
	detector   *detect.Detector
	recognizer *ocr.Recognizer
	// others read lines again that recognizer may not read well.
	others []scripts.Recognizer
	// bubbles is nil without such a model.
	bubbles  *bubbles.Detector
	models   []Model
	letterer *letter.Letterer
	style    letter.Params
	filler   inpaint.Filler
	limits   picture.Limits
	closers  []func() error
}

// Open loads models and fonts and runs each model once, so that the first page does not wait for the device to
// prepare. It fails with CodeModelMissing naming the file that is absent or not the manifest's, and with CodeInvalidInput
// when two models are for one place.
func Open(ctx context.Context, c Config) (_ *Engine, err error) {
	e := &Engine{limits: c.Limits, filler: inpaint.Filler{Workers: c.Workers}}
	defer func() {
		if err != nil {
			err = errors.Join(err, e.Close())
		}
	}()
	rt, err := e.openRuntime(c)
	if err != nil {
		return nil, err
	}
	base, err := BaseModels(c.Assets)
	if err != nil {
		return nil, err
	}
	chosen, err := chooseModels(base, c.Models)
	if err != nil {
		return nil, err
	}
	l := &loader{runtime: rt, places: c.Places, detect: detect.DefaultParams(), engine: e}
	if c.Fast {
		l.detect = detect.FastParams()
	}
	for _, entry := range chosen {
		if err = l.add(ctx, entry); err != nil {
			return nil, err
		}
	}
	e.style = letter.DefaultParams()
	e.style.Capitals = !c.KeepCase
	e.letterer, err = letter.Open(letter.Config{Assets: c.Assets.Dir(), Fonts: c.Fonts})
	return e, err
}

func (e *Engine) openRuntime(c Config) (*onnx.Runtime, error) {
	library := c.Library
	if library == "" {
		var err error
		if library, err = c.Assets.Path(assets.OnnxRuntime); err != nil {
			return nil, missing(err)
		}
	}
	rt, err := onnx.Open(onnx.Config{
		LibraryPath: library, Device: c.Device, DeviceID: c.DeviceID, Precision: c.Precision, Threads: c.Threads,
	})
	if err == nil {
		e.closers = append(e.closers, rt.Close)
	}
	return rt, err
}

func missing(err error) error {
	return core.Wrap(core.CodeModelMissing, err, "the assets are not whole")
}

// Without is an engine with the same models that reads without some passes, to measure what they gain and cost. It is used while e
// is open, and never closed.
func (e *Engine) Without(passes comic.Passes) *Engine {
	less := *e
	less.closers = nil
	less.detector, less.recognizer = e.detector.Without(passes), e.recognizer.Without(passes)
	return &less
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

// CheckSource fails with CodeUnknownLanguage where an engine of the base set and the added models would: for a given
// source language whose script none of them reads. It touches no file.
func CheckSource(added []onnx.Entry, from string) error {
	e := &Engine{}
	for _, entry := range added {
		if entry.Kind == onnx.KindRecognizer && len(entry.Scripts) > 0 {
			e.others = append(e.others, scripts.Recognizer{Scripts: entry.Scripts})
		}
	}
	return e.checkSource(from)
}
