package core

import "time"

// The names of the steps that send webhooks, as registered Temporal activities.
const (
	StepSendWebhook = "SendWebhook"
	StepFailWebhook = "FailWebhook"
)

// WebhookInput is the input of the workflow that sends a message, and of its steps.
type WebhookInput struct {
	DeliveryID string `json:"delivery_id"`
	// Round is how often sending had begun anew when the workflow was started.
	Round int `json:"round,omitempty"`
	// Tenant is whose turn the sending takes.
	Tenant   string          `json:"tenant"`
	Schedule WebhookSchedule `json:"schedule,omitzero"`
}

// WebhookSchedule says how long a message is tried. Durations are in nanoseconds; a field that is 0 takes its default.
type WebhookSchedule struct {
	// FirstWait is the time between the first two attempts. Each further wait is three times as long, up to LongestWait.
	FirstWait   time.Duration `json:"first_wait,omitempty"`
	LongestWait time.Duration `json:"longest_wait,omitempty"`
	// Patience is the time from the start of the workflow until the message is given up.
	Patience time.Duration `json:"patience,omitempty"`
}

// WebhookBackoff is the factor between two waits.
const WebhookBackoff = 3

// OrDefaults returns the schedule with 5 seconds, 12 hours and 72 hours in place of zeros.
func (s WebhookSchedule) OrDefaults() WebhookSchedule {
	if s.FirstWait <= 0 {
		s.FirstWait = 5 * time.Second
	}
	if s.LongestWait <= 0 {
		s.LongestWait = 12 * time.Hour
	}
	if s.Patience <= 0 {
		s.Patience = 72 * time.Hour
	}
	return s
}

// Wait is the time after an attempt, of which the first has number 1.
func (s WebhookSchedule) Wait(attempt int) time.Duration {
	s = s.OrDefaults()
	wait := s.FirstWait
	for range attempt - 1 {
		if wait *= WebhookBackoff; wait >= s.LongestWait {
			break
		}
	}
	return min(wait, s.LongestWait)
}
