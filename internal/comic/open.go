package comic

import (
	"context"
	"errors"
	"path/filepath"

	"plait/internal/assets"
	"plait/internal/comic/detect"
	"plait/internal/comic/letter"
	"plait/internal/comic/ocr"
	"plait/internal/onnx"
	"plait/internal/picture"
	"plait/internal/pipeline"
)

// Config says what an engine is made of.
type Config struct {
	Assets *assets.Set
	Device onnx.Device
	// Library is the file of libonnxruntime, or empty for the one of the assets.
	Library string
	// DeviceID tells devices of one kind apart, from 0.
	DeviceID int
	// Threads is how many threads one model run computes on, on a CPU.
	Threads int
	// Places is how many runs of a model go on at once.
	Places int
	// Limits bound what is decoded.
	Limits picture.Limits
}

// Engine is loaded models and fonts. It is safe for concurrent use.
type Engine struct {
	detector   *detect.Detector
	recognizer *ocr.Recognizer
	fonts      *letter.Fonts
	limits     picture.Limits
	provider   string
	closers    []func() error
}

// Open loads models and fonts and runs each model once, so that the first page does not wait for the device to
// prepare. It fails with CodeModelMissing naming the file that is absent or not the manifest's.
func Open(ctx context.Context, c Config) (_ *Engine, err error) {
	e := &Engine{limits: c.Limits}
	defer func() {
		if err != nil {
			err = errors.Join(err, e.Close())
		}
	}()
	library := c.Library
	if library == "" {
		if library, err = c.Assets.Path(assets.OnnxRuntime); err != nil {
			return nil, missing(err)
		}
	}
	rt, err := onnx.Open(onnx.Config{LibraryPath: library, Device: c.Device, DeviceID: c.DeviceID, Threads: c.Threads})
	if err != nil {
		return nil, err
	}
	e.closers = append(e.closers, rt.Close)
	detection, err := e.load(rt, c, assets.DetectModel, detect.Model)
	if err != nil {
		return nil, err
	}
	recognition, err := e.load(rt, c, assets.RecognizeModel, ocr.Model)
	if err != nil {
		return nil, err
	}
	e.provider = detection.Provider()
	e.detector = detect.New(detection, detect.DefaultParams())
	if e.recognizer, err = ocr.New(recognition, ocr.DefaultParams()); err != nil {
		return nil, err
	}
	if e.fonts, err = letter.LoadFonts(letter.DefaultFiles(filepath.Join(c.Assets.Dir(), "fonts"))); err != nil {
		return nil, err
	}
	if err = e.detector.Warm(ctx); err != nil {
		return nil, err
	}
	return e, e.recognizer.Warm(ctx)
}

func (e *Engine) load(rt *onnx.Runtime, c Config, name string, model func(name, path, sha256 string) onnx.Model) (*onnx.Pool, error) {
	f, err := c.Assets.File(name)
	if err != nil {
		return nil, missing(err)
	}
	path, err := c.Assets.Path(name)
	if err != nil {
		return nil, missing(err)
	}
	pool, err := rt.Load(model(name, path, f.SHA256), max(c.Places, 1))
	if err != nil {
		return nil, err
	}
	e.closers = append(e.closers, pool.Close)
	return pool, nil
}

func missing(err error) error {
	return pipeline.Wrap(pipeline.CodeModelMissing, err, "the assets are not whole")
}

// Provider is the execution provider that the models truly run on.
func (e *Engine) Provider() string { return e.provider }

// Close releases the models.
func (e *Engine) Close() error {
	var errs []error
	for i := len(e.closers) - 1; i >= 0; i-- {
		errs = append(errs, e.closers[i]())
	}
	e.closers = nil
	return errors.Join(errs...)
}
