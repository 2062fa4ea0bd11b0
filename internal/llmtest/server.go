package llmtest

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"sync"
	"time"
)

// maxRequestBytes bounds a request's body.
const maxRequestBytes = 16 << 20

// DefaultModel is the model that a server offers by default.
const DefaultModel = "test-model"

// Server is a running model server. It is safe for concurrent use.
type Server struct {
	translate func(string) string
	key       string
	models    []string
	address   string
	always    []Fault
	filtered  []string
	matrix    *Matrix

	listener net.Listener
	http     *http.Server
	served   sync.WaitGroup

	mu          sync.Mutex
	asked       map[uint64]uint64 // how often each request was repeated
	met         map[Kind]int
	input       int
	output      int
	queue       []Fault
	calls       []*Call
	seen        int
	inFlight    int
	maxInFlight int
	changed     chan struct{} // closed and replaced whenever inFlight changes
	release     chan struct{} // closed and replaced by Release
}

// Option sets up a server.
type Option func(*Server)

// WithTable answers with the table's translations, and with Mark for texts that are not in it.
func WithTable(table map[string]string) Option {
	return WithTranslate(func(source string) string {
		if translation, ok := table[source]; ok {
			return translation
		}
		return Mark(source)
	})
}

// WithTranslate answers with the results of f; f may be called concurrently.
func WithTranslate(f func(source string) string) Option { return func(s *Server) { s.translate = f } }

// WithKey refuses calls without the key.
func WithKey(key string) Option { return func(s *Server) { s.key = key } }

// WithModels offers these models, and answers 404 for others.
func WithModels(names ...string) Option { return func(s *Server) { s.models = names } }

// WithAddress listens on the address; the default is a free port of 127.0.0.1.
func WithAddress(address string) Option { return func(s *Server) { s.address = address } }

// WithFaults gives the first call the first fault, and so on; calls after the last fault are answered correctly.
func WithFaults(faults ...Fault) Option { return func(s *Server) { s.queue = faults } }

// WithEvery gives every call these faults, before its own.
func WithEvery(faults ...Fault) Option { return func(s *Server) { s.always = faults } }

// WithFilter ends an answer with the content filter's finish reason if a segment of the prompt contains one of these words.
func WithFilter(words ...string) Option { return func(s *Server) { s.filtered = words } }

// TB is the part of testing.TB that New needs.
type TB interface {
	Helper()
	Cleanup(func())
	Fatalf(format string, args ...any)
}

// New starts a server that stops at the end of the test.
func New(t TB, options ...Option) *Server {
	t.Helper()
	s, err := Start(options...)
	if err != nil {
		t.Fatalf("start the model server: %v", err)
	}
	t.Cleanup(s.Close)
	return s
}

// Start starts a server that runs until Close. It fails when it cannot listen.
func Start(options ...Option) (*Server, error) {
	s := &Server{
		translate: Mark,
		models:    []string{DefaultModel},
		address:   "127.0.0.1:0",
		asked:     map[uint64]uint64{},
		met:       map[Kind]int{},
		changed:   make(chan struct{}),
		release:   make(chan struct{}),
	}
	for _, option := range options {
		option(s)
	}
	listener, err := new(net.ListenConfig).Listen(context.Background(), "tcp", s.address)
	if err != nil {
		return nil, fmt.Errorf("model server: %w", err)
	}
	s.listener = listener
	s.http = &http.Server{Handler: s.handler(), MaxHeaderBytes: 64 << 10, ReadHeaderTimeout: 10 * time.Second}
	s.served.Go(func() {
		if err := s.http.Serve(listener); !errors.Is(err, http.ErrServerClosed) {
			panic(err)
		}
	})
	return s, nil
}

// Close ends every call and the server.
func (s *Server) Close() {
	// Close fails only when the listener is already closed.
	_ = s.http.Close()
	s.served.Wait()
}

// URL is the address without a path.
func (s *Server) URL() string { return "http://" + s.listener.Addr().String() }

// OpenAIURL is the base address for the OpenAI protocol.
func (s *Server) OpenAIURL() string { return s.URL() + "/v1" }

// GeminiURL is the base address for the Gemini protocol.
func (s *Server) GeminiURL() string { return s.URL() }

// Port is the TCP port.
func (s *Server) Port() int { return s.listener.Addr().(*net.TCPAddr).Port }

// Model is the first model that the server offers.
func (s *Server) Model() string { return s.models[0] }

// Next queues faults for later calls, after those in the queue.
func (s *Server) Next(faults ...Fault) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.queue = append(s.queue, faults...)
}

// Release lets every hanging call continue.
func (s *Server) Release() {
	s.mu.Lock()
	defer s.mu.Unlock()
	close(s.release)
	s.release = make(chan struct{})
}

// WaitInFlight waits until exactly n calls are in flight. It fails with the error of ctx.
func (s *Server) WaitInFlight(ctx context.Context, n int) error {
	for {
		s.mu.Lock()
		now, changed := s.inFlight, s.changed
		s.mu.Unlock()
		if now == n {
			return nil
		}
		select {
		case <-ctx.Done():
			return fmt.Errorf("%d calls in flight, waiting for %d: %w", now, n, ctx.Err())
		case <-changed:
		}
	}
}
