package workers_test

import (
	"bufio"
	"context"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"plait/activities"
	comicsteps "plait/activities/comic"
	"plait/activities/comic/enginetest"
	"plait/internal/blob"
	"plait/internal/comic"
	"plait/internal/core"
	"plait/internal/lease"
	"plait/internal/records"
	"plait/internal/translate"
	"plait/workers"
	comicworkers "plait/workers/comic"
	"plait/workflows"
)

// envHost makes this test binary a GPU host of its own process: "database URL|Temporal address|blob folder".
const envHost = "PLAIT_TEST_HOST"

const rendering = "rendering"

// doomedSlots keep its renders from keeping further pages from the device.
const doomedSlots = 8

// pollAsHost is that process. Its renders never end.
func pollAsHost(ctx context.Context, places []string) error {
	return pollAs(ctx, places, "doomed", doomedSlots, &enginetest.Engine{Before: func(ctx context.Context, stage core.Stage, _ []byte) error {
		if stage == comic.StageRender {
			fmt.Println(rendering)
			<-ctx.Done()
		}
		return ctx.Err()
	}})
}

// pollAs polls as the GPU host of that name.
func pollAs(ctx context.Context, places []string, name string, slots int, engine *enginetest.Engine) error {
	store, err := records.Open(ctx, places[0], records.Options{})
	if err != nil {
		return err
	}
	defer store.Close()
	blobs, err := blob.Open(ctx, places[2])
	if err != nil {
		return err
	}
	c, err := dial(places[1])
	if err != nil {
		return err
	}
	defer c.Close()
	host := activities.New(activities.Deps{
		Blobs: blobs, Records: store, Leases: lease.New(lease.Config{}), Name: name, Queue: workflows.HostQueue(name, "1"),
		DeviceSlots: []int{slots},
	})
	steps := comicsteps.New(comicsteps.Deps{Host: host, Engine: comicsteps.EngineOf(engine)})
	return workers.Run(ctx, workers.Config{
		Client: c, Roles: []workers.Role{workers.RoleGPU}, Host: host, Instance: "1",
		Kinds: []workers.Kind{comicworkers.Kind(steps)},
	})
}

// doomedHost starts a process that polls as a GPU host, and returns what it prints.
func doomedHost(t *testing.T, r *rig) (*exec.Cmd, <-chan string) {
	t.Helper()
	return r.child(t, envHost+"="+strings.Join([]string{r.url, r.address, r.blobDir}, "|"))
}

// child starts this test binary as what the variable says, and returns what it prints.
func (r *rig) child(tb testing.TB, variable string) (*exec.Cmd, <-chan string) {
	tb.Helper()
	command := exec.Command(os.Args[0])
	command.Env = append(os.Environ(), variable)
	command.Stderr = os.Stderr
	out, err := command.StdoutPipe()
	require.NoError(tb, err)
	require.NoError(tb, command.Start())
	tb.Cleanup(func() {
		_ = command.Process.Kill()
		_ = command.Wait()
	})
	lines := make(chan string, 100)
	go func() {
		for scanner := bufio.NewScanner(out); scanner.Scan(); {
			lines <- scanner.Text()
		}
	}()
	return command, lines
}

// A host is killed in the middle of a render, with the contexts of three more pages in its memory.
func TestAKilledHostCostsNoPageAndNoModelCall(t *testing.T) {
	r := newRig(t)
	r.host(hostOptions{roles: []workers.Role{workers.RoleControl, workers.RoleTranslate}})
	doomed, lines := doomedHost(t, r)
	in := r.task(comic.ModeSplit, chapterPages(4)...)
	r.start(in)
	require.Equal(t, rendering, await(t, lines, "a render on the doomed host"))
	require.NoError(t, until(t.Context(), func() bool { return len(r.model.Pages()) == 4 }))
	require.NoError(t, doomed.Process.Kill())
	killed := time.Now()
	r.host(hostOptions{roles: []workers.Role{workers.RoleGPU}})
	result, err := r.wait(in)
	require.NoError(t, err)
	require.Equal(t, core.TaskResult{Status: core.StatusSuccess, TotalCount: 4, SuccessCount: 4, Modes: map[core.Mode]int{comic.ModeFallback: 4}}, result)
	require.Equal(t, []int{0, 1, 2, 3}, r.model.Pages(), "no second model call")
	for i, page := range r.pages(in) {
		require.Equal(t, comic.ModeFallback, page.Mode)
		require.Equal(t, helloRendered(i), r.result(page))
	}
	t.Logf("all pages done %s after the kill", time.Since(killed).Round(time.Millisecond))
	record(t, r, in, "host-lost")
}

// envPoisoned makes this test binary a GPU host that the page poison kills, as the kernel does where it takes too much memory.
const envPoisoned = "PLAIT_TEST_POISONED_HOST"

const poison = "poison"

func pollAsPoisoned(ctx context.Context, places []string) error {
	return pollAs(ctx, places, "poisoned", 2, &enginetest.Engine{Before: func(ctx context.Context, stage core.Stage, image []byte) error {
		if stage == comic.StageDetect && strings.Contains(string(image), poison) {
			return syscall.Kill(os.Getpid(), syscall.SIGKILL)
		}
		return ctx.Err()
	}})
}

// A page that ends every process that works on it fails alone, after five of them: the process comes back each time, and the other pages
// of its chapter succeed.
func TestAPageThatEndsItsWorkersFailsAlone(t *testing.T) {
	r := newRig(t)
	r.host(hostOptions{roles: []workers.Role{workers.RoleControl, workers.RoleTranslate}})
	ended := make(chan int, 1)
	over, stop := context.WithCancel(t.Context())
	go func() {
		lost := 0
		for over.Err() == nil {
			command := exec.CommandContext(over, os.Args[0])
			command.Env = append(os.Environ(), envPoisoned+"="+strings.Join([]string{r.url, r.address, r.blobDir}, "|"))
			_ = command.Run()
			if over.Err() == nil {
				lost++
			}
		}
		ended <- lost
	}()
	in := r.task(comic.ModeSplit, hello(0), enginetest.Page(poison), hello(2))
	r.start(in)
	result, err := r.wait(in)
	require.NoError(t, err)
	stop()
	require.Equal(t, 5, await(t, ended, "the end of the host"))
	require.Equal(t, core.StatusPartial, result.Status)
	require.Equal(t, []int{2, 1}, []int{result.SuccessCount, result.FailedCount})
	pages := r.pages(in)
	require.Equal(t, helloRendered(0), r.result(pages[0]))
	require.Equal(t, helloRendered(2), r.result(pages[2]))
	require.Equal(t, "5 workers were lost in this step", pages[1].Failure.Message)
}

// A host is stopped while it renders: what runs ends, and what waits for the device is given back.
func TestAStoppedHostEndsWhatItRunsAndGivesBackWhatWaits(t *testing.T) {
	r := newRig(t)
	r.host(hostOptions{roles: []workers.Role{workers.RoleControl, workers.RoleTranslate}})
	detecting, held, release := make(chan struct{}), make(chan struct{}), make(chan struct{})
	// The second page has the device before the first one renders, and waits for it again while that holds it.
	r.model.Before = func(_ context.Context, request translate.Request) error {
		<-[]chan struct{}{detecting, held}[request.Page.Index]
		return nil
	}
	stopping := r.host(hostOptions{roles: []workers.Role{workers.RoleGPU, workers.RoleTranslate}, engine: &enginetest.Engine{
		Before: func(_ context.Context, stage core.Stage, image []byte) error {
			switch {
			case stage == comic.StageDetect && string(image) == string(hello(1)):
				close(detecting)
			case stage == comic.StageRender && string(image) == string(hello(0)):
				close(held)
				<-release
			}
			return nil
		}}})
	in := r.task(comic.ModeSplit, chapterPages(2)...)
	r.start(in)
	await(t, held, "the render of the first page")
	require.NoError(t, until(t.Context(), func() bool { return r.pages(in)[1].Stage == comic.StageRender }))
	stopped := make(chan error, 1)
	go func() { stopped <- stopping.stop() }()
	require.NoError(t, until(t.Context(), func() bool {
		p, err := workflows.ProgressOf(t.Context(), r.client, in.TaskID)
		return err == nil && len(p.InFlight) == 2 && p.InFlight[1].Stage == comic.StageFallback
	}))
	close(release)
	require.NoError(t, await(t, stopped, "the end of the host"))
	r.host(hostOptions{roles: []workers.Role{workers.RoleGPU}})
	result, err := r.wait(in)
	require.NoError(t, err)
	require.Equal(t, core.TaskResult{Status: core.StatusSuccess, TotalCount: 2, SuccessCount: 2, Modes: map[core.Mode]int{comic.ModeFallback: 1}}, result)
	require.Equal(t, comic.ModeSplit, r.pages(in)[0].Mode)
	require.Equal(t, comic.ModeFallback, r.pages(in)[1].Mode)
}

// A translate worker is stopped while a model answers: the call ends, and nobody makes it again.
func TestAStoppedWorkerEndsItsModelCall(t *testing.T) {
	r := newRig(t)
	asked, answer := make(chan struct{}, 10), make(chan struct{})
	r.model.Before = func(ctx context.Context, _ translate.Request) error {
		asked <- struct{}{}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-answer:
			return nil
		}
	}
	r.host(hostOptions{roles: []workers.Role{workers.RoleControl, workers.RoleGPU}})
	stopping := r.host(hostOptions{roles: []workers.Role{workers.RoleTranslate}, stop: 30 * time.Second, slots: 2})
	in, waiting := r.task(comic.ModeSplit, hello(0)), r.task(comic.ModeSplit, hello(1))
	r.start(in)
	await(t, asked, "a model call")
	// A second page waits for its slot. It is given back at once, which tells that the stop has begun.
	slot, err := r.records.AcquireSlot(t.Context(), "translate", 2)
	require.NoError(t, err)
	defer slot.Release()
	r.start(waiting)
	require.NoError(t, until(t.Context(), func() bool { return r.pages(waiting)[0].Stage == comic.StageTranslate }))
	stopped := make(chan error, 1)
	go func() { stopped <- stopping.stop() }()
	require.NoError(t, until(t.Context(), func() bool { return r.gaveBack(waiting) }))
	slot.Release()
	close(answer)
	require.NoError(t, await(t, stopped, "the end of the worker"))
	r.host(hostOptions{roles: []workers.Role{workers.RoleTranslate}, slots: 2})
	for _, in := range []chapter{in, waiting} {
		result, err := r.wait(in)
		require.NoError(t, err)
		require.Equal(t, 1, result.SuccessCount)
	}
	require.Len(t, r.model.Pages(), 2, "one call a page")
}

// gaveBack reports whether a step of the workflow has failed and waits for its next attempt.
func (r *rig) gaveBack(in chapter) bool {
	r.t.Helper()
	description, err := r.client.DescribeWorkflowExecution(r.t.Context(), in.TaskID, "")
	require.NoError(r.t, err)
	for _, step := range description.GetPendingActivities() {
		if step.GetLastFailure() != nil {
			return true
		}
	}
	return false
}
