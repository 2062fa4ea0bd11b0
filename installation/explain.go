package installation

import (
	"errors"
	"fmt"
	"path/filepath"
	"strconv"
	"strings"

	"plait/internal/core"
	"plait/internal/files"
	"plait/internal/stack"
	child "plait/internal/stack/process"
)

// Explain returns the message of an error for a person: for a known error, its message with the cause, if it has one, and with the file
// that it concerns, each said once.
func Explain(err error) string {
	var placed *files.Error
	var known *core.Error
	var part *child.ChildError
	var used *stack.InUseError
	switch {
	case errors.As(err, &placed):
		text := strings.TrimPrefix(Explain(placed.Err), strconv.Quote(filepath.Base(placed.Path))+": ")
		return placed.Path + ": " + strings.TrimPrefix(text, placed.Path+": ")
	case errors.As(err, &part):
		return fmt.Sprintf("%s: %v; its last lines are in logs/%s.log of the data folder. Nothing is lost: the same command continues", part.Name, part.Err, part.Name)
	case errors.As(err, &used):
		return fmt.Sprintf("a stack runs in %s already (process %d): use it, or choose another data folder with --data-dir", used.DataDir, used.PID)
	case errors.As(err, &known):
		return withCause(known)
	default:
		return err.Error()
	}
}

// withCause is the message of an error with its cause, unless the message says the cause already. Where a message ends with that of its
// cause, only what the cause adds to it follows.
func withCause(e *core.Error) string {
	if e.Unwrap() == nil {
		return e.Message
	}
	cause := Explain(e.Unwrap())
	if strings.Contains(e.Message, cause) {
		return e.Message
	}
	var inner *core.Error
	if errors.As(e.Unwrap(), &inner) {
		if before, ends := strings.CutSuffix(e.Message, inner.Message); ends {
			return before + cause
		}
	}
	return e.Message + ": " + cause
}
