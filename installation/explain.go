package installation

import (
	"errors"
	"fmt"
	"strings"

	"plait/internal/core"
	"plait/internal/files"
	child "plait/internal/stack/process"
)

// Explain is the sentence that a person reads of an error: that of a known error, with its cause where one is known, and with the file
// that it is about.
func Explain(err error) string {
	var placed *files.Error
	var known *core.Error
	var part *child.ChildError
	switch {
	case errors.As(err, &placed):
		return placed.Path + ": " + Explain(placed.Err)
	case errors.As(err, &part):
		return fmt.Sprintf("%s: %v; its last lines are in logs/%s.log of the data folder. Nothing is lost: the same command continues", part.Name, part.Err, part.Name)
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
