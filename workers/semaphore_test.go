package workers_test

import (
	"context"
	"fmt"
	"log/slog"
	"os/exec"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"plait/activities"
	comicsteps "plait/activities/comic"
	"plait/activities/comic/enginetest"
	"plait/internal/comic"
	"plait/internal/llmtest"
	"plait/internal/records"
	"plait/internal/translate"
	"plait/internal/translate/provider"
	"plait/workers"
	comicworkers "plait/workers/comic"
	"plait/workflows"
)

// envTranslator makes this test binary a translate worker of its own process: "database URL|Temporal address|model server|slots".
const envTranslator = "PLAIT_TEST_TRANSLATOR"

func pollAsTranslator(ctx context.Context, places []string) error {
	store, err := records.Open(ctx, places[0], records.Options{})
	if err != nil {
		return err
	}
	defer store.Close()
	c, err := dial(places[1])
	if err != nil {
		return err
	}
	defer c.Close()
	slots, err := strconv.Atoi(places[3])
	if err != nil {
		return err
	}
	translator, err := translate.New(translate.Config{Provider: provider.Config{
		Kind: provider.OpenAI, BaseURL: places[2], Model: llmtest.DefaultModel,
	}}, store, slog.New(slog.DiscardHandler))
	if err != nil {
		return err
	}
	host := activities.New(activities.Deps{Records: store, Name: "translator"})
	steps := comicsteps.New(comicsteps.Deps{
		Host: host, TranslateSlots: slots,
		Translators: func(context.Context, comic.Options) (translate.Translator, error) { return translator, nil },
	})
	return workers.Run(ctx, workers.Config{
		Client: c, Roles: []workers.Role{workers.RoleTranslate}, Host: host, Instance: "1",
		Kinds:   []workers.Kind{comicworkers.Kind(steps)},
		OnReady: func() { fmt.Println(ready) },
	})
}

const ready = "ready"

// translatorProcess starts a process that polls as a translate worker.
func (r *rig) translatorProcess(t *testing.T, s *llmtest.Server, slots int) *exec.Cmd {
	t.Helper()
	command, lines := r.child(t, envTranslator+"="+strings.Join([]string{r.url, r.address, s.OpenAIURL(), strconv.Itoa(slots)}, "|"))
	require.Equal(t, ready, await(t, lines, "a translate worker"))
	return command
}

// Fifty chapters at once, on two translate workers that are processes of their own: the model server never sees more calls
// at once than there are slots.
func TestFiftyChaptersNeverExceedTheSlots(t *testing.T) {
	const chapters, slots = 50, 3
	r := newRig(t)
	s := llmtest.New(t, llmtest.WithMatrix(llmtest.Matrix{Latency: llmtest.Latency{Median: 30 * time.Millisecond, Sigma: 0.5}}))
	r.host(hostOptions{roles: []workers.Role{workers.RoleControl, workers.RoleGPU}})
	for range 2 {
		r.translatorProcess(t, s, slots)
	}
	var tasks []chapter
	for i := range chapters {
		in := r.task(comic.ModeSplit, enginetest.Page(fmt.Sprintf("%d話のはじまり", i)))
		r.start(in)
		tasks = append(tasks, in)
	}
	for _, in := range tasks {
		result, err := r.wait(in)
		require.NoError(t, err)
		require.Equal(t, 1, result.SuccessCount)
	}
	require.LessOrEqual(t, s.MaxInFlight(), slots)
	require.Equal(t, chapters, s.CallCount())
}

// A process is killed in the middle of its model call: the slot is free for others at once, long before its step is missed.
func TestAKilledHolderFreesItsSlot(t *testing.T) {
	r := newRig(t)
	s := llmtest.New(t, llmtest.WithFaults(llmtest.Hang()))
	r.host(hostOptions{roles: []workers.Role{workers.RoleControl, workers.RoleGPU}})
	doomed := r.translatorProcess(t, s, 1)
	held := r.task(comic.ModeSplit, enginetest.Page("あ"))
	r.start(held)
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	require.NoError(t, s.WaitInFlight(ctx, 1))

	r.translatorProcess(t, s, 1)
	next := r.task(comic.ModeSplit, enginetest.Page("い"))
	r.start(next)
	require.NoError(t, until(ctx, func() bool { return r.pages(next)[0].Stage == comic.StageTranslate }))
	require.Equal(t, 1, s.CallCount(), "the slot is held")
	killed := time.Now()
	require.NoError(t, doomed.Process.Kill())
	_, err := r.wait(next)
	require.NoError(t, err)
	t.Logf("the next page is done %s after the kill", time.Since(killed).Round(time.Millisecond))
	require.Equal(t, 1, s.MaxInFlight())
	// Its own page waits until its step is missed; that is another test's matter.
	require.NoError(t, r.client.TerminateWorkflow(t.Context(), held.TaskID, "", "the test is over"))
}

// A canceled chapter ends its model call, and starts no other.
func TestCancelEndsTheModelCall(t *testing.T) {
	r := newRig(t)
	s := llmtest.New(t, llmtest.WithEvery(llmtest.Hang()))
	r.host(hostOptions{roles: []workers.Role{workers.RoleControl, workers.RoleGPU}})
	r.translatorProcess(t, s, 2)
	in := r.task(comic.ModeSplit, enginetest.Page("あ"), enginetest.Page("い"), enginetest.Page("う"))
	r.start(in)
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	require.NoError(t, s.WaitInFlight(ctx, 1))
	canceled := time.Now()
	require.NoError(t, workflows.Cancel(ctx, r.client, in.TaskID))
	require.NoError(t, s.WaitInFlight(ctx, 0))
	t.Logf("the call ended %s after the request to cancel", time.Since(canceled).Round(time.Millisecond))
	_, err := r.wait(in)
	require.Error(t, err)
	require.Equal(t, 1, s.CallCount())
}
