package installation

import (
	"errors"
	"fmt"
	"strings"

	"plait/internal/core"
	"plait/internal/files"
	"plait/internal/stack"
	child "plait/internal/stack/process"
)

// Explain returns the message of an error for a person: for a known error, its message with the cause, if it has one, and with the file
// that it concerns.
func Explain(err error) string {
	var placed *files.Error
	var known *core.Error
	var part *child.ChildError
	var used *stack.InUseError
	switch {
	case errors.As(err, &placed):
		return placed.Path + ": " + Explain(placed.Err)
	case errors.As(err, &part):
		return fmt.Sprintf("%s: %v; its last lines are in logs/%s.log of the data folder. Nothing is lost: the same command continues", part.Name, part.Err, part.Name)
	case errors.As(err, &used):
		return fmt.Sprintf("a stack runs in %s already (process %d): use it, or choose another data folder with --data-dir", used.DataDir, used.PID)
	case errors.As(err, &known):
		text := known.Message
		if cause := known.Unwrap(); cause != nil && !strings.Contains(text, cause.Error()) {
			text += ": " + cause.Error()
		}
		return text
	default:
		return err.Error()
	}
}
