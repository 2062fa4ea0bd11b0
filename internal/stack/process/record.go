package process

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"syscall"
	"time"
)

const (
	// leftoverPoll is how often a process that is not our child is looked at while it stops.
	leftoverPoll = 20 * time.Millisecond
	psTimeout    = 5 * time.Second
)

// record says which process a file stands for. Process ids are used again, so the start time tells two apart.
type record struct {
	PID      int    `json:"pid"`
	Identity string `json:"identity"`
}

// ErrEnded means that the process a record was wanted of runs no longer.
var ErrEnded = errors.New("process has ended")

// Record writes which process runs, for a later [StopLeftover]. Errors: [ErrEnded].
func Record(file string, pid int) error {
	identity, ok := Identity(pid)
	if !ok {
		return fmt.Errorf("%w: %d", ErrEnded, pid)
	}
	text, err := json.Marshal(record{PID: pid, Identity: identity})
	if err != nil {
		return err
	}
	return os.WriteFile(file, text, 0o600)
}

// StopLeftover stops the recorded process if it still runs, and removes the record. When ctx ends first it is killed.
func StopLeftover(ctx context.Context, file string, stop syscall.Signal) (stopped bool, err error) {
	text, err := os.ReadFile(file)
	if errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	var r record
	if json.Unmarshal(text, &r) == nil && Alive(r.PID, r.Identity) {
		stopped = true
		if err := StopOther(ctx, r.PID, r.Identity, stop); err != nil {
			return stopped, err
		}
	}
	return stopped, os.Remove(file)
}

// StopOther stops a process that is not a child of this one.
func StopOther(ctx context.Context, pid int, identity string, stop syscall.Signal) error {
	if err := syscall.Kill(pid, stop); err != nil && !ended(err) {
		return fmt.Errorf("stop process %d: %w", pid, err)
	}
	ticker := time.NewTicker(leftoverPoll)
	defer ticker.Stop()
	deadline := ctx.Done()
	for Alive(pid, identity) {
		select {
		case <-ticker.C:
		case <-deadline:
			if err := syscall.Kill(pid, syscall.SIGKILL); err != nil && !ended(err) {
				return fmt.Errorf("kill process %d: %w", pid, err)
			}
			deadline = nil // the kernel ends it; nothing more can be asked
		}
	}
	return nil
}

// Alive reports whether pid runs and is the process that had this identity.
func Alive(pid int, identity string) bool {
	now, ok := Identity(pid)
	return ok && now == identity
}

// Identity tells the process pid from every other that has had or will have this id: by when it started, and after which boot.
// It is false when there is no such process, or only its exit status is left.
func Identity(pid int) (string, bool) {
	if pid <= 0 {
		return "", false
	}
	stat, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/stat")
	if err == nil {
		return identityFromStat(string(stat))
	}
	if _, err := os.Stat("/proc/self/stat"); err == nil {
		return "", false
	}
	state, started, ok := strings.Cut(ps(pid, "state=,lstart="), " ")
	if !ok || strings.HasPrefix(state, "Z") {
		return "", false
	}
	return strings.TrimSpace(started), true
}

// identityFromStat reads proc(5)'s stat: the fields after the parenthesized name, of which the first is the state and the
// twentieth the start time in ticks since boot.
func identityFromStat(stat string) (string, bool) {
	fields := strings.Fields(stat[strings.LastIndexByte(stat, ')')+1:])
	if len(fields) < 20 || fields[0] == "Z" || fields[0] == "X" {
		return "", false
	}
	boot, err := os.ReadFile("/proc/sys/kernel/random/boot_id")
	if err != nil {
		return "", false
	}
	return strings.TrimSpace(string(boot)) + "/" + fields[19], true
}

// CommandLine returns the program and arguments of pid, joined with spaces; empty when it cannot be told.
func CommandLine(pid int) string {
	if text, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/cmdline"); err == nil {
		return strings.TrimSpace(strings.ReplaceAll(string(text), "\x00", " "))
	}
	return ps(pid, "command=")
}

// ps asks for columns of pid where there is no /proc; empty when there is no such process.
func ps(pid int, columns string) string {
	ctx, cancel := context.WithTimeout(context.Background(), psTimeout)
	defer cancel()
	out, err := exec.CommandContext(ctx, "ps", "-o", columns, "-p", strconv.Itoa(pid)).Output()
	if err != nil {
		return ""
	}
	return strings.TrimSpace(string(out))
}

func ended(err error) bool { return errors.Is(err, os.ErrProcessDone) || errors.Is(err, syscall.ESRCH) }
