package stack

import (
	"errors"
	"fmt"
)

var (
	// ErrInUse means that another process has a stack on the data folder. The error is an [*InUseError].
	ErrInUse = errors.New("data folder in use")
	// ErrNotRunning means that there is no stack on the data folder to join.
	ErrNotRunning = errors.New("no stack is running on the data folder")
)

// InUseError names the process that has the data folder.
type InUseError struct {
	DataDir string
	PID     int // 0 when it cannot be told
}

func (e *InUseError) Error() string {
	return fmt.Sprintf("data folder %s is in use by process %d", e.DataDir, e.PID)
}

// Is makes errors.Is(err, ErrInUse) true.
func (e *InUseError) Is(target error) bool { return target == ErrInUse }
