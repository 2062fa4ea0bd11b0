package installation

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"plait/internal/core"
	"plait/internal/records"
)

// A process that was lost has not drained, whatever is left of it.
func TestADrainIsOverWhenNothingIsLeftOrItsHostIsLost(t *testing.T) {
	t.Parallel()
	asked := time.Now()
	process := func(instance string, state records.HostState) records.Host {
		return records.Host{Name: "a", Instance: instance, State: state, DrainAskedAt: &asked}
	}
	other := records.Host{Name: "b", Instance: "3", State: records.HostReady, DrainAskedAt: &asked}
	startedLater := records.Host{Name: "a", Instance: "4", State: records.HostReady}
	lostBefore := process("5", records.HostLost)
	looks := []struct {
		hosts []records.Host
		busy  int
		code  core.Code
	}{
		{[]records.Host{process("1", records.HostReady), process("2", records.HostDraining)}, 2, ""},
		{[]records.Host{process("1", records.HostDrained), process("2", records.HostDraining)}, 1, ""},
		{[]records.Host{process("1", records.HostLost), process("2", records.HostDraining)}, 1, ""}, // it had nothing left
		{[]records.Host{process("1", records.HostLost), process("2", records.HostLost)}, 0, core.CodeHostLost},
		{[]records.Host{process("1", records.HostLost), process("2", records.HostStopped)}, 0, ""},
	}
	d := newHostDrain("a")
	for _, look := range looks {
		busy, err := d.busy(append(look.hosts, other, startedLater, lostBefore))
		require.Equal(t, look.busy, busy)
		require.Equal(t, look.code, core.CodeOf(err))
	}
}
