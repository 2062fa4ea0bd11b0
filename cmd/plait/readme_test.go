package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"

	"plait/internal/llmtest"
)

var shellBlock = regexp.MustCompile("(?s)```sh\n(.*?)```")

// pages are the README and the pages of docs, in the order in which a reader meets them.
func pages(t *testing.T) (names []string) {
	t.Helper()
	docs, err := filepath.Glob(filepath.Join(moduleRoot(), "docs", "*.md"))
	require.NoError(t, err)
	require.NotEmpty(t, docs)
	return append([]string{filepath.Join(moduleRoot(), "README.md")}, docs...)
}

// Every shell block of the README and of docs runs, in order, in one shell, next to a running `plait up`. Two kinds of lines cannot
// run inside a test: make, which would run this test again, and docker, which needs an engine. The test checks that the targets of make
// exist, and runs what docker would run in a container of ours without one.
func TestTheDocumentationRuns(t *testing.T) {
	t.Parallel()
	in := newUnwatched(t, usingModel(llmtest.New(t))...)
	require.NoError(t, os.Symlink(in.data, filepath.Join(in.dir, ".plait")))
	address := in.up()

	var script strings.Builder
	script.WriteString(`set -euo pipefail
make() { command make -n -C "$ROOT" "$@" >/dev/null; }
docker() {
	[ "$1" = compose ]
	case "$*" in "compose run --rm api "*) shift 4; build/plait "$@" ;; esac
}
`)
	for _, name := range pages(t) {
		page, err := os.ReadFile(name)
		require.NoError(t, err)
		for _, block := range shellBlock.FindAllStringSubmatch(string(page), -1) {
			text := strings.ReplaceAll(block[1], "http://127.0.0.1:8080", address)
			// The model is the test's, not one that a person may have on this machine.
			text = regexp.MustCompile(`(?m)^export OPENAI_BASE_URL=.*\n`).ReplaceAllString(text, "")
			script.WriteString(text + "\n")
		}
	}
	require.NoError(t, os.Mkdir(filepath.Join(in.dir, "build"), 0o700))
	require.NoError(t, os.Symlink(in.program, filepath.Join(in.dir, "build", "plait")))
	require.NoError(t, os.Rename(smallBook(t), filepath.Join(in.dir, "book.cbz")))
	require.NoError(t, os.WriteFile(filepath.Join(in.dir, "paper.pdf"), drawn(2), 0o600))
	require.NoError(t, os.CopyFS(filepath.Join(in.dir, "pages"), os.DirFS(example("small"))))

	cmd := exec.Command("bash", "-c", script.String())
	cmd.Dir, cmd.Env = in.dir, slices.Concat(in.env, []string{"ROOT=" + moduleRoot(), "MAKEFLAGS=", "MAKELEVEL="})
	f := in.finish(cmd)
	require.Zero(t, f.status, "%s\n%s", f.stdout, f.stderr)
	for _, made := range []string{"book.en.cbz", "pages.de.cbz", "paper.de.pdf", "paper.dual.pdf", "page.png", "texts.csv"} {
		require.FileExists(t, filepath.Join(in.dir, made))
	}
}

// Every link of the README, of CONTRIBUTING and of docs leads to a file.
func TestLinksLeadSomewhere(t *testing.T) {
	t.Parallel()
	for _, name := range append(pages(t), filepath.Join(moduleRoot(), "CONTRIBUTING.md")) {
		text, err := os.ReadFile(name)
		require.NoError(t, err)
		for _, link := range regexp.MustCompile(`\]\(([^)#]+)\)`).FindAllStringSubmatch(string(text), -1) {
			require.FileExists(t, filepath.Join(filepath.Dir(name), link[1]), name)
		}
	}
}

// The README stays short enough to read; depth goes to docs.
func TestTheReadmeIsShort(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile(filepath.Join(moduleRoot(), "README.md"))
	require.NoError(t, err)
	require.LessOrEqual(t, strings.Count(string(text), "\n"), 160)
}

// up starts `plait up`, waits until it is ready, and stops it with the test. It returns the API's address.
func (in *sandbox) up() string {
	in.t.Helper()
	cmd := in.command("up")
	out, err := os.Create(filepath.Join(in.dir, "up.txt"))
	require.NoError(in.t, err)
	cmd.Stdout, cmd.Stderr = out, out
	require.NoError(in.t, cmd.Start())
	in.owner = cmd.Process.Pid
	ended := make(chan struct{})
	in.ended = ended
	go func() {
		_ = cmd.Wait()
		close(ended)
	}()
	in.t.Cleanup(func() {
		_ = cmd.Process.Signal(syscall.SIGTERM)
		<-ended
		_ = out.Close()
	})
	var address string
	eventually(in.t, func() bool {
		b, err := os.ReadFile(out.Name())
		require.NoError(in.t, err)
		if !strings.Contains(string(b), "Ready.") {
			return false
		}
		address = regexp.MustCompile(`API\s+(http://\S+)`).FindStringSubmatch(string(b))[1]
		return true
	}, "up is ready")
	return address
}
