package workers_test

import (
	"context"
	"fmt"
	"os/exec"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"plait/internal/comic"
	"plait/internal/core"
	"plait/internal/translate"
	"plait/workers"
)

const (
	// envMortal makes this test binary a GPU host that is going to be killed: "database URL|Temporal address|blob folder|name".
	envMortal = "PLAIT_TEST_MORTAL_HOST"

	// A page takes so much of a device and of the model here. The model is what a chapter waits for, so that the hosts keep contexts.
	recoveryDevice, recoveryModel = 400 * time.Millisecond, 700 * time.Millisecond
	recoveryPages, kills          = 10, 6
)

func pollAsMortal(ctx context.Context, places []string) error {
	return pollAs(ctx, places, places[3], 1, timedEngine(recoveryDevice))
}

// BenchmarkRecovery kills a GPU host with SIGKILL in the middle of a chapter, several times, each time at another step, while another
// host goes on. It measures for how long the kill held a page up: from then, or from the moment that nothing but the host was
// missing, until a step of the page began elsewhere. It counts the pages that were done again, and prints one JSON line.
//
//	go test ./workers -run '^$' -bench Recovery -benchtime 1x
func BenchmarkRecovery(b *testing.B) {
	embedded := startStack(b)
	r := newRigAt(b, embedded.DatabaseURL(), embedded.TemporalAddress())
	r.model.Before = func(ctx context.Context, _ translate.Request) error { return take(ctx, recoveryModel) }
	r.host(hostOptions{roles: []workers.Role{workers.RoleControl, workers.RoleTranslate}})
	r.host(hostOptions{roles: []workers.Role{workers.RoleGPU}, engine: timedEngine(recoveryDevice)})
	var all recovery
	for i := range kills {
		stage := []core.Stage{comic.StageDetect, comic.StageRender}[i%2]
		all.add(r.killDuring(stage, fmt.Sprintf("mortal-%d", i+1)))
	}
	require.NotEmpty(b, all.seconds)
	slices.Sort(all.seconds)
	slices.Sort(all.done)
	figure(b, map[string]any{
		"case": "kill -9 of a GPU host", "kills": kills, "pages": kills * recoveryPages,
		"held_up_min_s": all.seconds[0], "held_up_median_s": all.seconds[len(all.seconds)/2], "held_up_max_s": all.seconds[len(all.seconds)-1],
		"chapter_done_min_s": all.done[0], "chapter_done_median_s": all.done[len(all.done)/2], "chapter_done_max_s": all.done[len(all.done)-1],
		"pages_in_flight": all.inFlight, "pages_recomputed": all.recomputed, "other_pages_recomputed": all.others, "model_calls_twice": all.twice,
	})
}

// recovery is what kills cost.
type recovery struct {
	// seconds are for how long each page was held up, and done until each chapter was.
	seconds, done []float64
	// inFlight pages had been begun on the host and not ended; recomputed are those of them that a device saw once more, and others
	// those beside them. twice are model calls that were made again.
	inFlight, recomputed, others, twice int
}

func (r *recovery) add(o recovery) {
	r.seconds, r.done = append(r.seconds, o.seconds...), append(r.done, o.done...)
	r.inFlight, r.recomputed, r.others, r.twice = r.inFlight+o.inFlight, r.recomputed+o.recomputed, r.others+o.others, r.twice+o.twice
}

// killDuring runs a chapter, and kills the host of that name while it does such a step and has more than one page.
func (r *rig) killDuring(stage core.Stage, name string) recovery {
	r.t.Helper()
	conn, err := pgx.Connect(r.t.Context(), r.url)
	require.NoError(r.t, err)
	defer conn.Close(r.t.Context())
	asked := len(r.model.Pages())
	mortal := r.mortalHost(name)
	in := r.task(comic.ModeSplit, chapterPages(recoveryPages)...)
	r.start(in)
	waiting, cancel := context.WithTimeout(r.t.Context(), patience)
	defer cancel()
	require.NoError(r.t, until(waiting, func() bool {
		var ready bool
		require.NoError(r.t, conn.QueryRow(waiting, `SELECT coalesce(bool_or(r.stage = $3 AND r.outcome = 'running'), false) AND count(DISTINCT item_index) > 1
			FROM stage_run r JOIN item p USING (task_id, item_index) WHERE r.task_id = $1 AND r.host = $2 AND p.ended_at IS NULL`,
			in.TaskID, name, stage).Scan(&ready))
		return ready
	}))
	killed := time.Now()
	require.NoError(r.t, mortal.Process.Kill())
	result, err := r.wait(in)
	require.NoError(r.t, err)
	require.Equal(r.t, recoveryPages, result.SuccessCount)
	for i, page := range r.pages(in) {
		require.Equal(r.t, helloRendered(i), r.result(page))
	}
	cost := recovery{done: []float64{time.Since(killed).Seconds()}, twice: len(r.model.Pages()) - asked - recoveryPages}
	rows, err := conn.Query(r.t.Context(), costOfKill, in.TaskID, name, killed)
	require.NoError(r.t, err)
	cost.count(r.t, rows)
	return cost
}

// count takes what costOfKill lists.
func (r *recovery) count(tb testing.TB, rows pgx.Rows) {
	tb.Helper()
	var onHost, again bool
	var seconds *float64
	_, err := pgx.ForEachRow(rows, []any{&onHost, &again, &seconds}, func() error {
		switch {
		case onHost && again:
			r.recomputed++
			r.seconds = append(r.seconds, *seconds)
			fallthrough
		case onHost:
			r.inFlight++
		case again:
			r.others++
		}
		return nil
	})
	require.NoError(tb, err)
}

// costOfKill lists the pages with: whether the host had one that had not ended when it was killed; whether a device began it again
// after that; and for how many seconds it was held up, if so. A page that was being translated waited for nothing but the model.
const costOfKill = `
SELECT coalesce(p.ended_at > $3 AND bool_or(r.host = $2), false),
	count(*) FILTER (WHERE r.stage IN ('detect', 'page')) > 1,
	extract(epoch FROM again.began
		- greatest($3, max(r.ended_at) FILTER (WHERE r.stage = 'translate' AND r.ended_at <= again.began)))::double precision
FROM item p JOIN stage_run r USING (task_id, item_index) CROSS JOIN LATERAL (
	SELECT min(started_at) AS began FROM stage_run a WHERE a.task_id = p.task_id AND a.item_index = p.item_index
		AND a.stage IN ('detect', 'page') AND a.host <> $2 AND a.started_at > $3
) again
WHERE p.task_id = $1 GROUP BY p.item_index, p.ended_at, again.began`

func (r *rig) mortalHost(name string) *exec.Cmd {
	r.t.Helper()
	mortal, _ := r.child(r.t, envMortal+"="+strings.Join([]string{r.url, r.address, r.blobDir, name}, "|"))
	return mortal
}
