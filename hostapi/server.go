package hostapi

import (
	"context"
	"crypto/sha256"
	"log/slog"
	"net/http"
	"sync/atomic"
	"time"

	comicsteps "plait/activities/comic"
	"plait/internal/comic"
	"plait/internal/core"
	"plait/internal/lease"
)

// Config is what a host lets in. Every field is required.
type Config struct {
	// Token is what X-Internal-Token must hold.
	Token string
	// MaxImageBytes bounds an image; 413 is answered to more.
	MaxImageBytes int64
	// MaxRequests are under way at once, each with an image in memory; 429 is answered to more.
	MaxRequests int
	// Timeout is for one request, from its first byte to its last; the contract's is 120 s.
	Timeout time.Duration
}

// Parts are what the requests work with: those of the worker process.
type Parts struct {
	Contexts *lease.Cache
	Device   *comicsteps.Device
	// Translate translates the regions of a page that came without translations.
	Translate func(ctx context.Context, in comic.TranslateInput) (comic.TranslateOutput, error)
}

// Server answers for one worker process.
type Server struct {
	config   Config
	token    [sha256.Size]byte
	parts    atomic.Pointer[Parts]
	draining atomic.Bool
	// warm is false until the first request after loading.
	warm     atomic.Bool
	requests chan struct{}
	log      *slog.Logger
}

// New makes a server that is not ready.
func New(c Config, log *slog.Logger) *Server {
	return &Server{
		config: c, token: sha256.Sum256([]byte(c.Token)), requests: make(chan struct{}, c.MaxRequests), log: log,
	}
}

// Ready lets requests in: the models are loaded.
func (s *Server) Ready(p Parts) { s.parts.Store(&p) }

// Drain refuses new pages with NOT_READY from now on. Renders of contexts that are kept go on.
func (s *Server) Drain() { s.draining.Store(true) }

// Handler serves the endpoints without a listener of its own.
func (s *Server) Handler() http.Handler {
	mux := http.NewServeMux()
	mux.Handle("POST /internal/translate/detect", s.endpoint(comic.StageDetect, comic.ModeSplit, s.detect))
	mux.Handle("POST /internal/translate/render", s.endpoint(comic.StageRender, comic.ModeSplit, s.render))
	mux.Handle("POST /internal/translate/page", s.endpoint(comic.StagePage, comic.ModeUnified, s.page))
	return mux
}

// call is one request that was let in.
type call struct {
	*Parts
	w       http.ResponseWriter
	request *http.Request
	headers headers
}

// endpoint is the frame of every request: its token, readiness and bounds come first, then its own checks.
func (s *Server) endpoint(stage core.Stage, mode core.Mode, answer func(*call) error) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		c := &call{w: w, request: r, headers: headers{stage: stage, mode: mode, began: time.Now()}}
		if stage != comic.StageDetect {
			c.headers.models = &models{} // until the request is read
		}
		defer s.recoverPanic(c)
		leave, err := s.admit(c)
		if err == nil {
			defer leave()
			ctx, cancel := context.WithTimeout(r.Context(), s.config.Timeout)
			defer cancel()
			c.request = r.WithContext(ctx)
			err = answer(c)
		}
		if err != nil {
			s.refuse(c, err)
		}
	})
}

// admit makes the checks that need nothing of the body.
func (s *Server) admit(c *call) (leave func(), err error) {
	if !s.authorized(c.request) {
		return nil, core.NewError(core.CodeUnauthorized, "the header "+TokenHeader+" is missing or wrong")
	}
	if c.Parts = s.parts.Load(); c.Parts == nil {
		return nil, core.NewError(core.CodeNotReady, "the models are loading")
	}
	if s.draining.Load() && c.headers.stage != comic.StageRender {
		return nil, core.NewError(core.CodeNotReady, "the host drains")
	}
	select {
	case s.requests <- struct{}{}:
	default:
		return nil, core.NewError(core.CodeRateLimited, "the host has enough to do; try again in a moment")
	}
	c.headers.cold = s.warm.CompareAndSwap(false, true)
	c.request.Body = http.MaxBytesReader(c.w, c.request.Body, s.config.MaxImageBytes+maxTextBytes)
	return func() { <-s.requests }, nil
}
