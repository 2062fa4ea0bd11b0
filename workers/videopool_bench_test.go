package workers_test

import (
	"cmp"
	"context"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"
	"go.temporal.io/sdk/activity"

	videosteps "plait/activities/video"
	"plait/internal/benchtest"
	"plait/internal/core"
	"plait/internal/records"
	videorecords "plait/internal/records/video"
	"plait/internal/video"
	"plait/internal/video/ffmpeg/ffmpegtest"
	"plait/workflows"
)

const (
	// poolSlots is the number of videos at the same time; a division by tier gives poolPremium of them to the premium tier.
	poolSlots, poolPremium = 10, 2
	// poolDefault and poolBetter are the tasks of the two tiers. They arrive at random within poolArrivals.
	poolDefault, poolBetter = 200, 20
	poolArrivals            = 20 * time.Second
	// A video takes from poolShortest to poolLongest of its slot.
	poolShortest, poolLongest = time.Second, 3 * time.Second
)

// order is a task of the load: who asks, when, and how long it takes.
type order struct {
	id      string
	premium bool
	at      time.Duration
	takes   time.Duration
}

// orders draws the load, which is the same for every case.
func orders() (list []order) {
	random := rand.New(rand.NewPCG(1, 0))
	for i := range poolDefault + poolBetter {
		list = append(list, order{
			id: uuid.NewString(), premium: i < poolBetter, at: time.Duration(random.Int64N(int64(poolArrivals))),
			takes: poolShortest + time.Duration(random.Int64N(int64(poolLongest-poolShortest))),
		})
	}
	slices.SortFunc(list, func(a, b order) int { return cmp.Compare(a.at, b.at) })
	return list
}

// turn is when the step of a task was there, when a slot took it, and when the engine had made the video.
type turn struct {
	premium                bool
	scheduled, began, done time.Time
}

// paced is an engine that takes a given time for each video, and returns the same file for all.
type paced struct {
	file   string
	orders map[string]order

	mu    sync.Mutex
	turns map[string]turn
}

func (p *paced) Generate(ctx context.Context, j video.Job) error {
	info, of := activity.GetInfo(ctx), p.orders[j.TaskID]
	p.mu.Lock()
	p.turns[j.TaskID] = turn{premium: of.premium, scheduled: info.ScheduledTime, began: info.StartedTime}
	p.mu.Unlock()
	if err := j.Begin(ctx); err != nil {
		return err
	}
	if err := take(ctx, of.takes); err != nil {
		return err
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	t := p.turns[j.TaskID]
	t.done = time.Now()
	p.turns[j.TaskID] = t
	return os.Link(p.file, j.Path)
}

func (p *paced) Forget(context.Context, video.Job) error { return nil }

// BenchmarkPool measures a load of two tiers on one pool that is served by priority, on the same pool without priorities, and on a pool for
// each tier.
//
//	go test ./workers -run '^$' -bench Pool -benchtime 1x
func BenchmarkPool(b *testing.B) {
	file := ffmpegtest.Make(b, "-f", "lavfi", "-i", "testsrc=size=128x96:rate=24:duration=3", "-c:v", "libx264", "-pix_fmt", "yuv420p", "video.mp4")
	for _, c := range []struct {
		name                string
		byPriority, divided bool
	}{
		{"one pool by priority", true, false}, {"one plain queue", false, false}, {"a pool for each tier", false, true},
	} {
		b.Run(c.name, func(b *testing.B) {
			r := newRig(b)
			list := orders()
			p := &paced{file: filepath.Clean(file), orders: map[string]order{}, turns: map[string]turn{}}
			for _, o := range list {
				p.orders[o.id] = o
			}
			engines := map[string]videosteps.Engine{"all": {Generator: p, Slots: poolSlots}}
			if c.divided {
				engines = map[string]videosteps.Engine{"default": {Generator: p, Slots: poolSlots - poolPremium}, "premium": {Generator: p, Slots: poolPremium}}
			}
			b.Cleanup(r.videoHost(b, "host", r.blobs, videosteps.Deps{Engines: engines, Extend: noPrompts}))
			began := time.Now()
			for _, o := range list {
				require.NoError(b, take(b.Context(), time.Until(began.Add(o.at))))
				engine, tenant, share := "all", "default", workflows.Share{PriorityKey: 3, FairnessWeight: 1}
				if c.divided {
					engine = "default"
				}
				if o.premium && c.divided {
					engine = "premium"
				}
				if o.premium && c.byPriority {
					tenant, share.PriorityKey = "premium", 1
				}
				r.ordered(o, engine, tenant, share)
			}
			for _, o := range list {
				require.NoError(b, r.client.GetWorkflow(b.Context(), o.id, "").Get(b.Context(), nil))
			}
			report(b, c.name, began, p.turns)
		})
	}
}

// ordered starts the task of an order.
func (r *rig) ordered(of order, engine, tenant string, share workflows.Share) {
	r.t.Helper()
	o := video.Options{
		Model: "paced", Engine: engine, Type: video.TextToVideo, Prompt: "a whale", Resolution: video.Resolution480, Width: 128, Height: 96, Duration: 3,
	}
	in := workflows.TaskInput{TaskID: of.id, Tenant: tenant, Kind: video.Kind, Title: engine, Options: o.JSON()}
	ref, _, err := r.blobs.Put(r.t.Context(), strings.NewReader(o.Prompt), 1<<10)
	require.NoError(r.t, err)
	in.Items = []core.Item{{TaskID: in.TaskID, Tenant: tenant, Name: "prompt.txt", Blob: ref}}
	_, _, err = r.records.CreateTask(r.t.Context(), records.NewTask{
		ID: in.TaskID, Tenant: tenant, Kind: in.Kind, Title: in.Title, Options: o.JSON(), Items: in.Items,
		Details: videorecords.Create(in.TaskID, o),
	})
	require.NoError(r.t, err)
	require.NoError(r.t, workflows.Start(r.t.Context(), r.client, in, share))
}

// report writes the figures of a case.
func report(b *testing.B, name string, began time.Time, turns map[string]turn) {
	b.Helper()
	require.Len(b, turns, poolDefault+poolBetter)
	var last time.Time
	waits := map[bool][]time.Duration{}
	for _, t := range turns {
		require.False(b, t.done.IsZero())
		if t.done.After(last) {
			last = t.done
		}
		waits[t.premium] = append(waits[t.premium], t.began.Sub(t.scheduled))
	}
	slices.Sort(waits[true])
	slices.Sort(waits[false])
	passed, longest := overtaken(turns)
	gaps := handovers(turns)
	benchtest.Write(b, []string{"stand-in videos"}, map[string]any{
		"case": name, "slots": poolSlots, "default_tasks": poolDefault, "premium_tasks": poolBetter,
		"makespan_s": last.Sub(began).Seconds(), "idle_slot_s_while_a_task_waits": idle(turns),
		"handover_median_s": gaps[len(gaps)/2].Seconds(), "handover_p99_s": gaps[len(gaps)*99/100].Seconds(),
		"default_before_a_waiting_premium": passed, "longest_such_wait_s": longest.Seconds(),
		"premium_wait_median_s": waits[true][poolBetter/2].Seconds(), "premium_wait_max_s": waits[true][poolBetter-1].Seconds(),
		"default_wait_median_s": waits[false][poolDefault/2].Seconds(), "default_wait_max_s": waits[false][poolDefault-1].Seconds(),
	})
}

// overtaken counts the default tasks that a slot took while the step of a premium one was scheduled, and returns the longest time since then:
// Temporal takes some milliseconds to bring a scheduled step to its queue.
func overtaken(turns map[string]turn) (n int, longest time.Duration) {
	for _, t := range turns {
		if t.premium {
			continue
		}
		var since time.Duration
		for _, p := range turns {
			if p.premium && p.began.After(t.began) {
				since = max(since, t.began.Sub(p.scheduled))
			}
		}
		if since > 0 {
			n, longest = n+1, max(longest, since)
		}
	}
	return n, longest
}

// idle adds up the time of free slots, in seconds, while a task waits for one.
func idle(turns map[string]turn) (seconds float64) {
	type change struct {
		at            time.Time
		waiting, busy int
	}
	var changes []change
	for _, t := range turns {
		changes = append(changes, change{t.scheduled, 1, 0}, change{t.began, -1, 1}, change{t.done, 0, -1})
	}
	slices.SortFunc(changes, func(a, b change) int { return a.at.Compare(b.at) })
	waiting, busy := 0, 0
	for i, c := range changes {
		if i > 0 && waiting > 0 {
			seconds += float64(poolSlots-busy) * c.at.Sub(changes[i-1].at).Seconds()
		}
		waiting, busy = waiting+c.waiting, busy+c.busy
	}
	return seconds
}

// handovers are the times from the end of a video, or the arrival of the next one if that is later, to its begin in the slot that has been
// free for the longest time, in ascending order.
func handovers(turns map[string]turn) (gaps []time.Duration) {
	var begun, ended []turn
	for _, t := range turns {
		begun, ended = append(begun, t), append(ended, t)
	}
	slices.SortFunc(begun, func(a, b turn) int { return a.began.Compare(b.began) })
	slices.SortFunc(ended, func(a, b turn) int { return a.done.Compare(b.done) })
	for i, t := range begun[poolSlots:] {
		since := ended[i].done
		if t.scheduled.After(since) {
			since = t.scheduled
		}
		gaps = append(gaps, t.began.Sub(since))
	}
	slices.Sort(gaps)
	return gaps
}
