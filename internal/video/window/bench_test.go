package window_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"plait/internal/benchtest"
	"plait/internal/video/window"
)

// formula returns the time of n windows, as the documentation of the package says.
func formula(p window.Profile, s window.Schedule, cut, n, devices int) time.Duration {
	a, b := p.Prepare, time.Duration(cut)*p.Blocks[0]
	c := p.Window() - a - b
	period := max(a+b, c)
	switch {
	case s == window.Sequential || devices == 1:
		period = a + b + c
	case s == window.Aggressive && devices == 3:
		period = max(a, b, c)
	}
	return a + b + c + time.Duration(n-1)*period
}

// BenchmarkSchedules runs the schedules with stages that take the times of a FlashVSR implementation, beside the formulas.
func BenchmarkSchedules(b *testing.B) {
	p := measured()
	const n = 40
	for b.Loop() {
		for _, c := range []struct {
			schedule window.Schedule
			cut      window.Cut
			devices  []string
		}{
			{window.Sequential, window.CutAuto, []string{"0", "1"}},
			{window.Basic, window.CutHalf, []string{"0", "1"}},
			{window.Basic, window.CutAuto, []string{"0", "1"}},
			{window.Aggressive, window.CutAuto, []string{"0", "1"}},
			{window.Aggressive, window.CutAuto, []string{"0", "1", "2"}},
		} {
			cut := p.CutOf(c.cut, len(c.devices))
			timeline, err := p.Replay(b.Context(), c.schedule, cut, n, c.devices)
			require.NoError(b, err)
			utilization := map[string]float64{}
			for _, device := range c.devices {
				utilization[device] = timeline.Utilization(device)
			}
			benchtest.Write(b, []string{"replayed stage times"}, struct {
				Schedule    window.Schedule    `json:"schedule"`
				Devices     int                `json:"devices"`
				Cut         int                `json:"cut"`
				Windows     int                `json:"windows"`
				Seconds     float64            `json:"seconds"`
				Formula     float64            `json:"formula_seconds"`
				SpeedUp     float64            `json:"speed_up"`
				Utilization map[string]float64 `json:"utilization"`
			}{
				c.schedule, len(c.devices), cut, n, timeline.Makespan.Seconds(),
				formula(p, c.schedule, cut, n, len(c.devices)).Seconds(),
				float64(n*p.Window()) / float64(timeline.Makespan), utilization,
			})
		}
	}
}
