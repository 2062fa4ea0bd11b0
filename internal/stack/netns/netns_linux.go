package netns

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"runtime"
	"sync/atomic"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

const (
	// helperName is the helper's argv[0], by which Main recognizes the helper.
	helperName = "plait-network"

	probeTimeout = 10 * time.Second

	// statusSignals is added to the number of the signal that ended the program, as shells report it.
	statusSignals = 128
)

// prepared is true when main has called Main, so that this executable can run as the helper.
var prepared atomic.Bool

// order is the helper's argument, encoded as JSON.
type order struct {
	Relays []Relay
	Path   string   // of the program; empty: only test whether a network namespace is possible
	Args   []string // with the program's name
}

// Main runs the helper if this process was started as one, and then does not return. Call it first in main: without the call, this
// executable cannot serve as the helper, and [Supported] returns an error.
func Main() {
	if len(os.Args) != 2 || os.Args[0] != helperName {
		prepared.Store(true)
		return
	}
	status, err := help(os.Args[1])
	if err != nil {
		fmt.Fprintln(os.Stderr, helperName+":", err)
		status = statusFailed
	}
	os.Exit(status)
}

// Supported returns nil if Command works for this process, and otherwise an error with the reason.
func Supported(ctx context.Context) error {
	if !prepared.Load() {
		return errors.New("this program does not call netns.Main")
	}
	ctx, cancel := context.WithTimeout(ctx, probeTimeout)
	defer cancel()
	probe, err := helper(order{})
	if err != nil {
		return err
	}
	cmd := exec.CommandContext(ctx, probe.Path)
	cmd.Args = probe.Args
	cmd.SysProcAttr = &syscall.SysProcAttr{}
	Attributes(cmd.SysProcAttr)
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("network namespace: %w %.200s", err, out)
	}
	return nil
}

// Command returns a command for the helper, which runs cmd with its path, arguments, environment and folder, and serves the relays.
// Start it with [Attributes]. The helper forwards SIGTERM and SIGINT to cmd, and exits with its status, or with 128 plus the number of
// the signal that killed it.
func Command(cmd *exec.Cmd, relays ...Relay) (*exec.Cmd, error) {
	wrapped, err := helper(order{Relays: relays, Path: cmd.Path, Args: cmd.Args})
	if err != nil {
		return nil, err
	}
	wrapped.Env, wrapped.Dir = cmd.Env, cmd.Dir
	return wrapped, nil
}

func helper(o order) (*exec.Cmd, error) {
	text, err := json.Marshal(o)
	if err != nil {
		return nil, err
	}
	// os.Executable would name a file that another version may have replaced meanwhile.
	return &exec.Cmd{Path: "/proc/self/exe", Args: []string{helperName, string(text)}}, nil
}

// Attributes sets attr so that a process starts in its own network namespace.
func Attributes(attr *syscall.SysProcAttr) {
	attr.Cloneflags |= syscall.CLONE_NEWNET
	if os.Geteuid() == 0 {
		return
	}
	attr.Cloneflags |= syscall.CLONE_NEWUSER
	attr.UidMappings = []syscall.SysProcIDMap{{ContainerID: os.Geteuid(), HostID: os.Geteuid(), Size: 1}}
	attr.GidMappings = []syscall.SysProcIDMap{{ContainerID: os.Getegid(), HostID: os.Getegid(), Size: 1}}
	attr.AmbientCaps = []uintptr{unix.CAP_NET_ADMIN} // inside the namespace only, to bring its loopback up
}

// help is the main function of the helper. It runs the program and returns the exit status.
func help(text string) (int, error) {
	runtime.LockOSThread() // Pdeathsig is tied to the thread that starts the program: the main thread lives as long as the process
	var o order
	if err := json.Unmarshal([]byte(text), &o); err != nil {
		return 0, err
	}
	if err := raiseLoopback(); err != nil {
		return 0, fmt.Errorf("bring loopback up: %w", err)
	}
	if err := unix.Prctl(unix.PR_CAP_AMBIENT, unix.PR_CAP_AMBIENT_CLEAR_ALL, 0, 0, 0); err != nil {
		return 0, fmt.Errorf("give up capabilities: %w", err)
	}
	if o.Path == "" {
		return 0, nil
	}
	for _, r := range o.Relays {
		if err := r.serve(); err != nil {
			return 0, err
		}
	}
	signals := make(chan os.Signal, 1)
	signal.Notify(signals, syscall.SIGTERM, syscall.SIGINT)
	program := &exec.Cmd{
		Path: o.Path, Args: o.Args, Stdout: os.Stdout, Stderr: os.Stderr,
		SysProcAttr: &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL},
	}
	if err := program.Start(); err != nil {
		return 0, err
	}
	go func() {
		for s := range signals {
			_ = program.Process.Signal(s) // fails only if the program has ended, which Wait reports
		}
	}()
	err := program.Wait()
	var exited *exec.ExitError
	if err != nil && !errors.As(err, &exited) {
		return 0, err
	}
	if status, ok := program.ProcessState.Sys().(syscall.WaitStatus); ok && status.Signaled() {
		return statusSignals + int(status.Signal()), nil
	}
	return program.ProcessState.ExitCode(), nil
}

func raiseLoopback() error {
	fd, err := unix.Socket(unix.AF_INET, unix.SOCK_DGRAM|unix.SOCK_CLOEXEC, 0)
	if err != nil {
		return err
	}
	defer func() { _ = unix.Close(fd) }()
	lo, err := unix.NewIfreq("lo")
	if err != nil {
		return err
	}
	if err := unix.IoctlIfreq(fd, unix.SIOCGIFFLAGS, lo); err != nil {
		return err
	}
	lo.SetUint16(lo.Uint16() | unix.IFF_UP)
	return unix.IoctlIfreq(fd, unix.SIOCSIFFLAGS, lo)
}
