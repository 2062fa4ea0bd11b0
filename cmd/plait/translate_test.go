package main

import (
	"archive/zip"
	"bufio"
	"bytes"
	"encoding/json"
	"image"
	_ "image/jpeg"
	_ "image/png"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"

	"plait/api/schema"
	"plait/internal/llmtest"
)

// example is a file of the sample chapter; small is the quick one of three pages, the last without text.
func example(parts ...string) string {
	return filepath.Join(append([]string{moduleRoot(), "examples"}, parts...)...)
}

// zipOf makes a CBZ of files below dir, in the given order.
func zipOf(t *testing.T, dir string, names ...string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "book.cbz")
	f, err := os.Create(path)
	require.NoError(t, err)
	w := zip.NewWriter(f)
	for _, name := range names {
		b, err := os.ReadFile(filepath.Join(dir, name))
		require.NoError(t, err)
		entry, err := w.Create(name)
		require.NoError(t, err)
		_, err = entry.Write(b)
		require.NoError(t, err)
	}
	require.NoError(t, w.Close())
	require.NoError(t, f.Close())
	return path
}

func smallBook(t *testing.T) string {
	t.Helper()
	return zipOf(t, example("small"), "ComicInfo.xml", "02.png", "01.png", "03.png")
}

// unzip is the entries of an archive, in order.
func unzip(t *testing.T, path string) (names []string, contents map[string][]byte) {
	t.Helper()
	r, err := zip.OpenReader(path)
	require.NoError(t, err)
	defer r.Close()
	contents = map[string][]byte{}
	for _, f := range r.File {
		in, err := f.Open()
		require.NoError(t, err)
		b, err := io.ReadAll(in)
		require.NoError(t, err)
		names, contents[f.Name] = append(names, f.Name), b
	}
	return names, contents
}

func requireImage(t *testing.T, b []byte, format string) {
	t.Helper()
	_, got, err := image.Decode(bytes.NewReader(b))
	require.NoError(t, err)
	require.Equal(t, format, got)
}

// usingModel is the environment of an installation whose translator is s.
func usingModel(s *llmtest.Server) []string {
	return []string{"OPENAI_BASE_URL=" + s.OpenAIURL(), "OPENAI_API_KEY=test", "PLAIT_TRANSLATOR_MODEL=" + s.Model()}
}

func TestTranslateABookByAScript(t *testing.T) {
	t.Parallel()
	in := newUnwatched(t)
	book := smallBook(t)
	out := filepath.Join(in.dir, "out", "book.en.cbz")
	args := []string{"translate", book, "--from", "ja", "--to", "en", "--script", example("small", "script.en.json"), "-o", out, "--folder", filepath.Join(in.dir, "pages")}
	first := in.plait(args...)
	require.Zero(t, first.status, "%s%s", first.stdout, first.stderr)
	require.Contains(t, first.stdout, "3 of 3 pages")
	require.Contains(t, first.stdout, "→ "+out)

	names, pages := unzip(t, out)
	require.Equal(t, []string{"ComicInfo.xml", "02.png", "01.png", "03.png"}, names, "the entries keep their order")
	require.Contains(t, string(pages["ComicInfo.xml"]), "<LanguageISO>en</LanguageISO>")
	_, originals := unzip(t, book)
	requireImage(t, pages["01.png"], "png")
	require.NotEqual(t, originals["01.png"], pages["01.png"])
	require.NotEqual(t, originals["02.png"], pages["02.png"])
	require.Equal(t, originals["03.png"], pages["03.png"], "a page without text stays as it is, byte for byte")
	onDisk, err := os.ReadFile(filepath.Join(in.dir, "pages", "01.png"))
	require.NoError(t, err)
	require.Equal(t, pages["01.png"], onDisk)

	// The same command again finds its task done, and gives the same bytes.
	require.NoError(t, os.Remove(out))
	second := in.plait(append(args, "--json")...)
	require.Zero(t, second.status, second.stderr)
	_, again := unzip(t, out)
	require.Equal(t, pages, again)
	require.NotContains(t, second.stdout, "3 of 3 pages in", "the time of an earlier run is not that of this one")
	for _, line := range strings.Split(strings.TrimSpace(second.stdout), "\n") {
		var e event
		require.NoError(t, json.Unmarshal([]byte(line), &e), line)
	}
}

// start runs a command and hands its events, one a line of --json.
func (in *sandbox) start(args ...string) (*exec.Cmd, <-chan event) {
	in.t.Helper()
	cmd := in.command(append(args, "--json")...)
	stdout, err := cmd.StdoutPipe()
	require.NoError(in.t, err)
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	require.NoError(in.t, cmd.Start())
	in.t.Cleanup(func() { _ = syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) })
	events := make(chan event, 1000)
	go func() {
		defer close(events)
		lines := bufio.NewScanner(stdout)
		lines.Buffer(nil, 1<<20)
		for lines.Scan() {
			var e event
			if json.Unmarshal(lines.Bytes(), &e) == nil {
				events <- e
			}
		}
	}()
	return cmd, events
}

func TestARunThatWasKilledGoesOnWithoutPayingTwice(t *testing.T) {
	t.Parallel()
	for name, signal := range map[string]syscall.Signal{"kill -9": syscall.SIGKILL, "Ctrl-C": syscall.SIGINT} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			// The first page is translated, the second hangs in the model when the signal comes.
			model := llmtest.New(t, llmtest.WithFaults(llmtest.All(), llmtest.Hang()))
			in := newInstallation(t, append(usingModel(model), "PLAIT_WORKER_STOP_TIMEOUT=1s")...)
			args := []string{"translate", example("small"), "--from", "ja", "--to", "en", "-o", filepath.Join(in.dir, "out")}
			cmd, events := in.start(args...)
			go drain(events)
			eventually(t, func() bool { return model.CallCount() == 2 }, "the second page is in the model")
			require.NoError(t, cmd.Process.Signal(signal))
			_ = cmd.Wait()
			require.NotZero(t, cmd.ProcessState.ExitCode())

			f := in.plait(args...)
			require.Zero(t, f.status, "%s%s", f.stdout, f.stderr)
			require.Contains(t, f.stdout, "3 of 3 pages")
			require.Equal(t, 3, model.CallCount(), "one finished call, one that was cut off, and that one again")
		})
	}
}

func drain(events <-chan event) {
	for range events { // the process must not block on its output
	}
}

func TestAWorkerThatIsKilledIsReplacedAndNothingIsPaidTwice(t *testing.T) {
	t.Parallel()
	model := llmtest.New(t, llmtest.WithFaults(llmtest.All(), llmtest.Hang()))
	in := newInstallation(t, usingModel(model)...)
	cmd, events := in.start("translate", example("small"), "--from", "ja", "--to", "en", "-o", filepath.Join(in.dir, "out"))
	eventually(t, func() bool { return model.CallCount() == 2 }, "the second page is in the model")
	require.NoError(t, syscall.Kill(workerOf(t, cmd.Process.Pid), syscall.SIGKILL))

	modes := map[string]string{}
	for e := range events {
		if e.Event == "item" && e.Item.Status == "success" {
			modes[e.Item.Name] = e.Item.Mode
		}
	}
	require.NoError(t, cmd.Wait())
	require.Len(t, modes, 3)
	require.Equal(t, "fallback_to_unified", modes["02.png"], "its detect context was lost with the worker")
	require.Equal(t, 3, model.CallCount(), "one finished call, one that was cut off, and that one again")
}

func TestWithoutATranslatorTheBookIsReadAndTheWaysOnAreNamed(t *testing.T) {
	t.Parallel()
	in := newUnwatched(t)
	out := filepath.Join(in.dir, "out.cbz")
	args := []string{"translate", smallBook(t), "--from", "ja", "--to", "en", "-o", out}
	f := in.plait(args...)
	require.Equal(t, exitNoTranslator, f.status, "%s%s", f.stdout, f.stderr)
	for _, way := range []string{"GEMINI_API_KEY", "OPENAI_API_KEY", "Ollama", "OPENAI_BASE_URL", "--script"} {
		require.Contains(t, f.stdout, way)
	}
	require.NoFileExists(t, out)

	path := filepath.Join(in.dir, "out.script.json")
	b, err := os.ReadFile(path)
	require.NoError(t, err)
	var script struct {
		Pages []struct {
			Page    string
			Regions []map[string]any
		}
	}
	require.NoError(t, json.Unmarshal(b, &script))
	for _, p := range script.Pages {
		for _, r := range p.Regions {
			require.NotEmpty(t, r["source"])
			r["translation"] = "By hand."
		}
	}
	filled, err := json.Marshal(map[string]any{"from": "ja", "to": "en", "pages": script.Pages})
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(path, filled, 0o600))
	require.Equal(t, exitNoTranslator, in.plait(args...).status, "the script was forgotten")
	kept, err := os.ReadFile(path)
	require.NoError(t, err)
	require.Equal(t, filled, kept, "a person's work is never written over")
	f = in.plait(append(args, "--script", path)...)
	require.Zero(t, f.status, "%s%s", f.stdout, f.stderr)
	require.FileExists(t, out)

	paper := filepath.Join(in.dir, "paper.pdf")
	require.NoError(t, os.WriteFile(paper, drawn(1), 0o600))
	f = in.plait("translate", paper, "--to", "de")
	require.Equal(t, exitNoTranslator, f.status, "%s%s", f.stdout, f.stderr)
	require.Contains(t, f.stdout, "OPENAI_BASE_URL")
	require.NotContains(t, f.stdout, "--script", "a document takes no script")
}

func TestOneBadPageFailsAlone(t *testing.T) {
	t.Parallel()
	in := newUnwatched(t, usingModel(llmtest.New(t))...)
	dir := filepath.Join(in.dir, "chapter")
	require.NoError(t, os.Mkdir(dir, 0o700))
	good, err := os.ReadFile(example("small", "01.png"))
	require.NoError(t, err)
	for name, b := range map[string][]byte{"1.png": good, "2.png": good[:len(good)/2], "10.png": good} {
		require.NoError(t, os.WriteFile(filepath.Join(dir, name), b, 0o600))
	}
	in.up()
	args := []string{"translate", dir, "--from", "ja", "--to", "en", "-o", filepath.Join(in.dir, "out")}
	f := in.plait(args...)
	require.Equal(t, exitPartial, f.status, "%s%s", f.stdout, f.stderr)
	require.Contains(t, f.stdout, "2 of 3 pages")
	require.Contains(t, f.stdout, "2.png stays as it was: failed in detect")
	kept, err := os.ReadFile(filepath.Join(in.dir, "out", "2.png"))
	require.NoError(t, err)
	require.Equal(t, good[:len(good)/2], kept)

	task := regexp.MustCompile(`task (\S+)`).FindStringSubmatch(f.stdout)
	require.NotNil(t, task, f.stdout)
	f = in.plait(args...)
	require.Equal(t, exitPartial, f.status, "%s%s", f.stdout, f.stderr)
	require.Contains(t, f.stdout, "Retrying what failed")
	require.Contains(t, f.stdout, "task "+task[1])
	f = in.plait("retry", task[1], "-o", filepath.Join(in.dir, "again"))
	require.Equal(t, exitPartial, f.status, "%s%s", f.stdout, f.stderr)
	require.Contains(t, f.stdout, "2 of 3 pages in")
	for _, name := range []string{"1.png", "2.png", "10.png"} {
		requireSameFile(t, filepath.Join(in.dir, "out", name), filepath.Join(in.dir, "again", name))
	}
	require.NoError(t, os.Remove(filepath.Join(in.dir, "again", "1.png")))
	f = in.plait("get", task[1][:23])
	require.Equal(t, exitPartial, f.status, "%s%s", f.stdout, f.stderr)
	require.FileExists(t, filepath.Join(in.dir, "again", "1.png"), "the beginning of an id is enough, and the place is remembered")
	for _, command := range []string{"pause", "resume", "cancel"} {
		f = in.plait(command, task[1])
		require.Equal(t, exitFailed, f.status)
		require.Contains(t, f.stderr, "has ended")
	}
	f = in.plait("tasks")
	require.Zero(t, f.status, f.stderr)
	require.Regexp(t, `(?m)^`+task[1]+`\s+comic\s+partial\s+3/3\s+1\s`, f.stdout)
	f = in.plait("tasks", "--status", "partial", "--json")
	require.Zero(t, f.status, f.stderr)
	var listed schema.Task
	require.NoError(t, json.Unmarshal([]byte(f.stdout), &listed))
	require.Equal(t, task[1], listed.ID)
	f = in.plait("tasks", "--status", "success", "--kind", "comic")
	require.NotContains(t, f.stdout, task[1])
	f = in.plait("tasks", "--status", "done")
	require.Equal(t, exitUsage, f.status)
	require.Contains(t, f.stderr, `--status: "done" is none of queued, running`)
	f = in.plait("delete", task[1])
	require.Zero(t, f.status, f.stderr)
	require.Contains(t, f.stdout, "deleted")
	f = in.plait("tasks")
	require.NotContains(t, f.stdout, task[1])
}
