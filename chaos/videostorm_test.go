package chaos_test

import (
	"bytes"
	"context"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	videoclient "plait/api/video/client"
	videoschema "plait/api/video/schema"
	"plait/internal/benchtest"
	"plait/internal/core"
	"plait/internal/video"
	"plait/internal/video/openai/videotest"
	"plait/workers"
	videoworkers "plait/workers/video"
)

const (
	// videoServers servers of a model make videoSlots videos each at the same time.
	videoServers, videoSlots = 3, 4
	// videoSeconds is the duration of a video.
	videoSeconds = 2
)

// videoLoad is how many videos are asked for, within how much time, and how often the API, a worker and Temporal are killed in turn, at
// random moments between two pauses.
type videoLoad struct {
	videos              int
	within              time.Duration
	rounds              int
	minPause, maxPause  time.Duration
	temporalAwayForMost time.Duration
}

// TestVideosOutliveTheirProcesses asks for a few videos while the API, a worker and Temporal are killed once each.
func TestVideosOutliveTheirProcesses(t *testing.T) {
	s := newVideoStorm(t, "videos")
	s.rageOver(videoLoad{
		videos: 12, within: time.Second, rounds: 1, minPause: 200 * time.Millisecond, maxPause: 700 * time.Millisecond, temporalAwayForMost: time.Second,
	})
	s.check()
}

// videoStormFigures are what BenchmarkVideoStorm writes.
type videoStormFigures struct {
	Case    string         `json:"case"`
	Videos  int            `json:"videos"`
	Seconds float64        `json:"seconds"`
	Killed  map[string]int `json:"killed"`
	// Succeeded are the tasks in that end state, Files those that are stored for them, and Asked what the engines were asked for.
	Succeeded int `json:"succeeded"`
	Files     int `json:"files"`
	Asked     int `json:"engine_jobs"`
}

// BenchmarkVideoStorm asks for 200 videos while the API, a worker and Temporal are killed in turns, and checks what came of each.
func BenchmarkVideoStorm(b *testing.B) {
	s := newVideoStorm(b, "videos-200")
	began := time.Now()
	s.rageOver(videoLoad{videos: 200, within: time.Minute, rounds: 8, minPause: minPause, maxPause: maxPause, temporalAwayForMost: 6 * time.Second})
	elapsed := time.Since(began)
	f := s.check()
	f.Case, f.Seconds, f.Killed = "storm", elapsed.Seconds(), s.struck
	benchtest.Write(b, []string{"stand-in videos"}, f)
}

// videoStorm is a storm over videos, whose engines are servers in this process.
type videoStorm struct {
	*storm
	servers []*videotest.Server
	videos  videoclient.Client
	// ids are those of the accepted tasks, by their prompts.
	ids map[string]string
}

func newVideoStorm(tb testing.TB, name string) *videoStorm {
	tb.Helper()
	in := newServers(tb, fmt.Sprintf("%s-%d", name, *seed))
	s := &videoStorm{ids: map[string]string{}}
	addresses := make([]string, videoServers)
	for i := range addresses {
		s.servers = append(s.servers, videotest.New(tb))
		addresses[i] = `"` + s.servers[i].URL + `"`
	}
	catalog := filepath.Join(in.logs, "catalog.yaml")
	require.NoError(tb, os.WriteFile(catalog, fmt.Appendf(nil, `
engines: [{name: gpus, protocol: openai, servers: [%s], slots: %d}]
models: [{name: wan, engine: gpus, types: [text_to_video], resolutions: [480P], durations: [%d]}]
`, strings.Join(addresses, ", "), videoSlots, videoSeconds), 0o600))
	in.startAPI(part{Catalog: catalog})
	for i := range 2 {
		in.videos = append(in.videos, in.part(part{
			Name: fmt.Sprintf("video-%d", i+1), Roles: []workers.Role{workers.RoleControl, workers.RoleTranslate, videoworkers.Role}, Catalog: catalog,
		}))
	}
	in.awaitParts()
	s.storm = newStorm(in, in.customer("videos"))
	s.videos.Client = s.customer.client.Client
	return s
}

// rageOver asks for the videos at random times while processes are killed, and returns when all have ended.
func (s *videoStorm) rageOver(load videoLoad) {
	s.t.Helper()
	ctx, cancel := context.WithTimeout(s.t.Context(), patienceFor(load.videos))
	defer cancel()
	for i := range load.videos {
		prompt, at := fmt.Sprintf("whale %d over a lighthouse", i), s.between(0, load.within)
		s.posting.Go(func() {
			if wait(ctx, at) != nil {
				return
			}
			if err := s.submit(ctx, prompt); err != nil {
				s.fail(fmt.Errorf("%s: %w", prompt, err))
			}
		})
	}
	for range load.rounds {
		s.round(load)
	}
	s.posting.Wait()
	s.healing.Wait()
	close(s.over)
	require.Empty(s.t, s.failures)
	for prompt, id := range s.ids {
		_, err := s.customer.untilEnd(ctx, id)
		require.NoError(s.t, err, prompt)
	}
}

// codeServiceUnavailable is the word of the API of videos for a part of the installation that does not answer.
const codeServiceUnavailable core.Code = "ServiceUnavailable"

// submit asks for a video until it is accepted, under one idempotency key.
func (s *videoStorm) submit(ctx context.Context, prompt string) error {
	request := videoschema.Request{Model: "wan", Type: string(video.TextToVideo), Input: &videoschema.Input{Prompt: prompt}}
	return s.customer.insist(ctx, func() error {
		task, err := s.videos.Create(ctx, request, prompt)
		if core.CodeOf(err) == codeServiceUnavailable {
			return core.Wrap(core.CodeUnavailable, err, "the API has no database")
		}
		if err == nil {
			s.mu.Lock()
			defer s.mu.Unlock()
			s.ids[prompt] = task.ID
		}
		return err
	})
}

// round kills the API, a worker and Temporal, each once, in a drawn order.
func (s *videoStorm) round(load videoLoad) {
	kinds := []string{"api", "worker", "temporal"}
	s.r.Shuffle(len(kinds), func(i, j int) { kinds[i], kinds[j] = kinds[j], kinds[i] })
	for _, kind := range kinds {
		<-s.after(s.between(load.minPause, load.maxPause))
		s.struck[kind]++
		switch kind {
		case "api":
			s.journal.tell("kill", "%s", lifeName(s.api.name, s.api.kill()))
		case "worker":
			k := pick(s.r, s.installation.videos)
			s.journal.tell("kill", "%s", lifeName(k.name, k.kill()))
		default:
			down := s.between(0, load.temporalAwayForMost)
			s.journal.tell("kill", "temporal, for %s and its start", down.Round(time.Millisecond))
			s.fail(s.temporal.crash(s.after(down)))
			s.journal.tell("back", "temporal answers")
		}
	}
}

// check holds the tasks against the files, and both against what the engines were asked for.
func (s *videoStorm) check() videoStormFigures {
	s.t.Helper()
	found := &findings{}
	f := videoStormFigures{Videos: len(s.ids)}
	for prompt, id := range s.ids {
		var file bytes.Buffer
		if err := s.customer.client.ItemResult(s.t.Context(), id, 0, &file); err != nil || videotest.Prompt(file.Bytes()) != prompt {
			found.add("task %s has the file of %q in place of %q (%v)", id, videotest.Prompt(file.Bytes()), prompt, err)
		}
	}
	for what, query := range map[string]string{
		"tasks":           `SELECT count(*) FROM task WHERE tenant = $1`,
		"successful ends": `SELECT count(*) FROM task WHERE tenant = $1 AND status = 'success' AND success_count = 1`,
		"ends in the log": `SELECT count(*) FROM event WHERE tenant = $1 AND type = 'task.ended'`,
		"files of tasks":  `SELECT count(DISTINCT result_blob) FROM item JOIN task ON task.id = task_id WHERE tenant = $1 AND item.status = 'success'`,
	} {
		var n int
		if err := s.ask(s.t.Context(), query, []any{s.customer.tenant}, &n); err != nil || n != len(s.ids) {
			found.add("%d videos were accepted, and there are %d %s (%v)", len(s.ids), n, what, err)
		}
		if what == "successful ends" {
			f.Succeeded = n
		}
	}
	// Each task has the blob of its prompt and that of its video.
	stored, err := s.storedBlobs()
	if f.Files = stored - len(s.ids); err != nil || f.Files != len(s.ids) {
		found.add("there are %d stored files for %d prompts and as many videos (%v)", stored, len(s.ids), err)
	}
	var asked []string
	for _, server := range s.servers {
		asked = append(asked, server.Prompts()...)
	}
	f.Asked = len(asked)
	slices.Sort(asked)
	if once := slices.Compact(slices.Clone(asked)); len(once) != len(s.ids) || len(asked) != len(s.ids) {
		found.add("the engines were asked %d times for %d videos", len(asked), len(once))
	}
	s.checkLeftovers(found)
	found.require(s.t, *seed)
	return f
}

// storedBlobs counts the files of the store, without those in work.
func (s *videoStorm) storedBlobs() (n int, err error) {
	err = filepath.WalkDir(s.blobs, func(path string, d fs.DirEntry, err error) error {
		if d != nil && d.IsDir() && d.Name() == "tmp" {
			return fs.SkipDir
		}
		if err == nil && d.Type().IsRegular() {
			n++
		}
		return err
	})
	return n, err
}
