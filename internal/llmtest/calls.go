package llmtest

import (
	"net/http"
	"regexp"
	"slices"
	"time"
)

// maxCalls bounds the calls that are remembered; the oldest go first.
const maxCalls = 10_000

// Call is what one request asked for.
type Call struct {
	// Protocol is "openai", "gemini", "anthropic" or "deepl".
	Protocol string
	Model    string
	// Key is the key that the request carried.
	Key    string
	Header http.Header
	// System and User are the texts of those roles.
	System, User string
	// Segments are the numbered segments of User, in their order.
	Segments []string
	// Temperature and TopP are nil where the request has none. MaxTokens is 0 there, and its name in the OpenAI protocol
	// is in MaxTokensField.
	Temperature, TopP *float64
	MaxTokens         int
	MaxTokensField    string
	// Schema says that the answer was asked for as JSON by a schema.
	Schema bool
	// Stream says that the answer was asked for in pieces.
	Stream bool
	// Asked is when the request had come.
	Asked time.Time
	// Answered is when the whole of a successful answer had been sent: from then on, a provider would want to be paid. It is
	// zero before, and for calls that fail or are left.
	Answered time.Time
}

var segmentLine = regexp.MustCompile(`(?m)^<\|\d+\|>(.*)$`)

func segmentsOf(prompt string) []string {
	var segments []string
	for _, match := range segmentLine.FindAllStringSubmatch(prompt, -1) {
		segments = append(segments, match[1])
	}
	return segments
}

// Calls are the calls so far, refused ones too; of more than 10,000 the latest.
func (s *Server) Calls() []Call {
	s.mu.Lock()
	defer s.mu.Unlock()
	calls := make([]Call, len(s.calls))
	for i, call := range s.calls {
		calls[i] = *call
	}
	return calls
}

// CallCount is the number of calls so far.
func (s *Server) CallCount() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.seen
}

// InFlight is the number of calls that are not answered yet.
func (s *Server) InFlight() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.inFlight
}

// MaxInFlight is the largest number of calls that were in flight at once.
func (s *Server) MaxInFlight() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.maxInFlight
}

// begin remembers the call and takes its faults.
func (s *Server) begin(call *Call) (faults []Fault, latency time.Duration, release <-chan struct{}) {
	s.mu.Lock()
	defer s.mu.Unlock()
	call.Asked = time.Now()
	if len(s.calls) == maxCalls {
		s.calls = slices.Delete(s.calls, 0, 1)
	}
	s.calls = append(s.calls, call)
	s.seen++
	s.inFlight++
	s.maxInFlight = max(s.maxInFlight, s.inFlight)
	s.announce()
	faults, latency = s.drawn(*call)
	faults = append(faults, s.always...)
	if len(s.queue) > 0 {
		faults = append(faults, s.queue[0])
		s.queue = s.queue[1:]
	}
	return faults, latency, s.release
}

// Tokens are those of all answers so far, as their usage tells or would tell.
func (s *Server) Tokens() (input, output int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.input, s.output
}

func (s *Server) count(r *reply) {
	in, out := r.tokens()
	s.mu.Lock()
	defer s.mu.Unlock()
	s.input += in
	s.output += out
}

func (s *Server) answered(call *Call) {
	s.mu.Lock()
	defer s.mu.Unlock()
	call.Answered = time.Now()
}

func (s *Server) end() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.inFlight--
	s.announce()
}

// announce wakes WaitInFlight; the lock is held.
func (s *Server) announce() {
	close(s.changed)
	s.changed = make(chan struct{})
}
