// Package engine ties the packages of the document engine together: it reads the layout of a page, sets the translations of a page, and
// writes the files of a document. It knows nothing of tasks.
package engine

import (
	"context"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"io"
	"math"
	"sync"

	"plait/internal/assets"
	"plait/internal/core"
	"plait/internal/document"
	"plait/internal/document/flow"
	"plait/internal/document/layout"
	"plait/internal/document/pdf"
	"plait/internal/document/typeset"
	"plait/internal/onnx"
)

// Config configures an engine.
type Config struct {
	Assets *assets.Set
	// CacheDir is as in [pdf.Config].
	CacheDir string
	// Workers is the number of files that are open at the same time, and of concurrent runs of the layout model.
	Workers int
	// Threads is the number of CPU threads of one run of the layout model.
	Threads int
	Device  onnx.Device
	// DeviceID is the number of the device, and Library the path of libonnxruntime; empty means that of the assets.
	DeviceID int
	Library  string
	// Confidence is the least confidence of a region of the layout, 0..1.
	Confidence float64
}

// Engine reads, sets and writes documents. It is safe for concurrent use.
type Engine struct {
	reader     *pdf.Engine
	detector   *layout.Detector
	confidence float64
	faces      *typeset.Faces
	closers    []func() error

	mu      sync.Mutex
	setters map[string]*typeset.Typesetter
}

// Open loads the layout model and finds the fonts. It fails with CodeModelMissing.
func Open(c Config) (_ *Engine, err error) {
	e := &Engine{confidence: c.Confidence, setters: map[string]*typeset.Typesetter{}}
	defer func() {
		if err != nil {
			err = errors.Join(err, e.Close())
		}
	}()
	if e.faces, err = typeset.OpenFaces(c.Assets); err != nil {
		return nil, err
	}
	library := c.Library
	if library == "" {
		if library, err = c.Assets.Path(assets.OnnxRuntime); err != nil {
			return nil, missing(err)
		}
	}
	rt, err := onnx.Open(onnx.Config{LibraryPath: library, Device: c.Device, DeviceID: c.DeviceID, Threads: max(c.Threads, 1)})
	if err != nil {
		return nil, err
	}
	e.closers = append(e.closers, rt.Close)
	if e.detector, err = e.loadModel(rt, c); err != nil {
		return nil, err
	}
	e.reader = pdf.New(pdf.Config{CacheDir: c.CacheDir, Instances: max(c.Workers, 1)})
	e.closers = append(e.closers, e.reader.Close)
	return e, nil
}

func (e *Engine) loadModel(rt *onnx.Runtime, c Config) (*layout.Detector, error) {
	file, err := c.Assets.File(assets.LayoutModel)
	if err != nil {
		return nil, missing(err)
	}
	path, err := c.Assets.Path(assets.LayoutModel)
	if err != nil {
		return nil, missing(err)
	}
	pool, err := rt.Load(layout.Model(layout.ContractPicoDet, assets.LayoutModel, path, file.SHA256), max(c.Workers, 1))
	if err != nil {
		return nil, err
	}
	e.closers = append(e.closers, pool.Close)
	return layout.New(pool, layout.ContractPicoDet)
}

func missing(err error) error {
	return core.Wrap(core.CodeModelMissing, err, "the assets are incomplete")
}

// Close frees everything.
func (e *Engine) Close() (err error) {
	for i := len(e.closers) - 1; i >= 0; i-- {
		err = errors.Join(err, e.closers[i]())
	}
	e.closers = nil
	return err
}

// File opens a file. The caller closes it.
func (e *Engine) File(ctx context.Context, source io.ReaderAt, size int64) (*pdf.File, error) {
	return e.reader.Open(ctx, source, size, pdf.Options{})
}

// Layout is what a page of a document holds.
type Layout struct {
	Page   document.Page
	Blocks []document.Block
	// Scanned is set for a page without a text layer.
	Scanned bool
	// Hash identifies the content that the blocks refer to.
	Hash string
}

// Layout reads the blocks of a page. It fails with INVALID_DOCUMENT and TOO_LARGE for a page that cannot be read.
func (e *Engine) Layout(ctx context.Context, f *pdf.File, page int) (Layout, error) {
	content, err := f.Content(ctx, page)
	if err != nil {
		return Layout{}, err
	}
	l := Layout{Page: content, Hash: Hash(content)}
	if l.Scanned = scanned(content); l.Scanned {
		return l, nil
	}
	picture, scale, err := f.Render(ctx, page, e.detector.DPI())
	if err != nil {
		return Layout{}, err
	}
	regions, err := e.detector.Regions(ctx, picture, e.confidence)
	if err != nil {
		return Layout{}, err
	}
	l.Blocks = flow.Build(content, layout.OnPage(regions, scale, content.Crop, content.Rotate)).Blocks
	return l, nil
}

// scanned reports whether a page shows no text but pictures.
func scanned(p document.Page) bool {
	for _, g := range p.Glyphs {
		if !g.Hidden && g.Text != "" && g.Text != " " {
			return false
		}
	}
	return len(p.Images) > 0
}

// Hash is a digest of the glyphs of a page: of their operators and positions. Blocks and edits refer to pages of the same hash.
func Hash(p document.Page) string {
	h := sha256.New()
	var b [8]byte
	for _, g := range p.Glyphs {
		for _, v := range []float64{float64(g.Op), float64(g.Index), g.Origin.X, g.Origin.Y} {
			binary.LittleEndian.PutUint64(b[:], math.Float64bits(math.Round(v*100)))
			h.Write(b[:])
		}
	}
	return hex.EncodeToString(h.Sum(nil)[:16])
}

// typesetter returns the typesetter of a language.
func (e *Engine) typesetter(lang string) *typeset.Typesetter {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.setters[lang] == nil {
		e.setters[lang] = typeset.New(e.faces, lang)
	}
	return e.setters[lang]
}
