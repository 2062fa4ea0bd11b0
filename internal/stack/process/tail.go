package process

import (
	"bytes"
	"strings"
	"sync"
)

const (
	tailLines = 20
	// maxLine is the length in bytes at which a line is truncated, so that a child that never ends its line does not fill memory.
	maxLine = 4096
)

// tail keeps the last lines written to it.
type tail struct {
	onLine func(string)

	mu      sync.Mutex
	lines   []string
	partial []byte
}

// Write keeps the last lines of b. It returns no error.
func (t *tail) Write(b []byte) (int, error) {
	n := len(b)
	for len(b) > 0 {
		line, rest, ended := bytes.Cut(b, []byte{'\n'})
		t.extend(line)
		if ended {
			t.endLine()
		}
		b = rest
	}
	return n, nil
}

func (t *tail) extend(b []byte) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.partial = append(t.partial, b[:min(len(b), maxLine-len(t.partial))]...)
}

func (t *tail) endLine() {
	t.mu.Lock()
	line := string(t.partial)
	t.partial = t.partial[:0]
	t.lines = append(t.lines, line)
	if len(t.lines) > tailLines {
		t.lines = append(t.lines[:0], t.lines[1:]...)
	}
	t.mu.Unlock()
	if t.onLine != nil {
		t.onLine(line)
	}
}

func (t *tail) String() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	text := strings.Join(t.lines, "\n")
	if len(t.partial) > 0 {
		text += "\n" + string(t.partial)
	}
	return strings.TrimSpace(text)
}
