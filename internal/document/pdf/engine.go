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
	"fmt"
	"io"
	"runtime/debug"
	"sync"
	"time"

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

// maxTime bounds one call of PDFium for one page. Real pages take less than two seconds.
const maxTime = 30 * time.Second

// Engine makes instances of PDFium. It is safe for concurrent use.
type Engine struct {
	config Config
	once   sync.Once
	err    error
	pool   pdfium.Pool
	cache  wazero.CompilationCache
	// starting has room for one instance that starts, whose memory is started.
	starting chan struct{}
	started  *linearMemory
}

// New makes an engine. PDFium is compiled when the first file is opened.
func New(c Config) *Engine {
	c.Instances = max(c.Instances, 1)
	return &Engine{config: c, starting: make(chan struct{}, 1)}
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
		e.pool, e.err = webassembly.Init(webassembly.Config{
			Context:  experimental.WithMemoryAllocator(context.Background(), experimental.MemoryAllocatorFunc(e.allocate)),
			MaxTotal: e.config.Instances, FSConfig: wazero.NewFSConfig(), RuntimeConfig: runtime, Stdout: io.Discard, Stderr: io.Discard,
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

// instance waits for an instance, until ctx ends.
func (e *Engine) instance(ctx context.Context) (pdfium.Pdfium, *linearMemory, error) {
	if err := e.start(ctx); err != nil {
		return nil, nil, err
	}
	select {
	case e.starting <- struct{}{}:
	case <-ctx.Done():
		return nil, nil, ctx.Err()
	}
	defer func() { <-e.starting }()
	i, err := e.pool.GetInstanceWithContext(ctx)
	if err != nil {
		if ctx.Err() != nil {
			return nil, nil, ctx.Err()
		}
		return nil, nil, core.Wrap(core.CodeUnavailable, err, "PDFium does not start")
	}
	return i, e.started, nil
}

// guarded calls work with an instance and its memory, and ends the instance when ctx ends first. A panic, such as that of a killed or crashed
// instance, is an error.
func guarded(ctx context.Context, i pdfium.Pdfium, memory *linearMemory, work func() error) (err error) {
	if err := ctx.Err(); err != nil {
		return err
	}
	defer memory.enter()()
	ctx, cancel := context.WithTimeoutCause(ctx, maxTime, errTooSlow)
	defer cancel()
	killed := make(chan struct{})
	stop := context.AfterFunc(ctx, func() {
		defer close(killed)
		_ = i.Kill() // it fails only for an instance that is closed
	})
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("PDFium crashed: %v", p)
		}
		if !stop() {
			<-killed // the library does not expect two that kill an instance
			err = context.Cause(ctx)
		}
	}()
	return work()
}

var errTooSlow = core.NewError(core.CodeInvalidDocument, "the page takes too long to read")
