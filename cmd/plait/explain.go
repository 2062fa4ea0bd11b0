package main

import (
	"context"
	"errors"
	"fmt"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"plait/installation"
	"plait/internal/core"
)

// hintError is an error with what to do about it.
type hintError struct {
	err  error
	hint string
}

func (e *hintError) Error() string { return e.err.Error() + "; " + e.hint }
func (e *hintError) Unwrap() error { return e.err }

// usageError says what is wrong with a command line and where to read more. It is nil without an error.
func usageError(c *cobra.Command, err error) error {
	var known *exitError
	if err == nil || errors.As(err, &known) {
		return err
	}
	return &exitError{status: exitUsage, err: &hintError{err: err, hint: `see "` + c.CommandPath() + ` --help"`}}
}

// flagError is the usage error of a flag with a wrong value: in our own words, and not in those of the parser of a number.
func flagError(c *cobra.Command, err error) error {
	var invalid *pflag.InvalidValueError
	var known *core.Error
	if errors.As(err, &invalid) {
		f := invalid.GetFlag()
		if errors.As(invalid, &known) {
			return wrongValue(c, f.Name, known)
		}
		err = fmt.Errorf("--%s: %q is not of the kind %s", f.Name, invalid.GetValue(), f.Value.Type())
	}
	return usageError(c, err)
}

// wrongValue is the usage error of a flag that cannot have its value.
func wrongValue(c *cobra.Command, flag string, err error) error {
	return usageError(c, fmt.Errorf("--%s: %s", flag, core.PublicMessage(err)))
}

// explain is the one line that a person reads of what ends a command; empty where it has said everything already.
func explain(err error) string {
	var exit *exitError
	var hint *hintError
	switch {
	case errors.As(err, &exit) && exit.err == nil:
		return ""
	case errors.As(err, &hint):
		return installation.Explain(hint.err) + "; " + hint.hint
	case errors.Is(err, context.Canceled):
		return errInterrupted.Error()
	default:
		return installation.Explain(err)
	}
}
