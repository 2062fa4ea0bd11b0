package videorecords_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"golang.org/x/sync/errgroup"

	"plait/internal/core"
	"plait/internal/records"
	"plait/internal/records/recordstest"
	videorecords "plait/internal/records/video"
	"plait/internal/stack/stacktest"
	"plait/internal/video"
)

func TestMain(m *testing.M) { stacktest.Main(m) }

type fixture struct {
	videorecords.Store
	recordstest.Fixture
}

func open(t *testing.T) fixture {
	t.Helper()
	t.Parallel()
	store, f := recordstest.NewFixture(t)
	return fixture{videorecords.New(store), f}
}

var options = video.Options{Model: "motion", Engine: "motion", Type: video.ImageToVideo, Prompt: "zoom in"}

// running is a video whose generation has begun, and the run of it.
func (f fixture) running() (records.NewTask, records.StageRun) {
	f.T.Helper()
	task := recordstest.NewTask(video.Kind, options.JSON(), 1)
	task.Details = videorecords.Create(task.ID, options)
	f.Running(task)
	run := records.StageRun{
		Item: task.Items[0], Stage: video.StageGenerate, Rank: video.Rank(video.StageGenerate), Attempt: 1, Mode: video.ModeGenerate, Host: "cpu-1",
	}
	f.Begin(run)
	return task, run
}

func TestAVideoIsClaimedOrWithdrawn(t *testing.T) {
	f := open(t)
	task, run := f.running()
	require.NoError(t, f.Claim(t.Context(), run))
	require.NoError(t, f.Claim(t.Context(), run), "a repeated attempt")
	won, err := f.Withdraw(t.Context(), recordstest.Tenant, task.ID)
	require.NoError(t, err)
	require.False(t, won)

	task, run = f.running()
	won, err = f.Withdraw(t.Context(), "other", task.ID)
	require.NoError(t, err)
	require.False(t, won, "another tenant")
	won, err = f.Withdraw(t.Context(), recordstest.Tenant, task.ID)
	require.NoError(t, err)
	require.True(t, won)
	recordstest.RequireCode(t, core.CodeCanceled, f.Claim(t.Context(), run))
	v, err := f.Video(t.Context(), task.ID)
	require.NoError(t, err)
	require.Nil(t, v.ClaimedAt)
	require.NotNil(t, v.WithdrawnAt)
	require.NotNil(t, f.TaskOf(task.ID).CancelRequestedAt, "the sweeper ends the task if nobody else does")
}

// A video with a price costs it once, when it is made, and its cost outlives it.
func TestAVideoIsPaidForOnce(t *testing.T) {
	f := open(t)
	priced := options
	priced.Model, priced.Engine, priced.Duration, priced.PriceMicros = "wan", "gpus", 5, 250_000
	task := recordstest.NewTask(video.Kind, priced.JSON(), 1)
	task.Details = videorecords.Create(task.ID, priced)
	f.Running(task)
	run := records.StageRun{Item: task.Items[0], Stage: video.StageGenerate, Rank: 1, Attempt: 1, Mode: video.ModeGenerate, Host: "cpu-1"}
	f.Begin(run)
	require.NoError(t, f.Claim(t.Context(), run))
	v, err := f.Video(t.Context(), task.ID)
	require.NoError(t, err)
	require.EqualValues(t, 250_000, v.PriceMicros)
	const estimate = `SELECT concat_ws(' ', calls, cost, estimated_calls, estimated_cost) FROM cost_by_item WHERE task_id = $1`
	require.Equal(t, []string{"0 0.000000 1 0.250000"}, f.Rows(estimate, task.ID))

	file := videorecords.File{Width: 832, Height: 480, Frames: 80, Duration: 5 * time.Second}
	for range 2 { // the step is repeated
		require.NoError(t, f.Finish(t.Context(), run, records.Finished{Mode: video.ModeGenerate, Result: recordstest.BlobOf("v")}, file))
	}
	require.Equal(t, []string{"1 0.250000 1 0.250000"}, f.Rows(estimate, task.ID))
	_, err = f.FinishTask(t.Context(), core.FinishTaskInput{TaskID: task.ID})
	require.NoError(t, err)
	_, err = f.DeleteTask(t.Context(), recordstest.Tenant, task.ID)
	require.NoError(t, err)
	const cost = `SELECT concat_ws(' ', engine, model, videos, seconds, cost) FROM video_cost_by_model_day WHERE day = date_trunc('day', now(), 'UTC')`
	require.Equal(t, []string{"gpus wan 1 5 0.250000"}, f.Rows(cost))
	require.Equal(t, []string{"gpus wan 1 0.250000"}, f.Rows(`SELECT concat_ws(' ', provider, model, calls, cost) FROM cost_by_model_day`))

	_, free := f.running()
	require.NoError(t, f.Finish(t.Context(), free, records.Finished{Mode: video.ModeGenerate, Result: recordstest.BlobOf("w")}, file))
	require.Equal(t, []string{"gpus wan 1 5 0.250000"}, f.Rows(cost), "a model without a price")
}

func TestPlacesInTheQueueOfAnEngine(t *testing.T) {
	f := open(t)
	first, run := f.running()
	second, _ := f.running()
	p, err := f.Place(t.Context(), second.ID)
	require.NoError(t, err)
	require.Equal(t, videorecords.Place{Position: 2}, p)

	require.NoError(t, f.Claim(t.Context(), run))
	f.SQL(`UPDATE video SET claimed_at = now() - interval '10 s'`)
	f.SQL(`UPDATE video SET claimed_at = NULL WHERE task_id = $1`, second.ID)
	require.NoError(t, f.Finish(t.Context(), run, records.Finished{Result: recordstest.BlobOf("v"), Mode: video.ModeGenerate}, videorecords.File{Width: 2, Height: 2, Frames: 1, Duration: time.Second}))
	_, err = f.FinishTask(t.Context(), core.FinishTaskInput{TaskID: first.ID})
	require.NoError(t, err)
	_, other := f.running()
	require.NoError(t, f.Claim(t.Context(), other))
	p, err = f.Place(t.Context(), second.ID)
	require.NoError(t, err)
	require.Equal(t, 1, p.Position)
	require.WithinDuration(t, time.Now().Add(10*time.Second), *p.Start, 5*time.Second)
}

// The places of several tenants go by the priorities of their tiers, and within one by turns.
func TestPlacesOfSeveralTenants(t *testing.T) {
	f := open(t)
	queue := func(tenant string, priority, videos int) (ids []string) {
		f.SQL(`INSERT INTO tier (name, priority) VALUES ($1, $2)`, tenant, priority)
		f.SQL(`INSERT INTO tenant (name, tier) VALUES ($1, $1)`, tenant)
		for range videos {
			task := recordstest.NewTask(video.Kind, options.JSON(), 1)
			task.Tenant, task.Details = tenant, videorecords.Create(task.ID, options)
			f.Create(task)
			ids = append(ids, task.ID)
		}
		return ids
	}
	queued := map[string][]string{"last": queue("last", 7, 1), "odd": queue("odd", 5, 6), "even": queue("even", 6, 3), "first": queue("first", 4, 2)}
	for tenant, want := range map[string][]int{
		"first": {1, 2}, "odd": {3, 4, 5, 6, 8, 9}, "even": {2 + 1, 2 + 2 + 4, 2 + 3 + 6}, "last": {2 + 6 + 3 + 1},
	} {
		var places []int
		for _, id := range queued[tenant] {
			p, err := f.Place(t.Context(), id)
			require.NoError(t, err)
			places = append(places, p.Position)
		}
		require.Equal(t, want, places, tenant)
		o, err := f.Outlook(t.Context(), tenant, video.Model{Engine: options.Engine, Name: options.Model}, video.Resolution480, 5)
		require.NoError(t, err)
		require.Greater(t, o.Position, want[len(want)-1], "a new video comes last of its tenant")
	}
	o, err := f.Outlook(t.Context(), "nobody", video.Model{Engine: options.Engine, Name: options.Model}, video.Resolution480, 5)
	require.NoError(t, err)
	require.Equal(t, 2+1, o.Position, "of the priority of most")
}

// races is how often each race is run.
const races = 1000

func TestWithdrawingRacesWithAnEngine(t *testing.T) {
	f := open(t)
	task, run := f.running()
	outcomes := map[bool]int{}
	for range races {
		f.SQL(`UPDATE video SET claimed_at = NULL, withdrawn_at = NULL`)
		var won bool
		var claim error
		var group errgroup.Group
		group.Go(func() (err error) {
			won, err = f.Withdraw(t.Context(), recordstest.Tenant, task.ID)
			return err
		})
		group.Go(func() error {
			claim = f.Claim(t.Context(), run)
			return nil
		})
		require.NoError(t, group.Wait())
		if won {
			recordstest.RequireCode(t, core.CodeCanceled, claim)
		} else {
			require.NoError(t, claim)
		}
		outcomes[won]++
	}
	require.Len(t, outcomes, 2, "both win sometimes: %v", outcomes)
}

// A client deletes a video while it completes: the video is deleted as a whole, or the client is told that it still runs.
func TestDeletingRacesWithCompletion(t *testing.T) {
	f := open(t)
	outcomes := map[int]int{}
	for range races {
		task, run := f.running()
		require.NoError(t, f.Claim(t.Context(), run))
		result := recordstest.BlobOf(task.ID)
		var group errgroup.Group
		deleted := make(chan struct{}, 3)
		for range cap(deleted) {
			group.Go(func() error {
				_, err := f.DeleteTask(t.Context(), recordstest.Tenant, task.ID)
				if code := core.CodeOf(err); code == core.CodeConflict || code == core.CodeNotFound {
					return nil
				}
				if err == nil {
					deleted <- struct{}{}
				}
				return err
			})
		}
		group.Go(func() error {
			file := videorecords.File{Width: 832, Height: 480, Frames: 120, Duration: 5 * time.Second}
			if err := f.Finish(t.Context(), run, records.Finished{Mode: video.ModeGenerate, Result: result}, file); err != nil {
				return err
			}
			_, err := f.FinishTask(t.Context(), core.FinishTaskInput{TaskID: task.ID})
			return err
		})
		require.NoError(t, group.Wait())
		outcomes[len(deleted)]++
		if len(deleted) == 0 {
			require.Equal(t, core.StatusSuccess, f.TaskOf(task.ID).Status)
			continue
		}
		require.Len(t, deleted, 1)
		require.Equal(t, []string{"0"}, f.Rows(`SELECT count(*)::text FROM video WHERE task_id = $1`, task.ID))
	}
	t.Logf("deletions that succeeded: %v", outcomes)
}

func TestTheJobOfAServerIsFoundAgain(t *testing.T) {
	f := open(t)
	task, run := f.running()
	asked := time.Now().UTC().Truncate(time.Microsecond)
	job := video.ServerJob{Server: "http://gpu-1", AskedAt: &asked}
	require.NoError(t, f.SaveJob(t.Context(), run, job))
	job.ID = "video_1"
	require.NoError(t, f.SaveJob(t.Context(), run, job))
	prompt := "a slow zoom"
	require.NoError(t, f.SavePercent(t.Context(), run, 40))
	v, err := f.Video(t.Context(), task.ID)
	require.NoError(t, err)
	require.Equal(t, 40, v.Percent)
	require.Equal(t, job.ID, v.Job.ID)
	require.True(t, asked.Equal(*v.Job.AskedAt))
	known, err := f.Jobs(t.Context(), "http://gpu-1", []string{"video_0", "video_1"})
	require.NoError(t, err)
	require.Equal(t, []string{"video_1"}, known)

	require.NoError(t, f.SavePrompt(t.Context(), run, &prompt, nil))
	v, err = f.Video(t.Context(), task.ID)
	require.NoError(t, err)
	require.Equal(t, prompt, *v.ActualPrompt)
	require.Contains(t, f.Rows(`SELECT data->'item'->>'percent' FROM event WHERE type = 'task.progress' AND task_id = $1 ORDER BY id`, task.ID), "40")

	_, err = f.Video(t.Context(), "other")
	recordstest.RequireCode(t, core.CodeNotFound, err)
}
