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

// fastReader reads pages if [comic.Options.Fast] is set. Its models are loaded when the first such page is read: most processes read none.
type fastReader struct {
	// loader has an engine of its own, which holds the models of the base set beside those loaded here, and closes the latter.
	loader loader
	assets *assets.Set
	mutex  sync.Mutex
	loaded bool
}

// load returns the models. A call after one that failed loads them again.
func (f *fastReader) load(ctx context.Context) (reader, error) {
	f.mutex.Lock()
	defer f.mutex.Unlock()
	if !f.loaded {
		if err := f.loader.addFast(ctx, f.assets); err != nil {
			return reader{}, errors.Join(err, f.close())
		}
		f.loaded = true
	}
	return f.loader.engine.reader, nil
}

func (f *fastReader) close() error { return f.loader.engine.Close() }

// addFast replaces the models of the base set by the smaller ones that read pages if [comic.Options.Fast] is set. A detector or a recognizer
// that a manifest adds in place of that of the base set reads such pages too.
func (l *loader) addFast(ctx context.Context, set *assets.Set) error {
	e := l.engine
	if l.isBase(assets.DetectModel) {
		entry, err := assetEntry(set, onnx.KindDetector, map[string]string{onnx.RoleModel: assets.FastDetectModel})
		if err != nil {
			return err
		}
		if err := l.addDetector(ctx, entry, detect.FastParams()); err != nil {
			return err
		}
	}
	if !l.isBase(assets.RecognizeModel) {
		return nil
	}
	entry, err := assetEntry(set, onnx.KindRecognizer, map[string]string{
		onnx.RoleModel: assets.FastRecognizeModel, onnx.RoleVocabulary: assets.FastDictionary,
	})
	if err != nil {
		return err
	}
	dictionary, err := parseVocabulary(entry, ocr.ParseDictionaryFile)
	if err != nil {
		return err
	}
	pools, err := l.load(entry, part{onnx.RoleModel, ocr.Model})
	if err != nil {
		return err
	}
	recognizer, err := e.recognizer.Fast(pools[0], dictionary)
	if err != nil {
		return err
	}
	e.recognizer = recognizer
	return recognizer.Warm(ctx)
}

// isBase reports whether a model of the base set is loaded.
func (l *loader) isBase(name string) bool {
	return slices.ContainsFunc(l.engine.models, func(m Model) bool { return m.Name == name })
}
