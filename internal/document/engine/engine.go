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
	"slices"
	"sync"

	"plait/internal/assets"
	"plait/internal/core"
	"plait/internal/document"
	"plait/internal/document/flow"
	"plait/internal/document/layout"
	"plait/internal/document/pdf"
	"plait/internal/document/scan"
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
	// Models may have one layout model, which replaces that of the assets. Models of other kinds are not used.
	Models []onnx.Entry
	// Confidence is the least confidence of a region of the layout, 0..1, of documents that choose none.
	Confidence float64
}

// Engine reads, sets and writes documents. It is safe for concurrent use.
type Engine struct {
	reader     *pdf.Engine
	detector   *layout.Detector
	confidence float64
	faces      *typeset.Faces
	runtime    *onnx.Runtime
	assets     *assets.Set
	places     int

	mu      sync.Mutex
	closers []func() error
	setters map[string]*typeset.Typesetter
	// scans is nil before the first scanned page.
	scans *scan.Reader
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
	e.runtime, e.assets, e.places = rt, c.Assets, max(c.Workers, 1)
	if err = e.loadLayout(c.Models); err != nil {
		return nil, err
	}
	e.reader = pdf.New(pdf.Config{CacheDir: c.CacheDir, Instances: max(c.Workers, 1)})
	e.closers = append(e.closers, e.reader.Close)
	return e, nil
}

// loadLayout loads the layout model of a manifest, or else that of the assets.
func (e *Engine) loadLayout(added []onnx.Entry) error {
	contract := onnx.ContractPicoDet
	var pool *onnx.Pool
	var err error
	at := slices.IndexFunc(added, func(m onnx.Entry) bool { return m.Kind == onnx.KindLayout })
	if at < 0 {
		pool, err = e.load(assets.LayoutModel, layout.Model(contract))
	} else {
		contract = added[at].Contract
		if err = added[at].CheckPorts(layout.Model(contract)); err != nil {
			return err
		}
		pool, err = e.loadModel(added[at].Model(onnx.RoleModel, layout.Model(contract)))
	}
	if err != nil {
		return err
	}
	e.detector, err = layout.New(pool, contract)
	return err
}

// load loads a model of the assets.
func (e *Engine) load(name string, contract func(name, path, sha256 string) onnx.Model) (*onnx.Pool, error) {
	file, err := e.assets.File(name)
	if err != nil {
		return nil, missing(err)
	}
	path, err := e.assets.Path(name)
	if err != nil {
		return nil, missing(err)
	}
	return e.loadModel(contract(name, path, file.SHA256))
}

func (e *Engine) loadModel(m onnx.Model) (*onnx.Pool, error) {
	pool, err := e.runtime.Load(m, e.places)
	if err == nil {
		e.closers = append(e.closers, pool.Close)
	}
	return pool, err
}

func missing(err error) error {
	return core.Wrap(core.CodeModelMissing, err, "the assets are incomplete")
}

// Close frees everything.
func (e *Engine) Close() (err error) {
	e.mu.Lock() // models of scans may be loading
	defer e.mu.Unlock()
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
	// Scanned is set for a page that is a picture of text. Its blocks have no glyphs of the page, but those of a text layer beside the text in
	// the picture.
	Scanned bool
	// Hash identifies the content that the blocks refer to.
	Hash string
}

// Layout reads the blocks of a page. Confidence is the least confidence of a region, 0..1; 0 is that of the engine. It fails with INVALID_DOCUMENT and TOO_LARGE for a page that cannot be read.
func (e *Engine) Layout(ctx context.Context, f *pdf.File, page int, confidence float64) (Layout, error) {
	if confidence == 0 {
		confidence = e.confidence
	}
	content, err := f.Content(ctx, page)
	if err != nil {
		return Layout{}, err
	}
	l := Layout{Page: content, Hash: Hash(content), Scanned: content.Scanned()}
	if l.Scanned || content.MostlyPicture() {
		if l.Blocks, l.Scanned, err = e.scannedBlocks(ctx, f, content, confidence); err != nil {
			return Layout{}, err
		}
	}
	if !l.Scanned {
		regions, err := e.regions(ctx, f, content, confidence)
		if err != nil {
			return Layout{}, err
		}
		l.Blocks = flow.Build(content, regions).Blocks
	}
	bookmarks, err := f.Bookmarks(ctx)
	l.Blocks = append(l.Blocks, document.BookmarkBlocks(bookmarks, page, l.Blocks)...)
	return l, err
}

// regions returns what the layout model finds on a page.
func (e *Engine) regions(ctx context.Context, f *pdf.File, p document.Page, confidence float64) ([]document.Region, error) {
	picture, scale, err := f.Render(ctx, p.Index, e.detector.DPI())
	if err != nil {
		return nil, err
	}
	found, err := e.detector.Regions(ctx, picture, confidence)
	return layout.OnPage(found, document.View{Scale: scale, Crop: p.Crop, Rotate: p.Rotate}), err
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
