package schema

import "time"

// FieldCallbackURL is a field of requests for tasks of every kind: a URL that is told of the end of the task.
const FieldCallbackURL = "callback_url"

// Endpoint is a URL that is told of the end of every task of the tenant.
type Endpoint struct {
	ID        string    `json:"id"`
	URL       string    `json:"url"`
	CreatedAt time.Time `json:"created_at"`
	// PausedAt is since when the endpoint receives nothing, and PauseReason why; absent while it does.
	PausedAt    *time.Time        `json:"paused_at,omitempty"`
	PauseReason string            `json:"pause_reason,omitempty"`
	Links       map[string]string `json:"links"`
}

// CreateEndpoint asks for an endpoint.
type CreateEndpoint struct {
	URL string `json:"url"`
}

// EndpointList lists the endpoints of a tenant, the oldest first.
type EndpointList struct {
	Endpoints []Endpoint `json:"endpoints"`
}

// WebhookSecret is the secret that signs the messages to a tenant.
type WebhookSecret struct {
	// Secret is whsec_ and base64, as libraries of Standard Webhooks read it.
	Secret    string    `json:"secret"`
	CreatedAt time.Time `json:"created_at"`
	// PreviousExpiresAt is until when the secret before signs as well; absent when none does.
	PreviousExpiresAt *time.Time `json:"previous_expires_at,omitempty"`
}

// Delivery is a message to a webhook, and what became of it.
type Delivery struct {
	// ID is the header webhook-id of the message.
	ID string `json:"id"`
	// EndpointID is absent for the callback URL of a task.
	EndpointID string `json:"endpoint_id,omitempty"`
	URL        string `json:"url"`
	TaskID     string `json:"task_id"`
	// Type is what happened, such as EventTaskEnded.
	Type string `json:"type"`
	// Status is pending, delivered, failed or paused.
	Status   string `json:"status"`
	Attempts int    `json:"attempts"`
	// LastStatus is the HTTP status of the last answer; absent when there was none. LastError is why the last attempt failed.
	LastStatus    int               `json:"last_status,omitempty"`
	LastError     string            `json:"last_error,omitempty"`
	CreatedAt     time.Time         `json:"created_at"`
	LastAttemptAt *time.Time        `json:"last_attempt_at,omitempty"`
	EndedAt       *time.Time        `json:"ended_at,omitempty"`
	Links         map[string]string `json:"links"`
}

// DeliveryList is one page of a list of deliveries, the newest first.
type DeliveryList struct {
	Deliveries []Delivery `json:"deliveries"`
	// Next is the cursor of the next page; it is empty on the last page.
	Next string `json:"next,omitempty"`
}
