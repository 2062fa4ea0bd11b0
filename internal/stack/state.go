package stack

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"
)

// State describes a running stack to the commands that join it.
type State struct {
	PID             int             `json:"pid"`      // of the owner
	Identity        string          `json:"identity"` // of the owner: see process.Identity
	DatabaseURL     string          `json:"database_url"`
	TemporalAddress string          `json:"temporal_address"`
	TemporalUI      string          `json:"temporal_ui,omitempty"` // http://host:port, or unix:///path; without authentication
	Namespace       string          `json:"namespace"`
	Started         time.Time       `json:"started"`
	App             json.RawMessage `json:"app,omitempty"` // the argument of Publish
}

func stateFile(dataDir string) string { return filepath.Join(dataDir, "stack.json") }

func readState(dataDir string) (State, bool) {
	var state State
	if err := readJSON(stateFile(dataDir), &state); err != nil {
		return State{}, false
	}
	return state, true
}

// kept is what the stack keeps from one run to the next, in embedded.json.
type kept struct {
	PostgresDir    string `json:"postgres_dir,omitempty"`
	Temporal       bool   `json:"temporal,omitempty"` // Temporal has started at least once, so its database is complete
	TemporalPort   int    `json:"temporal_port,omitempty"`
	TemporalUIPort int    `json:"temporal_ui_port,omitempty"`
}

func keptFile(dataDir string) string { return filepath.Join(dataDir, "embedded.json") }

func readKept(dataDir string) (kept, error) {
	var k kept
	err := readJSON(keptFile(dataDir), &k)
	if errors.Is(err, fs.ErrNotExist) {
		return kept{}, nil
	}
	return k, err
}

func readJSON(file string, into any) error {
	text, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	if err := json.Unmarshal(text, into); err != nil {
		return fmt.Errorf("%s: %w", file, err)
	}
	return nil
}

func writeJSON(file string, value any) error {
	text, err := json.MarshalIndent(value, "", "  ")
	if err != nil {
		return err
	}
	return writeFile(file, append(text, '\n'))
}

// writeFile replaces file atomically, with mode 0600: a reader sees the old content or the new content, also after a crash.
func writeFile(file string, content []byte) (err error) {
	draft, err := os.CreateTemp(filepath.Dir(file), "."+filepath.Base(file)+"-")
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			_ = os.Remove(draft.Name())
		}
	}()
	if _, err := draft.Write(content); err != nil {
		return errors.Join(err, draft.Close())
	}
	if err := draft.Sync(); err != nil {
		return errors.Join(err, draft.Close())
	}
	if err := draft.Close(); err != nil {
		return err
	}
	return os.Rename(draft.Name(), file)
}
