// Package pdf reads PDF files: pages as pictures, and their content as glyphs, rules and images.
//
// Two readers share the work. PDFium, in WebAssembly, renders pages and knows what glyphs stand for; the interpreter of package content knows
// which operator draws a glyph, so that package pdfedit can change it. The glyphs of the two are matched by their positions.
//
// # Isolation
//
// Files come from outside. PDFium has neither a file system nor a network nor more memory than its limit, and runs no JavaScript. When it
// fails, or a context ends, its instance is thrown away and the call fails; other instances do not notice. The object model (pdfcpu) is Go:
// its panics are errors here, and what it decodes is bounded.
package pdf

import (
	"context"
	"errors"
	"io"
	"runtime/debug"
	"sync"

	"github.com/klippa-app/go-pdfium"
	"github.com/klippa-app/go-pdfium/webassembly"
	"github.com/tetratelabs/wazero"
	"github.com/tetratelabs/wazero/api"
	"github.com/tetratelabs/wazero/experimental"

	"plait/internal/core"
)

// Config configures an engine.
type Config struct {
	// CacheDir keeps the compiled PDFium, 21 MB; without it every process compiles it, which takes four seconds of a core. Empty means none.
	CacheDir string
	// Instances is the number of files that are open at the same time; 0 is 1.
	Instances int
}

// pageBytes is the size of a page of WebAssembly memory, and memoryLimit bounds the memory of one instance: the largest page that
// [File.Render] draws takes 80 MB, and PDFium decodes its pictures at full size. Two instances and the rest of a process stay below 1 GB.
const (
	pageBytes   = 64 << 10
	memoryLimit = 384 << 20
	// renewAt is the memory from which an instance is replaced after a page: what a page needed stays with its instance. A page of text needs
	// 20 MB.
	renewAt = 64 << 20
)

// Engine makes instances of PDFium. It is safe for concurrent use.
type Engine struct {
	config Config
	once   sync.Once
	err    error
	pool   pdfium.Pool
	cache  wazero.CompilationCache
	// instances has room for those that there may be.
	instances chan struct{}
	// starting is held by the instance that starts, whose memory is started.
	starting     sync.Mutex
	started      *linearMemory
	startContext *startContext
}

// New makes an engine. PDFium is compiled when the first file is opened.
func New(c Config) *Engine {
	c.Instances = max(c.Instances, 1)
	return &Engine{config: c, instances: make(chan struct{}, c.Instances)}
}

// start waits until PDFium is compiled, or until ctx ends: the first call compiles it, and nobody waits longer than the call is wanted.
func (e *Engine) start(ctx context.Context) error {
	compiled := make(chan struct{})
	go func() {
		defer close(compiled)
		e.compile()
	}()
	select {
	case <-compiled:
	case <-ctx.Done():
		return ctx.Err()
	}
	if e.err != nil {
		return core.Wrap(core.CodeInternal, e.err, "PDFium does not start")
	}
	return nil
}

// compile compiles PDFium, once.
func (e *Engine) compile() {
	e.once.Do(func() {
		runtime := wazero.NewRuntimeConfig().
			WithCoreFeatures(api.CoreFeaturesV2 | experimental.CoreFeaturesExceptionHandling).
			WithMemoryLimitPages(memoryLimit / pageBytes).WithCloseOnContextDone(true)
		if e.config.CacheDir != "" {
			if e.cache, e.err = wazero.NewCompilationCacheWithDir(e.config.CacheDir); e.err != nil {
				return
			}
			runtime = runtime.WithCompilationCache(e.cache)
		}
		e.startContext = newStartContext(experimental.WithMemoryAllocator(context.Background(), experimental.MemoryAllocatorFunc(e.allocate)))
		e.pool, e.err = webassembly.Init(webassembly.Config{
			Context: e.startContext, MaxTotal: -1, FSConfig: wazero.NewFSConfig(), RuntimeConfig: runtime, Stdout: io.Discard, Stderr: io.Discard,
		})
		debug.FreeOSMemory() // the compiler leaves 200 MB behind
	})
}

// Close ends all instances.
func (e *Engine) Close() (err error) {
	e.once.Do(func() { e.err = errors.New("the engine is closed") })
	if e.pool != nil {
		err = e.pool.Close()
	}
	if e.cache != nil {
		err = errors.Join(err, e.cache.Close(context.Background()))
	}
	return err
}

// allocate gives an instance that starts its memory.
func (e *Engine) allocate(_, most uint64) experimental.LinearMemory {
	e.started = reserve(most)
	return e.started
}
