package schema

// Costs are what models cost, by day and model.
type Costs struct {
	// From and To are the first and the last day, as YYYY-MM-DD. Days are those of UTC.
	From string `json:"from"`
	To   string `json:"to"`
	// Costs has an element for each day and model with calls, in the order of days.
	Costs []Cost `json:"costs"`
}

// Cost is what the calls of a model took on a day. Failed calls and those of deleted tasks are included.
type Cost struct {
	Day      string `json:"day"`
	Provider string `json:"provider"`
	Model    string `json:"model"`
	// Calls includes FailedCalls, those without an answer.
	Calls        int64 `json:"calls"`
	FailedCalls  int64 `json:"failed_calls"`
	InputTokens  int64 `json:"input_tokens"`
	OutputTokens int64 `json:"output_tokens"`
	// CostMicros is in millionths of the currency of the price table; 0 for a model without a price.
	CostMicros int64 `json:"cost_micros"`
}
