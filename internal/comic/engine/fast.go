package engine

import (
	"context"
	"fmt"
	"slices"

	"plait/internal/assets"
	"plait/internal/comic/detect"
	"plait/internal/comic/ocr"
	"plait/internal/core"
	"plait/internal/onnx"
)

// addFast loads the smaller models that read pages if [comic.Options.Fast] is set. A detector or a recognizer that a manifest adds in place
// of that of the base set reads such pages too.
func (l *loader) addFast(ctx context.Context, set *assets.Set) error {
	e := l.engine
	e.fast = e.reader
	if l.isBase(assets.DetectModel) {
		entry, err := assetEntry(set, onnx.KindDetector, map[string]string{onnx.RoleModel: assets.FastDetectModel})
		if err != nil {
			return err
		}
		pools, err := l.load(entry, part{onnx.RoleModel, detect.Model})
		if err != nil {
			return err
		}
		e.fast.detector = detect.New(pools[0], detect.FastParams())
		if err := e.fast.detector.Warm(ctx); err != nil {
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
	text, err := entry.ReadFile(onnx.RoleVocabulary)
	if err != nil {
		return err
	}
	dictionary, err := ocr.ParseDictionaryFile(text)
	if err != nil {
		return core.Wrap(core.CodeModelMissing, err, fmt.Sprintf("the dictionary of model %q cannot be used", entry.Name))
	}
	pools, err := l.load(entry, part{onnx.RoleModel, ocr.Model})
	if err != nil {
		return err
	}
	if e.fast.recognizer, err = e.recognizer.Fast(pools[0], dictionary); err != nil {
		return err
	}
	return e.fast.recognizer.Warm(ctx)
}

// isBase reports whether a model of the base set is loaded.
func (l *loader) isBase(name string) bool {
	return slices.ContainsFunc(l.engine.models, func(m Model) bool { return m.Name == name })
}
