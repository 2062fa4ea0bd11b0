package document

import "time"

// Report is what the translation of a document took, beside its estimate.
type Report struct {
	StartedAt          *time.Time `json:"started_at,omitempty"`
	EndedAt            *time.Time `json:"ended_at,omitempty"`
	TranslationSeconds float64    `json:"translation_seconds"`
	Service            string     `json:"service,omitempty"`
	Model              string     `json:"model,omitempty"`
	Threads            int        `json:"threads,omitempty"`
	TableThreads       int        `json:"table_threads,omitempty"`
	Calls              int        `json:"llm_call_count"`
	InputTokens        int        `json:"actual_input_tokens"`
	OutputTokens       int        `json:"actual_output_tokens"`
	TotalTokens        int        `json:"actual_total_tokens"`
	// TokensFrom is provider or tokenizer, and empty without calls.
	TokensFrom            string  `json:"tokens_from,omitempty"`
	EstimatedInputTokens  int     `json:"estimated_input_tokens"`
	EstimatedOutputTokens int     `json:"estimated_output_tokens"`
	EstimatedSeconds      float64 `json:"estimated_time_seconds"`
	// TokenDeviation and TimeDeviation are the actual value relative to the estimated one, less 1; nil without an estimate.
	TokenDeviation *float64 `json:"token_deviation,omitempty"`
	TimeDeviation  *float64 `json:"time_deviation,omitempty"`
	Counts
	// SuccessRate is 0..1; nil without a text to translate.
	SuccessRate *float64 `json:"success_rate,omitempty"`
}
