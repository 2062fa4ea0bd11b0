package llmtest

import "fmt"

// ParseRates gives each named fault a probability from 0 to 1; no names means every fault.
func ParseRates(names []string, rate float64) (map[Kind]float64, error) {
	if rate < 0 || rate > 1 {
		return nil, fmt.Errorf("--rate: %v is not within 0..1", rate)
	}
	if len(names) == 0 {
		return Everything(rate), nil
	}
	rates := map[Kind]float64{}
	for _, name := range names {
		kind, err := ParseKind(name)
		if err != nil {
			return nil, fmt.Errorf("--faults: %w", err)
		}
		rates[kind] = rate
	}
	return rates, nil
}

// Seen summarizes the answers of a server.
type Seen struct {
	Calls        int          `json:"calls"`
	MaxInFlight  int          `json:"max_in_flight"`
	InputTokens  int          `json:"input_tokens"`
	OutputTokens int          `json:"output_tokens"`
	Faults       map[Kind]int `json:"faults"`
}

// Seen returns a summary of the answers so far.
func (s *Server) Seen() Seen {
	in, out := s.Tokens()
	return Seen{s.CallCount(), s.MaxInFlight(), in, out, s.Met()}
}
