package llmtest

import (
	"net/http"
	"regexp"
	"slices"
	"time"
)

// maxCalls is the largest number of remembered calls; the oldest are dropped first.
const maxCalls = 10_000

// Call is the content of one request.
type Call struct {
	// Protocol is "openai", "gemini", "anthropic" or "deepl".
	Protocol string
	Model    string
	// Key is the API key of the request.
	Key    string
	Header http.Header
	// System and User are the texts of those roles.
	System, User string
	// Segments are the numbered segments of User, in order.
	Segments []string
	// Temperature and TopP are nil when the request does not set them. MaxTokens is then 0; its field name in the OpenAI protocol is in
	// MaxTokensField.
	Temperature, TopP *float64
	MaxTokens         int
	MaxTokensField    string
	// Schema means that the request asks for JSON by a schema.
	Schema bool
	// Stream means that the request asks for a streamed answer.
	Stream bool
	// Asked is when the request had arrived.
	Asked time.Time
	// Answered is when a successful answer had been sent completely: from then on a provider would charge for it. It is zero before that,
	// and for calls that fail or are abandoned.
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

// Calls returns the calls so far, including refused ones; after 10,000 only the latest.
func (s *Server) Calls() []Call {
	s.mu.Lock()
	defer s.mu.Unlock()
	calls := make([]Call, len(s.calls))
	for i, call := range s.calls {
		calls[i] = *call
	}
	return calls
}

// CallCount returns the number of calls so far.
func (s *Server) CallCount() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.seen
}

// InFlight returns the number of calls without an answer yet.
func (s *Server) InFlight() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.inFlight
}

// MaxInFlight returns the largest number of calls that were in flight at once.
func (s *Server) MaxInFlight() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.maxInFlight
}

// begin records the call and takes its faults.
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

// Tokens returns the tokens of all answers so far, including those whose answers omit the usage.
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

// announce wakes WaitInFlight; the caller holds the lock.
func (s *Server) announce() {
	close(s.changed)
	s.changed = make(chan struct{})
}
