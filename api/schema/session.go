package schema

import (
	"time"

	"plait/internal/core"
)

// SignIn is a request for a session.
type SignIn struct {
	Key string `json:"key"`
}

// Session is on whose behalf a browser acts.
type Session struct {
	Tenant string `json:"tenant"`
	// KeyName is the name of the key that signed in.
	KeyName string `json:"key_name"`
	Scope   string `json:"scope"`
	// KeyExpiresAt is when the key ends, and with it the session; absent when it does not.
	KeyExpiresAt *time.Time `json:"key_expires_at,omitempty"`
	// TemporalUI is the address of the tasks in the Temporal UI: that of a workflow is below it, at /workflows/{id of its task}. Absent for a
	// key that does not sign in there, and where its address is not known.
	TemporalUI string `json:"temporal_ui,omitempty"`
}

// Capabilities is what an installation can do.
type Capabilities struct {
	Version string           `json:"version"`
	Kinds   []CapableKind    `json:"kinds"`
	From    []string         `json:"from"`
	To      []string         `json:"to"`
	Limits  CapabilityLimits `json:"limits"`
	// Translator is the model that translates; absent when none is configured.
	Translator *CapableTranslator `json:"translator,omitempty"`
}

// CapableKind is a kind of work.
type CapableKind struct {
	Name core.Kind `json:"name"`
	// Path is the path of requests for tasks of the kind.
	Path string `json:"path"`
	// Estimate is whether Path + "/estimate" predicts what a task takes.
	Estimate bool `json:"estimate"`
	// Models are those that a request for the kind names; absent for a kind whose requests name none.
	Models []CapableModel `json:"models,omitempty"`
}

// CapableModel is a model that a request can name. What it does not have is absent.
type CapableModel struct {
	Name string `json:"name"`
	// Types are what it makes, as the type of a request.
	Types       []string `json:"types"`
	Resolutions []string `json:"resolutions,omitempty"`
	// Durations are in seconds, the default first.
	Durations []int `json:"durations,omitempty"`
	// Scales are how many times wider and higher it makes something, the default first.
	Scales []int `json:"scales,omitempty"`
}

// CapabilityLimits are the limits of requests.
type CapabilityLimits struct {
	// MaxBody is in bytes.
	MaxBody  int64 `json:"max_body"`
	MaxPages int   `json:"max_pages"`
}

// CapableTranslator is the model that translates when a request names none.
type CapableTranslator struct {
	Provider string `json:"provider"`
	Model    string `json:"model"`
}
