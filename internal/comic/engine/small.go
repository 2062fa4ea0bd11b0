package engine

import (
	"context"
	"errors"
	"slices"
	"sync"

	"plait/internal/assets"
	"plait/internal/comic/detect"
	"plait/internal/comic/ocr"
	"plait/internal/onnx"
)

// smallModels are the smaller models of the base set: a recognizer for long lines, which reads every line if [comic.Options.Fast] is set,
// and a detector for such pages. Each is loaded when it is first needed: most pages need none.
type smallModels struct {
	loader loader
	assets *assets.Set
	// base is the reader with the models of the engine.
	base reader
	// hasDetector and hasRecognizer say which models there are: a detector or a recognizer that a manifest adds in place of that of the base
	// set reads all pages.
	hasDetector, hasRecognizer bool

	mutex      sync.Mutex
	detector   *detect.Detector
	recognizer *ocr.Small
	models     []Model
	closers    []func() error
}

// addSmall lets the engine read long lines with a smaller model, and prepares the reader of fast pages.
func (e *Engine) addSmall(l *loader, set *assets.Set) {
	isBase := func(name string) bool {
		return slices.ContainsFunc(e.models, func(m Model) bool { return m.Name == name })
	}
	s := &smallModels{
		loader: *l, assets: set, hasDetector: isBase(assets.DetectModel), hasRecognizer: isBase(assets.RecognizeModel),
	}
	if s.hasRecognizer {
		e.recognizer = e.recognizer.WithSmall(s.loadRecognizer)
	}
	s.base, e.small = e.reader, s
	e.closers = append(e.closers, s.close)
}

// reader returns the reader of fast pages.
func (s *smallModels) reader(ctx context.Context) (reader, error) {
	r := reader{s.base.detector, s.base.recognizer.Fast()}
	if s.hasDetector {
		var err error
		if r.detector, err = s.loadDetector(ctx); err != nil {
			return r, err
		}
	}
	if s.hasRecognizer {
		if _, err := s.loadRecognizer(ctx); err != nil {
			return r, err
		}
	}
	return r, nil
}

func (s *smallModels) loadDetector(ctx context.Context) (*detect.Detector, error) {
	return lazily(s, &s.detector, func(l *loader) (*detect.Detector, error) {
		entry, err := assetEntry(s.assets, onnx.KindDetector, map[string]string{onnx.RoleModel: assets.FastDetectModel})
		if err == nil {
			err = l.addDetector(ctx, entry, detect.FastParams())
		}
		return l.engine.detector, err
	})
}

func (s *smallModels) loadRecognizer(context.Context) (*ocr.Small, error) {
	return lazily(s, &s.recognizer, func(l *loader) (*ocr.Small, error) {
		entry, err := assetEntry(s.assets, onnx.KindRecognizer, map[string]string{
			onnx.RoleModel: assets.FastRecognizeModel, onnx.RoleVocabulary: assets.FastDictionary,
		})
		if err != nil {
			return nil, err
		}
		dictionary, err := parseVocabulary(entry, ocr.ParseDictionaryFile)
		if err != nil {
			return nil, err
		}
		pools, err := l.load(entry, part{onnx.RoleModel, ocr.Model})
		if err != nil {
			return nil, err
		}
		return ocr.NewSmall(pools[0], dictionary)
	})
}

// lazily returns the model at kept. The first call loads it with a loader for an engine of its own, whose models s keeps. If that fails,
// nothing is kept, and the next call loads again.
func lazily[T any](s *smallModels, kept **T, load func(*loader) (*T, error)) (*T, error) {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	if *kept != nil {
		return *kept, nil
	}
	l := s.loader
	l.engine = &Engine{}
	model, err := load(&l)
	if err != nil {
		return nil, errors.Join(err, l.engine.Close())
	}
	*kept, s.models, s.closers = model, append(s.models, l.engine.models...), append(s.closers, l.engine.closers...)
	return model, nil
}

func (s *smallModels) close() error { return (&Engine{closers: s.closers}).Close() }
