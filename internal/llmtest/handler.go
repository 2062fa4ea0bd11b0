package llmtest

import (
	"encoding/json"
	"io"
	"net/http"
	"slices"
	"strings"
)

// protocol reads requests and writes answers.
type protocol interface {
	read(r *http.Request, body []byte) (Call, error)
	failure(f failure) any
	completion(r *reply) any
	// pieces are the bodies of the events of a streamed completion, in order.
	pieces(r *reply) [][]byte
}

func (s *Server) handler() http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("POST /v1/chat/completions", s.serve(openAIProtocol{}))
	mux.HandleFunc("POST /v1beta/models/{action}", s.serve(geminiProtocol{}))
	mux.HandleFunc("POST /v1/messages", s.serve(anthropicProtocol{}))
	mux.HandleFunc("POST /v2/translate", s.serve(deepLProtocol{}))
	mux.HandleFunc("GET /v1/models", s.listOpenAI)
	mux.HandleFunc("GET /api/tags", s.listOllama)
	return mux
}

func (s *Server) serve(p protocol) http.HandlerFunc {
	return func(w http.ResponseWriter, request *http.Request) {
		body, err := io.ReadAll(http.MaxBytesReader(w, request.Body, maxRequestBytes))
		if err != nil {
			fail(w, p, failure{status: http.StatusRequestEntityTooLarge})
			return
		}
		call, err := p.read(request, body)
		if err != nil {
			fail(w, p, failure{status: http.StatusBadRequest, code: "invalid_request"})
			return
		}
		faults, latency, release := s.begin(&call)
		defer s.end()
		r := s.answer(call, faults)
		if !r.delivery.wait(request, latency, release) {
			return
		}
		if r.failure.status != 0 {
			fail(w, p, r.failure)
			return
		}
		s.count(r)
		var whole bool
		if call.Stream {
			whole = r.delivery.stream(w, request, p.pieces(r))
		} else {
			whole = r.delivery.deliver(w, request, encode(p.completion(r)))
		}
		if whole {
			s.answered(&call)
		}
	}
}

// answer builds the answer to a call: the correct one, changed by its faults.
func (s *Server) answer(call Call, faults []Fault) *reply {
	r := s.honest(call)
	switch {
	case s.key != "" && call.Key != s.key:
		r.failure = failure{status: http.StatusUnauthorized, code: "invalid_api_key"}
	case !slices.Contains(s.models, call.Model):
		r.failure = failure{status: http.StatusNotFound, code: "model_not_found", param: "model"}
	default:
		All(faults...)(r)
	}
	if s.filters(call) {
		ContentFilter()(r)
	}
	return r
}

func (s *Server) filters(call Call) bool {
	return slices.ContainsFunc(call.Segments, func(segment string) bool {
		return slices.ContainsFunc(s.filtered, func(word string) bool { return strings.Contains(segment, word) })
	})
}

func fail(w http.ResponseWriter, p protocol, f failure) {
	w.Header().Set("Content-Type", "application/json")
	if f.retryAfter != "" {
		w.Header().Set("Retry-After", f.retryAfter)
	}
	if f.status >= 300 && f.status < 400 {
		w.Header().Set("Location", "/elsewhere")
	}
	w.WriteHeader(f.status)
	// The client may have disconnected.
	_, _ = w.Write(encode(p.failure(f)))
}

func encode(v any) []byte {
	b, err := json.Marshal(v)
	if err != nil {
		panic(err) // cannot fail: the values are this package's own
	}
	return b
}

func (s *Server) listOpenAI(w http.ResponseWriter, _ *http.Request) {
	list := []map[string]any{}
	for _, name := range s.models {
		list = append(list, map[string]any{"id": name, "object": "model", "created": 0, "owned_by": "llmtest"})
	}
	w.Header().Set("Content-Type", "application/json")
	_, _ = w.Write(encode(map[string]any{"object": "list", "data": list}))
}

// listOllama gives each model the size 1 GB, and less for later ones.
func (s *Server) listOllama(w http.ResponseWriter, _ *http.Request) {
	list := []map[string]any{}
	for i, name := range s.models {
		m := map[string]any{"name": name, "model": name, "size": 1_000_000_000 - i}
		if strings.HasSuffix(name, "cloud") {
			m["remote_host"] = "https://cloud.example"
		}
		list = append(list, m)
	}
	w.Header().Set("Content-Type", "application/json")
	_, _ = w.Write(encode(map[string]any{"models": list}))
}
