package window

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"text/tabwriter"
	"time"
)

// Report compares the schedules of a model: what each is predicted to take, and what one of them took.
type Report struct {
	Profile  Profile  `json:"profile"` // nanoseconds
	Devices  []string `json:"devices"`
	Cut      int      `json:"cut"`
	Windows  int      `json:"windows"`
	Schedule Schedule `json:"schedule"`
	// Predicted has the makespan of each schedule in seconds, Actual that of Schedule.
	Predicted   map[Schedule]float64 `json:"predicted_seconds"`
	Actual      float64              `json:"actual_seconds"`
	Utilization map[string]float64   `json:"utilization"`
	// Charts are the predicted and the actual timeline of Schedule.
	Charts []Chart `json:"-"`
}

// Rehearse measures the parts of a model, and runs so many windows of noise through it. Errors: those of [Measure], [Open] and [Model.Try].
func Rehearse(ctx context.Context, m Manifest, c Config, windows int) (Report, error) {
	profile, err := Measure(ctx, m, c)
	if err != nil {
		return Report{}, err
	}
	return profile.report(c, windows, func(cut int) (timeline *Timeline, err error) {
		c.Cut = Cut(cut)
		model, err := Open(ctx, m, c)
		if err != nil {
			return nil, err
		}
		defer func() { err = errors.Join(err, model.Close()) }()
		return model.Try(ctx, windows)
	})
}

// Rehearse is the same with stages that only take the times of the profile. Errors: those of [Profile.Check].
func (p Profile) Rehearse(ctx context.Context, c Config, windows int) (Report, error) {
	if err := p.Check(); err != nil {
		return Report{}, err
	}
	return p.report(c, windows, func(cut int) (*Timeline, error) {
		return p.Replay(ctx, c.Schedule, cut, windows, DeviceNames(c.Devices))
	})
}

func (p Profile) report(c Config, windows int, run func(cut int) (*Timeline, error)) (Report, error) {
	names := DeviceNames(c.Devices)
	r := Report{
		Profile: p, Devices: names, Cut: p.CutOf(c.Cut, len(names)), Windows: windows, Schedule: c.Schedule,
		Predicted: map[Schedule]float64{}, Utilization: map[string]float64{},
	}
	actual, err := run(r.Cut)
	if err != nil {
		return Report{}, err
	}
	r.Actual = actual.Makespan.Seconds()
	for _, name := range names {
		r.Utilization[name] = actual.Utilization(name)
	}
	for _, s := range Schedules {
		predicted := p.Predict(s, r.Cut, windows, names)
		r.Predicted[s] = predicted.Makespan.Seconds()
		if s == c.Schedule {
			r.Charts = append(r.Charts, Chart{Title: "predicted, " + string(s), Timeline: predicted})
		}
	}
	r.Charts = append(r.Charts, Chart{Title: "actual, " + string(c.Schedule), Timeline: actual})
	return r, nil
}

// Print prints a report for people.
func (r Report) Print(w io.Writer) error {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(t, "STAGE\tTIME OF A WINDOW")
	fmt.Fprintf(t, "prepare\t%s\n", milliseconds(r.Profile.Prepare))
	fmt.Fprintf(t, "%d blocks\t%s to %s each\n", len(r.Profile.Blocks), milliseconds(slices.Min(r.Profile.Blocks)), milliseconds(slices.Max(r.Profile.Blocks)))
	fmt.Fprintf(t, "decode\t%s\n", milliseconds(r.Profile.Decode))
	fmt.Fprintf(t, "color\t%s\n\n", milliseconds(r.Profile.Color))
	fmt.Fprintf(t, "The first %d blocks run on %s, the others on %s.\n\n", r.Cut, r.Devices[0], r.Devices[min(1, len(r.Devices)-1)])
	fmt.Fprintf(t, "SCHEDULE\tPREDICTED FOR %d WINDOWS\tACTUAL\n", r.Windows)
	for _, s := range Schedules {
		actual := ""
		if s == r.Schedule {
			actual = fmt.Sprintf("%.2f s", r.Actual)
		}
		fmt.Fprintf(t, "%s\t%.2f s\t%s\n", s, r.Predicted[s], actual)
	}
	for _, name := range r.Devices {
		fmt.Fprintf(t, "\n%s works %.0f %% of the time.", name, 100*r.Utilization[name])
	}
	fmt.Fprintln(t)
	return t.Flush()
}

func milliseconds(d time.Duration) string { return fmt.Sprintf("%.1f ms", d.Seconds()*1000) }
