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
	// leftoverPoll is the interval at which StopOther checks whether a process that is not a child of this one has ended.
	leftoverPoll = 20 * time.Millisecond
	psTimeout    = 5 * time.Second
)

// record identifies a process. The identity is needed because the system reuses process ids.
type record struct {
	PID      int    `json:"pid"`
	Identity string `json:"identity"`
}

// ErrEnded means that the process has ended, so that it cannot be recorded.
var ErrEnded = errors.New("process has ended")

// Record writes a record of the running process pid to file, for a later [StopLeftover]. Errors: [ErrEnded].
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

// StopLeftover stops the process recorded in file if it still runs, and removes the record. It kills the process when ctx ends. stopped
// reports whether the process was running.
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

// StopOther stops a process that is not a child of this one, and waits until it has ended. It kills the process when ctx ends.
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
			deadline = nil // SIGKILL cannot be ignored: wait for the end
		}
	}
	return nil
}

// Alive reports whether process pid is running and has this identity.
func Alive(pid int, identity string) bool {
	now, ok := Identity(pid)
	return ok && now == identity
}

// Identity returns a string that distinguishes process pid from all other processes with the same id: its start time and, on Linux, the
// id of the boot. It returns false when no such process exists or the process is a zombie.
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

// identityFromStat parses /proc/PID/stat, as described in proc(5). Of the fields after the parenthesized name, the first is the state
// and the twentieth is the start time in clock ticks since boot.
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

// CommandLine returns the program and arguments of process pid, joined with spaces, or "" if they are unknown.
func CommandLine(pid int) string {
	if text, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/cmdline"); err == nil {
		return strings.TrimSpace(strings.ReplaceAll(string(text), "\x00", " "))
	}
	return ps(pid, "command=")
}

// ps returns columns of process pid, for systems without /proc, or "" if there is no such process.
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
