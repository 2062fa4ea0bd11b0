package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// process is a running process as /proc shows it.
type process struct {
	pid, parent int
	args        []string
}

// processes are all that run now. One that ends meanwhile is left out.
func processes(tb testing.TB) map[int]process {
	tb.Helper()
	dirs, err := filepath.Glob("/proc/[0-9]*")
	require.NoError(tb, err)
	require.NotEmpty(tb, dirs, "these tests look into /proc")
	all := map[int]process{}
	for _, dir := range dirs {
		stat, statErr := os.ReadFile(filepath.Join(dir, "stat"))
		args, argsErr := os.ReadFile(filepath.Join(dir, "cmdline"))
		if statErr != nil || argsErr != nil {
			continue
		}
		// pid (name) state ppid; the name may hold spaces and brackets.
		fields := strings.Fields(string(stat[strings.LastIndexByte(string(stat), ')')+1:]))
		pid, err := strconv.Atoi(filepath.Base(dir))
		require.NoError(tb, err)
		parent, err := strconv.Atoi(fields[1])
		require.NoError(tb, err)
		all[pid] = process{pid: pid, parent: parent, args: strings.Split(string(args), "\x00")}
	}
	return all
}

// workerOf is the worker below the process parent. It waits for it.
func workerOf(tb testing.TB, parent int) int {
	tb.Helper()
	var found int
	eventually(tb, func() bool {
		for _, p := range processes(tb) {
			if p.parent == parent && len(p.args) > 1 && p.args[1] == "worker" {
				found = p.pid
				return true
			}
		}
		return false
	}, "the worker runs")
	return found
}

// memory is the named figure of /proc/PID/status of every part of the installation, in MiB, Postgres's processes added
// up.
func (in *sandbox) memory(figure string) map[string]int {
	in.t.Helper()
	all := processes(in.t)
	sizes := map[string]int{}
	for pid, p := range all {
		name := in.part(p, all[p.parent])
		if name == "" {
			continue
		}
		sizes[name] += memoryOf(in.t, pid, figure)
	}
	return sizes
}

// memoryOf is the named figure of /proc/PID/status in MiB, 0 for a process that has ended.
func memoryOf(tb testing.TB, pid int, figure string) int {
	tb.Helper()
	status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
	if err != nil {
		return 0
	}
	for line := range strings.Lines(string(status)) {
		if fields := strings.Fields(line); len(fields) > 1 && fields[0] == figure {
			kib, err := strconv.Atoi(fields[1])
			require.NoError(tb, err)
			return kib / 1024
		}
	}
	return 0
}

// part is which part of the installation that up started a process is, empty for another's.
func (in *sandbox) part(p, parent process) string {
	switch {
	case in.owner == 0:
		return ""
	case p.pid == in.owner:
		return "up with the API"
	case p.parent == in.owner && len(p.args) > 1 && p.args[1] == "worker":
		return "worker of all roles"
	case p.parent == in.owner && p.args[0] == "plait-network":
		return "network of temporal"
	case parent.parent == in.owner && parent.args[0] == "plait-network", p.parent == in.owner && strings.Contains(p.args[0], "temporal"):
		return "temporal"
	case p.parent == in.owner, parent.parent == in.owner:
		return "postgres"
	}
	return ""
}
