package process

import "fmt"

// Failure is a child that did not do what it was started for, with what it said last.
type Failure struct {
	Name    string
	Err     error
	LogTail string
}

func (f *Failure) Error() string {
	if f.LogTail == "" {
		return fmt.Sprintf("%s: %v", f.Name, f.Err)
	}
	return fmt.Sprintf("%s: %v; its last lines:\n%s", f.Name, f.Err, f.LogTail)
}

func (f *Failure) Unwrap() error { return f.Err }
