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

// Config bounds a host. Every field is required.
type Config struct {
	// Token is the required value of X-Internal-Token.
	Token string
	// MaxImageBytes bounds an image; a larger one is answered 413.
	MaxImageBytes int64
	// MaxRequests bounds the requests under way, each with an image in memory; further ones are answered 429.
	MaxRequests int
	// Timeout bounds one request, from its first byte to its last; the contract specifies 120 s.
	Timeout time.Duration
}

// Parts are the parts of the worker process that requests use.
type Parts struct {
	Contexts *lease.Cache
	Device   *comicsteps.Device
	// Translate translates the regions of a page that came without translations.
	Translate func(ctx context.Context, in comic.TranslateInput) (comic.TranslateOutput, error)
}

// Server serves one worker process.
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

// Ready admits requests, once the models are loaded.
func (s *Server) Ready(p Parts) { s.parts.Store(&p) }

// Drain refuses new pages with NOT_READY from now on. Renders of kept contexts continue.
func (s *Server) Drain() { s.draining.Store(true) }

// Handler returns the endpoints without a listener.
func (s *Server) Handler() http.Handler {
	mux := http.NewServeMux()
	mux.Handle("POST /internal/translate/detect", s.endpoint(comic.StageDetect, comic.ModeSplit, s.detect))
	mux.Handle("POST /internal/translate/render", s.endpoint(comic.StageRender, comic.ModeSplit, s.render))
	mux.Handle("POST /internal/translate/page", s.endpoint(comic.StagePage, comic.ModeUnified, s.page))
	return mux
}

// call is one admitted request.
type call struct {
	*Parts
	w       http.ResponseWriter
	request *http.Request
	headers headers
}

// endpoint wraps every request: it checks token, readiness and bounds before the endpoint's own checks.
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

// admit makes the checks that do not need the body.
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
