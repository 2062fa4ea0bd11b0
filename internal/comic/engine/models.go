package engine

import (
	"context"
	"fmt"
	"slices"

	"plait/internal/assets"
	"plait/internal/comic/bubbles"
	"plait/internal/comic/detect"
	"plait/internal/comic/inpaint/neural"
	"plait/internal/comic/mangaocr"
	"plait/internal/comic/ocr"
	"plait/internal/comic/scripts"
	"plait/internal/core"
	"plait/internal/onnx"
)

// Model describes a loaded model.
type Model struct {
	onnx.Entry
	// Provider is the execution provider on which the model really runs, and Numbers is the number format in which it computes there.
	Provider, Numbers string
}

// Models are the loaded models. The base set, or its replacements, come first.
func (e *Engine) Models() []Model { return slices.Clone(e.models) }

// BaseModels are the entries of the base set, whose files are assets.
func BaseModels(set *assets.Set) ([]onnx.Entry, error) {
	detector, err := assetEntry(set, onnx.KindDetector, map[string]string{onnx.RoleModel: assets.DetectModel})
	if err != nil {
		return nil, err
	}
	recognizer, err := assetEntry(set, onnx.KindRecognizer, map[string]string{onnx.RoleModel: assets.RecognizeModel})
	return []onnx.Entry{detector, recognizer}, err
}

// assetEntry is the entry of a model whose files are assets, given by their roles. Its name is that of the asset of RoleModel.
func assetEntry(set *assets.Set, kind onnx.Kind, names map[string]string) (onnx.Entry, error) {
	manifest, err := assets.ReadManifest(assets.Platform())
	if err != nil {
		return onnx.Entry{}, err
	}
	e := onnx.Entry{Name: names[onnx.RoleModel], Kind: kind, Files: map[string]onnx.File{}}
	for role, name := range names {
		f, err := set.File(name)
		if err != nil {
			return onnx.Entry{}, missing(err)
		}
		path, err := set.Path(name)
		if err != nil {
			return onnx.Entry{}, missing(err)
		}
		e.Files[role] = onnx.File{Path: path, SHA256: f.SHA256}
		for _, p := range manifest.Packages {
			if p.Name == f.Package {
				e.License, e.Source = p.License, fmt.Sprintf("%s %s from %s", p.Name, p.Version, p.Source)
			}
		}
	}
	return e, nil
}

// chooseModels combines the base set with the added entries. A detector, and a recognizer without scripts, replace the base one; the
// others are used in addition. It fails with CodeInvalidInput, naming both entries, when two have the same place.
func chooseModels(base, added []onnx.Entry) ([]onnx.Entry, error) {
	chosen := slices.Clone(base)
	for _, e := range added {
		if slices.ContainsFunc(base, func(b onnx.Entry) bool { return b.Name == e.Name }) {
			return nil, core.Errorf(core.CodeInvalidInput, "model %q has the name of a model of the base set", e.Name)
		}
		at := slices.IndexFunc(chosen, func(c onnx.Entry) bool { return samePlace(c, e) })
		switch {
		case at < 0:
			chosen = append(chosen, e)
		case at < len(base) && chosen[at].Name == base[at].Name:
			chosen[at] = e
		default:
			return nil, core.Errorf(core.CodeInvalidInput, "models %q and %q are both of kind %q; a page is read with one of it",
				chosen[at].Name, e.Name, e.Kind)
		}
	}
	return chosen, nil
}

// samePlace reports whether the engine can use only one of two models. It uses any number of recognizers of scripts.
func samePlace(a, b onnx.Entry) bool {
	return a.Kind == b.Kind && len(a.Scripts) == 0 && len(b.Scripts) == 0
}

// loader loads the models of one engine.
type loader struct {
	runtime *onnx.Runtime
	places  int
	engine  *Engine
}

// add loads the files of an entry, adds it to the engine, and runs it once.
func (l *loader) add(ctx context.Context, entry onnx.Entry) error {
	switch entry.Kind {
	case onnx.KindDetector:
		return l.addDetector(ctx, entry, detect.DefaultParams())
	case onnx.KindRecognizer:
		return l.addRecognizer(ctx, entry)
	case onnx.KindBubbles:
		pools, err := l.load(entry, part{onnx.RoleModel, bubbles.Model})
		if err != nil {
			return err
		}
		l.engine.bubbles = bubbles.New(pools[0])
		return l.engine.bubbles.Warm(ctx)
	case onnx.KindMangaOCR:
		return l.addMangaOCR(ctx, entry)
	case onnx.KindInpainter:
		pools, err := l.load(entry, part{onnx.RoleModel, neural.Model(entry.Contract)})
		if err != nil {
			return err
		}
		painter := neural.New(pools[0], entry.Contract)
		l.engine.filler.Art = painter
		return painter.Warm(ctx)
	default:
		return core.Errorf(core.CodeInvalidInput, "model %q is of the unknown kind %q", entry.Name, entry.Kind)
	}
}

func (l *loader) addDetector(ctx context.Context, entry onnx.Entry, p detect.Params) error {
	pools, err := l.load(entry, part{onnx.RoleModel, detect.Model})
	if err != nil {
		return err
	}
	l.engine.detector = detect.New(pools[0], p)
	return l.engine.detector.Warm(ctx)
}

func (l *loader) addRecognizer(ctx context.Context, entry onnx.Entry) error {
	pools, err := l.load(entry, part{onnx.RoleModel, ocr.Model})
	if err != nil {
		return err
	}
	r, err := ocr.New(pools[0])
	if err != nil {
		return err
	}
	if len(entry.Scripts) == 0 {
		l.engine.recognizer = r
	} else {
		l.engine.others = append(l.engine.others, scripts.Recognizer{Reader: r, Scripts: entry.Scripts})
	}
	return r.Warm(ctx)
}

func (l *loader) addMangaOCR(ctx context.Context, entry onnx.Entry) error {
	vocabulary, err := parseVocabulary(entry, mangaocr.ParseVocabulary)
	if err != nil {
		return err
	}
	pools, err := l.load(entry, part{onnx.RoleEncoder, mangaocr.EncoderModel}, part{onnx.RoleDecoder, mangaocr.DecoderModel})
	if err != nil {
		return err
	}
	r, err := mangaocr.New(pools[0], pools[1], vocabulary)
	if err != nil {
		return err
	}
	l.engine.others = append(l.engine.others, scripts.Recognizer{Reader: r, Scripts: []string{"Hiragana", "Katakana", "Han"}})
	return r.Warm(ctx)
}

// parseVocabulary reads the file of what a model can output.
func parseVocabulary[T any](entry onnx.Entry, parse func([]byte) (T, error)) (vocabulary T, err error) {
	b, err := entry.ReadFile(onnx.RoleVocabulary)
	if err != nil {
		return vocabulary, err
	}
	if vocabulary, err = parse(b); err != nil {
		err = core.Wrap(core.CodeModelMissing, err, fmt.Sprintf("the vocabulary of model %q cannot be used", entry.Name))
	}
	return vocabulary, err
}

// part is a file of an entry that holds a model, and the inputs and outputs that the model must have.
type part struct {
	role     string
	contract func(name, path, sha256 string) onnx.Model
}

// load makes a pool for each part. The engine closes the pools.
func (l *loader) load(entry onnx.Entry, parts ...part) ([]*onnx.Pool, error) {
	contracts := make([]func(name, path, sha256 string) onnx.Model, len(parts))
	for i, p := range parts {
		contracts[i] = p.contract
	}
	if err := entry.CheckPorts(contracts...); err != nil {
		return nil, err
	}
	pools := make([]*onnx.Pool, len(parts))
	for i, p := range parts {
		pool, err := l.runtime.Load(entry.Model(p.role, p.contract), max(l.places, 1))
		if err != nil {
			return nil, err
		}
		l.engine.closers = append(l.engine.closers, pool.Close)
		pools[i] = pool
	}
	l.engine.models = append(l.engine.models, Model{Entry: entry, Provider: pools[0].Provider(), Numbers: pools[0].Numbers()})
	return pools, nil
}
