package llmtest

import (
	"fmt"
	"hash/fnv"
	"math"
	"math/rand/v2"
	"time"
)

// Matrix injects faults by chance. The faults of a request are determined by the seed, its content, and how often it was repeated, so that
// a run is reproducible in whatever order its requests arrive.
type Matrix struct {
	Seed uint64
	// Rates are the probabilities of the kinds, 0..1, each drawn independently.
	Rates map[Kind]float64
	// RetryAfter is the header of KindRateLimit, in seconds or as an HTTP date; empty omits it.
	RetryAfter string
	// Latency is how long an answer takes.
	Latency Latency
}

// Latency is a log-normal distribution, which fits the durations of model calls well. Its zero value is no latency.
type Latency struct {
	Median time.Duration
	// Sigma is the standard deviation of the logarithm: at 0.5, one call in a hundred takes more than three times the median.
	Sigma float64
}

func (l Latency) draw(r *rand.Rand) time.Duration {
	return time.Duration(float64(l.Median) * math.Exp(l.Sigma*r.NormFloat64()))
}

// Everything gives every kind the same rate.
func Everything(rate float64) map[Kind]float64 {
	rates := make(map[Kind]float64)
	for _, kind := range Kinds() {
		rates[kind] = rate
	}
	return rates
}

// WithMatrix injects faults by m, before those of WithEvery and of the queue.
func WithMatrix(m Matrix) Option { return func(s *Server) { s.matrix = &m } }

// maxAsked bounds the number of requests whose repetitions are counted.
const maxAsked = 100_000

// drawn returns the faults of one request and the duration of its answer. The caller holds the server's lock.
func (s *Server) drawn(call Call) (faults []Fault, latency time.Duration) {
	if s.matrix == nil {
		return nil, 0
	}
	question := hashOf(call)
	if len(s.asked) == maxAsked {
		clear(s.asked)
	}
	s.asked[question]++
	r := rand.New(rand.NewPCG(s.matrix.Seed, question+s.asked[question])) //nolint:gosec // the same again, not secret
	latency = s.matrix.Latency.draw(r)
	for _, kind := range Kinds() {
		// Every kind uses the same number of draws, so that changing the rate of one does not change the others.
		hit := r.Float64() < s.matrix.Rates[kind]
		own := rand.New(rand.NewPCG(r.Uint64(), 0)) //nolint:gosec // as above
		fault := kind.fault(own, len(call.Segments), s.matrix.RetryAfter)
		if hit {
			faults = append(faults, fault)
			s.met[kind]++
		}
	}
	return faults, latency
}

func hashOf(call Call) uint64 {
	h := fnv.New64a()
	fmt.Fprintf(h, "%q %q %q %q", call.Protocol, call.Model, call.System, call.User)
	if call.Temperature != nil {
		fmt.Fprintf(h, " %.3f", *call.Temperature)
	}
	return h.Sum64()
}

// Met returns how often requests received each kind of the matrix.
func (s *Server) Met() map[Kind]int {
	s.mu.Lock()
	defer s.mu.Unlock()
	met := make(map[Kind]int, len(s.met))
	for kind, n := range s.met {
		met[kind] = n
	}
	return met
}
