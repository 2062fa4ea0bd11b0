package core

// Usage is the actual or estimated usage of model calls.
type Usage struct {
	Calls        int `json:"calls"`
	InputTokens  int `json:"input_tokens"`
	OutputTokens int `json:"output_tokens"`
	// CostMicros is in millionths of the currency of the price table.
	CostMicros int64 `json:"cost_micros"`
}

// Plus returns the sum of u and other.
func (u Usage) Plus(other Usage) Usage {
	return Usage{
		Calls: u.Calls + other.Calls, InputTokens: u.InputTokens + other.InputTokens,
		OutputTokens: u.OutputTokens + other.OutputTokens, CostMicros: u.CostMicros + other.CostMicros,
	}
}
