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
	// helperName is the helper's argv[0], by which Main tells it from the program itself.
	helperName = "plait-network"

	probeTimeout = 10 * time.Second

	// Exit statuses of the helper itself, as shells use them.
	statusFailed  = 125
	statusSignals = 128
)

// prepared says that this executable can be the helper.
var prepared atomic.Bool

// order is what the helper is told.
type order struct {
	Relays []Relay
	Path   string   // empty: only try whether it could be done
	Args   []string // with the program's name
}

// Main makes this executable one that can be the helper. Call it first in main: in the helper it does not return.
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

// Supported is nil where Command works for this process, and says why not elsewhere.
func Supported(ctx context.Context) error {
	if !prepared.Load() {
		return errors.New("this program is not prepared for it")
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

// Command returns the helper that runs cmd, whose path, arguments, environment and folder it takes. It must be started with
// [Attributes]. A signal that it gets is passed on to cmd, and it ends as cmd does.
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
	// Not os.Executable: that file may have been replaced by another version since.
	return &exec.Cmd{Path: "/proc/self/exe", Args: []string{helperName, string(text)}}, nil
}

// Attributes has a process start in a network namespace of its own.
func Attributes(attr *syscall.SysProcAttr) {
	attr.Cloneflags |= syscall.CLONE_NEWNET
	if os.Geteuid() == 0 {
		return
	}
	attr.Cloneflags |= syscall.CLONE_NEWUSER
	attr.UidMappings = []syscall.SysProcIDMap{{ContainerID: os.Geteuid(), HostID: os.Geteuid(), Size: 1}}
	attr.GidMappings = []syscall.SysProcIDMap{{ContainerID: os.Getegid(), HostID: os.Getegid(), Size: 1}}
	attr.AmbientCaps = []uintptr{unix.CAP_NET_ADMIN} // within the namespace, to bring its loopback up
}

// help is the helper: it runs the program until it ends, and returns its exit status.
func help(text string) (int, error) {
	runtime.LockOSThread() // the program dies with the thread that started it: the main one, which lasts
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
			_ = program.Process.Signal(s) // it may have ended, which Wait tells
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
