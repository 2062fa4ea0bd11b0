package api_test

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"golang.org/x/sync/errgroup"

	videoschema "plait/api/video/schema"
	"plait/internal/core"
	"plait/internal/records"
	videorecords "plait/internal/records/video"
	"plait/internal/video"
)

const (
	// races is how many videos a race is run with, and raceLanes how many of them at a time. Under the race detector they are fewer: the
	// statements that decide have tests of their own, which are not.
	races, raceLanes = 1000 / (raceFactor * raceFactor), 20
)

// race runs one race after the other in each lane.
func race(t *testing.T, run func(n int) error) {
	t.Helper()
	var lanes errgroup.Group
	for lane := range raceLanes {
		lanes.Go(func() error {
			for n := lane; n < races; n += raceLanes {
				if err := run(n); err != nil {
					return fmt.Errorf("race %d: %w", n, err)
				}
			}
			return nil
		})
	}
	require.NoError(t, lanes.Wait())
}

// head is the number of leads that the first side of a race has over the second: as many reads, from 0 on.
const head = 5

// both runs two functions at the same time. In two of each head+2 races one of them ends before the other begins, so that each side wins
// sometimes on a machine of any speed.
func (r *rig) both(n int, first, second func() error) error {
	lead := n % (head + 2)
	switch lead {
	case head:
		return cmp.Or(first(), second())
	case head + 1:
		return cmp.Or(second(), first())
	}
	var group errgroup.Group
	group.Go(first)
	group.Go(func() error {
		for range lead {
			if err := r.records.Ping(r.t.Context()); err != nil {
				return err
			}
		}
		return second()
	})
	return group.Wait()
}

// racer is a caller without the checks of answers that the other tests make, which would take most of the time.
func (r *rig) racer() caller {
	c := r.caller("tenant")
	plain := *r
	plain.http = &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: raceLanes}}
	r.t.Cleanup(plain.http.CloseIdleConnections)
	c.rig = &plain
	return c
}

// claiming begins the generation of a video, and returns what claims it, as an engine does.
func claiming(ctx context.Context, store videorecords.Store, id string) (run records.StageRun, err error) {
	item, err := store.Item(ctx, id, 0)
	if err == nil {
		err = store.StartTask(ctx, core.StartTaskInput{TaskID: id})
	}
	if err != nil {
		return run, err
	}
	run = records.StageRun{Item: item.Ref, Stage: video.StageGenerate, Rank: 1, Attempt: 1, Mode: video.ModeGenerate, Host: "host"}
	_, err = store.BeginStage(ctx, run)
	return run, err
}

// stateOf reads the state of a video.
func (c caller) stateOf(id string) (video.Status, error) {
	a, err := c.try(http.MethodGet, generations+"/"+id, nil)
	var answer videoschema.Answer
	if err == nil {
		err = json.Unmarshal(a.body, &answer)
	}
	return answer.Data.Status, err
}

// A client deletes a video at the moment at which an engine takes it up: the video is canceled and the engine refused, or it is made and the
// client refused.
func TestDeletingAVideoRacesWithItsStart(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	c := r.racer()
	store := videorecords.New(r.records)
	var canceled, claimed atomic.Int64
	race(t, func(n int) error {
		body := videoRequest(t, func(v *videoschema.Request) {
			v.Model, v.Type, v.Input.Image, v.Input.Prompt = "wan", "text_to_video", "", fmt.Sprintf("whale %d", n)
		})
		a, err := c.try(http.MethodPost, generations, reader(body), "Content-Type: application/json")
		if err != nil {
			return err
		}
		var accepted videoschema.Accepted
		if err := json.Unmarshal(a.body, &accepted); err != nil {
			return err
		}
		id := accepted.Output.TaskID
		run, err := claiming(t.Context(), store, id)
		if err != nil {
			return err
		}
		var claim error
		if err := r.both(n,
			func() (err error) { a, err = c.try(http.MethodDelete, generations+"/"+id, nil); return err },
			func() error { claim = store.Claim(t.Context(), run); return nil },
		); err != nil {
			return err
		}
		state, err := c.stateOf(id)
		switch {
		case err != nil:
			return err
		case a.status == http.StatusOK && core.CodeOf(claim) == core.CodeCanceled && state == video.StatusCanceled:
			canceled.Add(1)
		case a.status == http.StatusConflict && claim == nil && state == video.StatusRunning:
			claimed.Add(1)
		default:
			return fmt.Errorf("the client got %d, the engine %q, and the video is %s", a.status, core.CodeOf(claim), state)
		}
		return nil
	})
	require.EqualValues(t, races, canceled.Load()+claimed.Load())
	require.Positive(t, canceled.Load())
	require.Positive(t, claimed.Load())
	t.Logf("%d were canceled, %d taken up", canceled.Load(), claimed.Load())
}

// A client deletes a video at the moment at which it is completed: the video is gone with its file, or it is there and the client refused.
func TestDeletingAVideoRacesWithItsCompletion(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	c := r.racer()
	store := videorecords.New(r.records)
	var deleted, kept atomic.Int64
	o := video.Options{Model: "wan", Engine: "gpus", Type: video.TextToVideo, Prompt: "a whale"}
	race(t, func(n int) error {
		task := records.NewTask{ID: fmt.Sprintf("video-%d", n), Tenant: "tenant", Kind: video.Kind, Options: o.JSON()}
		task.Items = []core.Item{{TaskID: task.ID, Tenant: "tenant", Name: "prompt.txt", Blob: exampleBlob}}
		task.Details = videorecords.Create(task.ID, o)
		if _, _, err := store.CreateTask(t.Context(), task); err != nil {
			return err
		}
		run, err := claiming(t.Context(), store, task.ID)
		if err == nil {
			err = store.Claim(t.Context(), run)
		}
		if err != nil {
			return err
		}
		ref, _, err := r.blobs.Put(t.Context(), strings.NewReader(task.ID), 1<<10)
		if err != nil {
			return err
		}
		var a answer
		if err := r.both(n,
			func() error {
				file := videorecords.File{Width: 832, Height: 480, Frames: 120, Duration: 5 * time.Second}
				if err := store.Finish(t.Context(), run, records.Finished{Mode: run.Mode, Result: ref}, file); err != nil {
					return err
				}
				_, err := store.FinishTask(t.Context(), core.FinishTaskInput{TaskID: task.ID})
				return err
			},
			func() (err error) { a, err = c.try(http.MethodDelete, generations+"/"+task.ID, nil); return err },
		); err != nil {
			return err
		}
		state, err := c.stateOf(task.ID)
		_, missing := r.blobs.Stat(t.Context(), ref)
		stored := missing == nil
		switch {
		case err != nil:
			return err
		case a.status == http.StatusOK && state == video.StatusUnknown && !stored:
			deleted.Add(1)
		case a.status == http.StatusConflict && state == video.StatusSucceeded && stored:
			kept.Add(1)
		default:
			return fmt.Errorf("the client got %d, the video is %s, its file is stored: %t", a.status, state, stored)
		}
		return nil
	})
	require.EqualValues(t, races, deleted.Load()+kept.Load())
	require.Positive(t, deleted.Load())
	require.Positive(t, kept.Load())
	rows, files := r.left()
	require.EqualValues(t, kept.Load(), rows["task"])
	require.Equal(t, rows["task"], rows["video"])
	require.Len(t, files, int(kept.Load()))
	t.Logf("%d were deleted, %d kept", deleted.Load(), kept.Load())
}
