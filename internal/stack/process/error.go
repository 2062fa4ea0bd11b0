package process

import "fmt"

// ChildError says of a child that it did not do what it was started for, with what it said last.
type ChildError struct {
	Name    string
	Err     error
	LogTail string
}

func (e *ChildError) Error() string {
	if e.LogTail == "" {
		return fmt.Sprintf("%s: %v", e.Name, e.Err)
	}
	return fmt.Sprintf("%s: %v; its last lines:\n%s", e.Name, e.Err, e.LogTail)
}

func (e *ChildError) Unwrap() error { return e.Err }
