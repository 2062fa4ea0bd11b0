package main

import (
	"bufio"
	"encoding/json"
	"net/http"
	"net/http/cookiejar"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestWrongUseIsOneLineThatNamesTheThing(t *testing.T) {
	t.Parallel()
	in := newUnwatched(t)
	picture := filepath.Join(in.dir, "01.png")
	require.NoError(t, os.WriteFile(picture, []byte("no picture"), 0o600))
	other := filepath.Join(in.dir, "02.png")
	require.NoError(t, os.WriteFile(other, []byte("no picture"), 0o600))
	rar := filepath.Join(in.dir, "book.cbr")
	require.NoError(t, os.WriteFile(rar, []byte("Rar!\x1a\x07\x01\x00"), 0o600))
	broken := filepath.Join(in.dir, "broken.json")
	require.NoError(t, os.WriteFile(broken, []byte("{"), 0o600))
	fake := filepath.Join(in.dir, "fake.pdf")
	require.NoError(t, os.WriteFile(fake, []byte("no document"), 0o600))
	pipe := filepath.Join(in.dir, "pipe.png")
	require.NoError(t, syscall.Mkfifo(pipe, 0o600))
	empty := filepath.Join(in.dir, "empty")
	require.NoError(t, os.Mkdir(empty, 0o700))
	t.Cleanup(func() { require.NoDirExists(t, filepath.Join(in.data, "postgres"), "nothing was started") })
	for name, tc := range map[string]struct {
		args   []string
		status int
		want   string
	}{
		"no input":               {[]string{"translate", "--to", "en"}, exitUsage, "name images, folders or CBZ files to translate"},
		"no target":              {[]string{"translate", picture}, exitUsage, "--to is missing"},
		"unknown language":       {[]string{"translate", picture, "--to", "xx"}, exitUsage, `target language "xx" is not known`},
		"unknown source":         {[]string{"translate", picture, "--to", "en", "--from", "tlh"}, exitUsage, `source language "tlh"`},
		"unknown mode":           {[]string{"translate", picture, "--to", "en", "--mode", "both"}, exitUsage, `--mode: "both" is none of split, unified`},
		"sixth priority":         {[]string{"translate", picture, "--to", "en", "--priority", "6"}, exitUsage, "--priority: 6 is not from 1 to 5"},
		"unknown flag":           {[]string{"translate", picture, "--too", "en"}, exitUsage, "unknown flag: --too"},
		"unknown command":        {[]string{"translat"}, exitUsage, `unknown command "translat", did you mean translate?`},
		"file that is not there": {[]string{"translate", "absent.cbz", "--to", "en"}, exitFailed, "absent.cbz: no such file"},
		"folder without pages":   {[]string{"translate", empty, "--to", "en"}, exitFailed, "has no pages"},
		"two kinds":              {[]string{"translate", picture, empty, "--to", "en"}, exitUsage, "is a folder"},
		"script not there":       {[]string{"translate", picture, "--to", "en", "--script", "absent.json"}, exitFailed, "absent.json: no such file"},
		"bad setting":            {[]string{"config", "--worker-device-slots", "many"}, exitUsage, "worker.device_slots"},
		"no key":                 {[]string{"translate", picture, "--to", "en", "--server", "http://127.0.0.1:1"}, exitUsage, "set PLAIT_API_KEY"},
		"result over the input":  {[]string{"translate", picture, "--to", "en", "-o", in.dir}, exitUsage, "is the input"},
		"result in the input":    {[]string{"translate", in.dir, "--to", "en", "-o", filepath.Join(in.dir, "out")}, exitUsage, "is the input"},
		"nothing runs":           {[]string{"migrate"}, exitFailed, "no stack runs in"},
		"result as a PDF":        {[]string{"translate", picture, "--to", "en", "-o", "x.pdf"}, exitUsage, "not a .pdf file"},
		"page of another format": {[]string{"translate", picture, "--to", "en", "-o", "one.jpg"}, exitUsage, "a page keeps its format"},
		"chapter as one page":    {[]string{"translate", picture, other, "--to", "en", "-o", "one.png"}, exitUsage, "the image of one page"},
		"RAR":                    {[]string{"translate", rar, "--to", "en"}, exitFailed, rar + ": RAR (CBR) is not read; convert it to CBZ"},
		"RAR to read":            {[]string{"read", rar}, exitFailed, "RAR (CBR) is not read; convert it to CBZ"},
		"get of nothing":         {[]string{"get"}, exitUsage, "name one TASK"},
		"no task":                {[]string{"edit"}, exitUsage, "name the task"},
		"no text":                {[]string{"edit", "x", "01.png"}, exitUsage, "name a page and REGION=TEXT"},
		"no region":              {[]string{"edit", "x", "01.png", "Look out!"}, exitUsage, "is not REGION=TEXT"},
		"texts twice":            {[]string{"edit", "x", "01.png", "0=x", "--script", "y"}, exitUsage, "and not both"},
		"retry of nothing":       {[]string{"retry"}, exitUsage, "name one TASK"},
		"tasks below nothing":    {[]string{"tasks", "-n", "-1"}, exitUsage, "--limit -1"},
		"cancel of nothing":      {[]string{"cancel"}, exitUsage, "name one TASK"},
		"pause of two":           {[]string{"pause", "x", "y"}, exitUsage, "name one TASK"},
		"hint of a language":     {[]string{"translate", picture, "--to", "xx"}, exitUsage, `see "plait translate --help"`},
		"wrong number":           {[]string{"translate", picture, "--to", "en", "--priority", "high"}, exitUsage, `--priority: "high" is not of the kind int; see`},
		"one task to export":     {[]string{"export"}, exitUsage, "name one TASK, not 0; see"},
		"one glossary":           {[]string{"glossary", "set"}, exitUsage, "name one FILE, not 0"},
		"nothing to up":          {[]string{"up", "there"}, exitUsage, `unknown command "there" for "plait up"; see`},
		"no such thing of keys":  {[]string{"keys", "forge"}, exitUsage, `unknown command "forge" for "plait keys"`},
		"key as a flag":          {[]string{"pause", "x", "--key", "k"}, exitUsage, "unknown flag: --key"},
		"secret as a flag":       {[]string{"config", "--translator-openai-key", "k"}, exitUsage, "unknown flag: --translator-openai-key"},
		"broken script":          {[]string{"translate", picture, "--to", "en", "--script", broken}, exitFailed, broken + ": line 1: the script ends"},
		"broken script to edit":  {[]string{"edit", "x", "--script", broken}, exitFailed, broken + ": line 1: the script ends"},
		"broken glossary":        {[]string{"translate", picture, "--to", "en", "--glossary", broken}, exitFailed, broken + ": the header"},
		"broken glossary to set": {[]string{"glossary", "set", broken}, exitFailed, broken + ": the header"},
		"steps into a file":      {[]string{"translate", picture, "--to", "en", "--stages", broken}, exitFailed, broken + " is a file, not a folder"},
		"result in no place":     {[]string{"translate", picture, "--to", "en", "-o", "/proc/out/book.cbz"}, exitFailed, "/proc: cannot be written into: "},
		"pages in no place":      {[]string{"erase", picture, "-o", "/proc/out"}, exitFailed, "/proc: cannot be written into: "},
		"result below a file":    {[]string{"translate", picture, "--to", "en", "-o", filepath.Join(broken, "out.cbz")}, exitFailed, broken + " is a file, not a folder"},
		"pages into a file":      {[]string{"erase", picture, "-o", broken}, exitFailed, broken + " is a file, not a folder"},
		"pipe as a page":         {[]string{"translate", pipe, "--to", "en"}, exitFailed, pipe + ": is neither a file nor a folder"},
		"pipe to read":           {[]string{"read", pipe}, exitFailed, "pipe.png: is neither a file nor a folder"},
		"estimate for nobody":    {[]string{"estimate", picture}, exitNoTranslator, "no translator is configured"},
		"tier of no priority":    {[]string{"tiers", "set", "gold", "--priority", "11"}, exitUsage, "priority is 11"},
		"negative limit":         {[]string{"tiers", "set", "gold", "--running-tasks", "-1"}, exitUsage, "running_tasks is -1"},
		"limit of no number":     {[]string{"tiers", "set", "gold", "--waiting-tasks", "few"}, exitUsage, `--waiting-tasks: "few"`},
		"name of no tier":        {[]string{"tiers", "set", "a tier"}, exitUsage, `"a tier"`},
		"one tenant":             {[]string{"tenants", "set"}, exitUsage, "name one NAME, not 0"},
		"unknown role":           {[]string{"worker", "--role", "painter"}, exitUsage, "painter"},
		"three ranks":            {[]string{"worker", "--ranks", "3"}, exitUsage, "--ranks: 3 is not from 1 to 2"},
		"unknown status":         {[]string{"tasks", "--status", "done"}, exitUsage, `--status: "done" is none of queued, running,`},
		"script of no format":    {[]string{"export", "0b7ad2a6", "-o", "x.txt"}, exitUsage, `"txt" is no format of scripts`},
		"unknown format":         {[]string{"get", "0b7ad2a6", "-o", "x.zip", "--format", "tar"}, exitUsage, `--format: "tar" is none of cbz, zip, ora`},
		"unknown script format":  {[]string{"export", "0b7ad2a6", "--format", "xml"}, exitUsage, `--format: "xml" is none of json, csv`},
		"form of no file":        {[]string{"get", "0b7ad2a6", "--format", "ora"}, exitUsage, "--format needs a file to write"},
		"no kind":                {[]string{"submit"}, exitUsage, "name a kind and the files for it; see"},
		"nothing to submit":      {[]string{"submit", "comic"}, exitUsage, "name a file, or give --url; see"},
		"no video":               {[]string{"video", "upscale"}, exitUsage, "name one VIDEO, not 0; see"},
		"two images":             {[]string{"video", "generate", picture, other, "--prompt", "x"}, exitUsage, "name one IMAGE, not 2; see"},
		"image not there":        {[]string{"video", "generate", "absent.png", "--prompt", "x"}, exitFailed, "plait: absent.png: no such file or directory\n"},
		"unknown schedule":       {[]string{"video", "upscale", "x.mp4", "--schedule", "fast"}, exitUsage, `--schedule: "fast" is none of sequential, basic, aggressive`},
		"unknown cut":            {[]string{"video", "profile", "--cut", "middle"}, exitUsage, `--cut: the cut is auto, half or a number of blocks, not "middle"`},
		"unknown device":         {[]string{"video", "upscale", "x.mp4", "--devices", "tpu"}, exitUsage, `--devices: device "tpu" is not known`},
		"size of one number":     {[]string{"video", "profile", "--size", "640"}, exitUsage, `--size: "640" is not WIDTHxHEIGHT`},
		"large film":             {[]string{"video", "comic", picture, "--resolution", "4K"}, exitUsage, `--resolution: "4K" is none of 480P, 720P, 1080P`},
		"unknown output":         {[]string{"translate", fake, "--to", "en", "--output", "all"}, exitUsage, `--output: "all" is none of mono, dual, both`},
		"mode of a chapter":      {[]string{"translate", fake, "--to", "en", "--mode", "split"}, exitUsage, `--mode: "split" is none of concurrent, serial`},
		"no PDF":                 {[]string{"estimate", fake}, exitFailed, "plait: " + fake + ": the file is not a PDF\n"},
		"PDF not there":          {[]string{"estimate", "absent.pdf"}, exitFailed, "plait: absent.pdf: no such file or directory\n"},
		"unknown fault":          {[]string{"dev", "llm", "--faults", "fire"}, exitUsage, `fault "fire" is not known; known are rate_limit, server_error,`},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			f := in.plait(tc.args...)
			require.Equal(t, tc.status, f.status, f.stderr)
			require.Contains(t, f.stderr, tc.want)
			require.True(t, strings.HasPrefix(f.stderr, "plait: "), f.stderr)
			require.Equal(t, 1, strings.Count(f.stderr, "\n"), f.stderr)
		})
	}
}

// What a command prints is alone on standard output, so that a pipe or a file gets it and nothing else; what it says meanwhile is beside it.
func TestWhatACommandStartsIsNoPartOfItsOutput(t *testing.T) {
	t.Parallel()
	in := newUnwatched(t, "PLAIT_ASSETS_DIR="+t.TempDir(), "PLAIT_TEMPORAL_BINARY=/bin/false")
	for _, args := range [][]string{{"tasks"}, {"export", "0b7ad2a6"}, {"link", "0b7ad2a6"}, {"pause", "0b7ad2a6"}, {"video", "status", "0b7ad2a6", "--json"}} {
		f := in.plait(args...)
		require.Equal(t, exitFailed, f.status, args)
		require.Contains(t, f.stderr, "postgres: starting\n", args)
		require.Empty(t, f.stdout, args)
	}
}

func TestHelpAndVersionAndConfig(t *testing.T) {
	t.Parallel()
	in := newUnwatched(t)
	for _, args := range [][]string{{"--help"}, {"translate", "--help"}, {"up", "--help"}, {"worker", "--help"}, {"keys", "create", "--help"}} {
		f := in.plait(args...)
		require.Zero(t, f.status)
		require.Contains(t, f.stdout, "Usage:")
	}
	require.Contains(t, in.plait("version").stdout, "plait ")
	f := in.plait("config", "--worker-translate-slots", "3", "--json")
	require.Zero(t, f.status, f.stderr)
	var rows []struct{ Name, Value, Origin string }
	require.NoError(t, json.Unmarshal([]byte(f.stdout), &rows))
	require.Contains(t, rows, struct{ Name, Value, Origin string }{"worker.translate_slots", "3", "flag --worker-translate-slots"})
}

func TestAStartThatIsInterruptedSaysSoAlone(t *testing.T) {
	t.Parallel()
	neverReady := filepath.Join(t.TempDir(), "temporal")
	require.NoError(t, os.WriteFile(neverReady, []byte("#!/bin/sh\nexec sleep 600\n"), 0o700))
	in := newInstallation(t, "PLAIT_TEMPORAL_BINARY="+neverReady)
	cmd := in.command("up")
	said, err := cmd.StdoutPipe()
	require.NoError(t, err)
	var stderr strings.Builder
	cmd.Stderr = &stderr
	require.NoError(t, cmd.Start())
	t.Cleanup(func() { _ = syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) })
	lines := bufio.NewScanner(said)
	for lines.Scan() && lines.Text() != "postgres  ready" {
	}
	require.NoError(t, cmd.Process.Signal(syscall.SIGINT))
	for lines.Scan() {
	}
	var exit *exec.ExitError
	require.ErrorAs(t, cmd.Wait(), &exit)
	require.Equal(t, exitInterrupted, exit.ExitCode(), stderr.String())
	require.Regexp(t, `(^|\n)plait: interrupted\n$`, stderr.String())
	require.NotContains(t, stderr.String(), "sleep")
}

func TestUpServesUntilItIsStoppedAndIsAloneInItsFolder(t *testing.T) {
	t.Parallel()
	in := newInstallation(t, "PLAIT_FETCH_ALLOWED_NETWORKS=127.0.0.0/8")
	cmd := in.command("up")
	out, err := os.Create(filepath.Join(in.dir, "up.txt"))
	require.NoError(t, err)
	defer out.Close()
	cmd.Stdout, cmd.Stderr = out, out
	require.NoError(t, cmd.Start())
	t.Cleanup(func() { _ = syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) })
	said := func() string {
		b, err := os.ReadFile(out.Name())
		require.NoError(t, err)
		return string(b)
	}
	eventually(t, func() bool { return strings.Contains(said(), "Ready.") }, "up is ready")

	address := regexp.MustCompile(`API\s+(http://\S+)`).FindStringSubmatch(said())
	require.NotNil(t, address)
	ui := regexp.MustCompile(`Temporal UI\s+(http://\S+)`).FindStringSubmatch(said())
	require.NotNil(t, ui)
	cookies, err := cookiejar.New(nil)
	require.NoError(t, err)
	browser := &http.Client{Jar: cookies}
	for _, url := range []string{address[1] + "/readyz", address[1] + "/metrics", ui[1], strings.Split(ui[1], "/sign-in")[0] + "/api/v1/settings"} {
		resp, err := browser.Get(url)
		require.NoError(t, err)
		require.NoError(t, resp.Body.Close())
		require.Less(t, resp.StatusCode, 300, url)
	}

	second := in.plait("up")
	require.Equal(t, exitFailed, second.status)
	require.Contains(t, second.stderr, "a stack runs in")

	// Another command uses what runs.
	key := in.plait("keys", "create", "--tenant", "press", "--name", "desk")
	require.Zero(t, key.status, key.stderr)
	require.Contains(t, in.plait("keys", "list", "--tenant", "press").stdout, "desk")
	listed := in.plait("keys", "list", "--tenant", "press", "--json").stdout
	require.Contains(t, listed, `"tenant":"press","name":"desk","prefix":"`+strings.TrimSpace(key.stdout)[:12]+`"`)
	require.NotContains(t, listed, strings.TrimSpace(key.stdout), "a key is shown once")
	require.Contains(t, in.plait("migrate", "--status").stdout, "applied")
	eventually(t, func() bool { return strings.Contains(in.plait("doctor").stdout, "workers poll every queue") }, "the worker polls")
	joined := in.plait("translate", example("small", "03.png"), "--from", "ja", "--to", "en", "-o", filepath.Join(in.dir, "joined"))
	require.Zero(t, joined.status, "%s%s", joined.stdout, joined.stderr)
	in.requireEncryptedHistories()
	distant := in.command("translate", example("small", "03.png"), "--from", "ja", "--to", "de", "-o", filepath.Join(in.dir, "distant"), "--server", address[1])
	distant.Env = append(distant.Env, "PLAIT_API_KEY="+strings.TrimSpace(key.stdout))
	require.Zero(t, in.finish(distant).status)
	unknown := in.command("translate", example("small", "03.png"), "--to", "fr", "--server", address[1])
	unknown.Env = append(unknown.Env, "PLAIT_API_KEY=plait_wrong")
	wrong := in.finish(unknown)
	require.Equal(t, exitFailed, wrong.status)
	require.Equal(t, 1, strings.Count(wrong.stderr, "\n"), wrong.stderr)
	empty := filepath.Join(in.dir, "empty.cbz")
	require.NoError(t, os.WriteFile(empty, []byte("PK\x05\x06"+strings.Repeat("\x00", 18)), 0o600))
	bare := in.plait("translate", empty, "--to", "fr")
	require.Equal(t, exitFailed, bare.status)
	require.Equal(t, "plait: "+empty+": the archive has no pages\n", bare.stderr)
	unread := in.plait("translate", example("small", "03.png"), "--from", "ko", "--to", "en")
	require.Equal(t, exitFailed, unread.status)
	require.Equal(t, `plait: source language "ko" is written in Hangul, which no loaded model reads; `+
		"add a recognizer of that script to the manifest of models (models.manifest)\n", unread.stderr)

	in.revokeAKey(address[1])
	in.limitATenant()
	in.tellOfTheEnd()
	in.drainTheHost()
	waiting := in.command("translate", example("small", "03.png"), "--from", "ja", "--to", "it", "-o", filepath.Join(in.dir, "waiting"))
	shown, err := waiting.StdoutPipe()
	require.NoError(t, err)
	require.NoError(t, waiting.Start())
	t.Cleanup(func() { _ = syscall.Kill(-waiting.Process.Pid, syscall.SIGKILL) })
	lines := bufio.NewScanner(shown)
	require.True(t, lines.Scan())
	require.Contains(t, lines.Text(), "Nothing has begun yet", "nobody takes what a drained host leaves")
	require.NoError(t, waiting.Process.Signal(syscall.SIGINT))
	require.True(t, lines.Scan())
	require.Contains(t, lines.Text(), "Interrupted.")
	require.Error(t, waiting.Wait())
	require.NoError(t, cmd.Process.Signal(syscall.SIGINT))
	require.NoError(t, cmd.Wait(), said())
	require.Contains(t, said(), "stopped")
	require.NoFileExists(t, filepath.Join(in.data, "postgres", "postmaster.pid"))
}
