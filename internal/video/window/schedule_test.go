package window_test

import (
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"plait/internal/video/window"
)

// measured is the profile of a FlashVSR implementation for 16 frames.
func measured() window.Profile {
	p := window.Profile{Prepare: 25 * time.Millisecond, Decode: 90 * time.Millisecond, Color: time.Millisecond}
	for range 30 {
		p.Blocks = append(p.Blocks, 18200*time.Microsecond)
	}
	return p
}

const windows = 60

// The schedules take the times of their formulas. The clock of the test stands still while any stage could go on.
func TestSchedulesTakeTheTimesOfTheirFormulas(t *testing.T) {
	t.Parallel()
	p := measured()
	two, three := []string{"a", "b"}, []string{"a", "b", "c"}
	for name, c := range map[string]struct {
		schedule window.Schedule
		cut      window.Cut
		devices  []string
	}{
		"sequential":                                {window.Sequential, window.CutAuto, two},
		"one device":                                {window.Aggressive, window.CutAuto, []string{"a"}},
		"basic, half":                               {window.Basic, window.CutHalf, two},
		"basic, auto":                               {window.Basic, window.CutAuto, two},
		"basic, no first blocks":                    {window.Basic, 0, two},
		"aggressive, two devices":                   {window.Aggressive, window.CutAuto, two},
		"aggressive, prepared elsewhere":            {window.Aggressive, window.CutAuto, three},
		"aggressive, half, prepared elsewhere":      {window.Aggressive, window.CutHalf, three},
		"aggressive, no last blocks, two devices":   {window.Aggressive, 30, two},
		"aggressive, no first blocks, on a third":   {window.Aggressive, 0, three},
		"sequential with a device for the prepares": {window.Sequential, window.CutHalf, three},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				cut := p.CutOf(c.cut, len(c.devices))
				want := formula(p, c.schedule, cut, windows, len(c.devices))
				began := time.Now()
				timeline, err := p.Replay(t.Context(), c.schedule, cut, windows, c.devices)
				require.NoError(t, err)
				require.InEpsilon(t, want, time.Since(began), 0.05)
				require.Equal(t, time.Since(began), timeline.Makespan)
				require.Equal(t, windows, timeline.Windows)

				predicted := p.Predict(c.schedule, cut, windows, c.devices)
				require.InEpsilon(t, timeline.Makespan, predicted.Makespan, 0.01)
				require.Equal(t, timeline.Devices, predicted.Devices)
				require.Equal(t, timeline.Busy, predicted.Busy)
				require.Len(t, predicted.Spans, len(timeline.Spans))
			})
		})
	}
}

// The figures of the field: the profiled cut is better than the half, and preparation on a device of its own better still.
func TestCutIsThatOfTheSlowerDevice(t *testing.T) {
	t.Parallel()
	p := measured()
	require.Equal(t, 17, p.CutOf(window.CutAuto, 2))
	require.Equal(t, 17, p.CutOf(window.CutAuto, 3))
	require.Equal(t, 15, p.CutOf(window.CutHalf, 2))
	require.Equal(t, 30, p.CutOf(window.CutAuto, 1))
	require.Equal(t, 30, p.CutOf(99, 2))

	speedup := func(s window.Schedule, cut window.Cut, devices ...string) float64 {
		const many = 1000
		one := p.Predict(window.Sequential, 15, many, []string{"a"})
		return float64(one.Makespan) / float64(p.Predict(s, p.CutOf(cut, len(devices)), many, devices).Makespan)
	}
	require.InDelta(t, 1.82, speedup(window.Basic, window.CutHalf, "a", "b"), 0.01)
	require.InDelta(t, 1.976, speedup(window.Basic, window.CutAuto, "a", "b"), 0.01)
	require.InDelta(t, 2.02, speedup(window.Aggressive, window.CutAuto, "a", "b", "c"), 0.01)

	// A slow transfer is part of the time of the second device.
	p.Transfer = 200 * time.Millisecond
	require.Greater(t, p.CutOf(window.CutAuto, 2), 20)
}

func TestParseCut(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]window.Cut{"auto": window.CutAuto, "half": window.CutHalf, "0": 0, "12": 12} {
		cut, err := window.ParseCut(text)
		require.NoError(t, err)
		require.Equal(t, want, cut)
	}
	for _, text := range []string{"", "-1", "middle"} {
		_, err := window.ParseCut(text)
		require.ErrorContains(t, err, "the cut is auto, half or a number")
	}
}
