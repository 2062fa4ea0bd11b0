package main

import (
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"time"

	"github.com/stretchr/testify/require"

	"plait/api/schema"
)

// told is a message that a receiver got. Its fields are those that verify of docs/api.md reads.
type told struct {
	Path    string            `json:"path"`
	Headers map[string]string `json:"headers"`
	Body    string            `json:"body"`
}

// tellOfTheEnd has an endpoint and a callback URL told of a task, and verifies the messages as the documentation does.
func (in *sandbox) tellOfTheEnd() {
	in.t.Helper()
	got := make(chan told, 10)
	receiver := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		b, _ := io.ReadAll(r.Body)
		m := told{Path: r.URL.Path, Headers: map[string]string{}, Body: string(b)}
		for name := range r.Header {
			m.Headers[strings.ToLower(name)] = r.Header.Get(name)
		}
		got <- m
	}))
	defer receiver.Close()
	does := func(args ...string) string {
		in.t.Helper()
		f := in.plait(args...)
		require.Zero(in.t, f.status, f.stderr)
		return f.stdout
	}
	var e schema.Endpoint
	require.NoError(in.t, json.Unmarshal([]byte(does("webhooks", "add", receiver.URL+"/endpoint", "--json")), &e))
	require.Contains(in.t, does("webhooks", "list"), e.ID)
	does("translate", example("small", "03.png"), "--from", "ja", "--to", "pl", "-o", filepath.Join(in.dir, "told"),
		"--callback-url", receiver.URL+"/callback")
	first, second := in.told(got), in.told(got)
	require.ElementsMatch(in.t, []string{"/endpoint", "/callback"}, []string{first.Path, second.Path})
	require.Equal(in.t, first.Body, second.Body)
	secret := strings.TrimSpace(does("webhooks", "secret"))
	require.Empty(in.t, in.verified(secret, first))
	require.NotEqual(in.t, secret, strings.TrimSpace(does("webhooks", "secret", "--rotate")))

	id := second.Headers["webhook-id"]
	eventually(in.t, func() bool {
		return strings.Count(does("webhooks", "deliveries", "--status", "delivered"), receiver.URL) == 2
	}, "both are delivered")
	require.Contains(in.t, does("webhooks", "replay", id), "pending")
	again := in.told(got)
	require.Equal(in.t, id, again.Headers["webhook-id"])
	require.Empty(in.t, in.verified(secret, again), "the secret before signs as well")
	again.Body += " "
	require.Contains(in.t, in.verified(secret, again), "the signature is wrong")

	require.Contains(in.t, does("webhooks", "resume", e.ID), "/endpoint")
	require.Equal(in.t, "endpoint "+e.ID+": removed\n", does("webhooks", "remove", e.ID))
	gone := in.plait("webhooks", "remove", e.ID)
	require.Equal(in.t, exitFailed, gone.status)
	require.Contains(in.t, gone.stderr, "endpoint "+e.ID)
	require.Equal(in.t, exitUsage, in.plait("webhooks", "deliveries", "-n", "0").status)
}

// told returns the next message.
func (in *sandbox) told(got <-chan told) told {
	in.t.Helper()
	select {
	case m := <-got:
		return m
	case <-time.After(time.Minute):
		require.FailNow(in.t, "no message arrives")
		return told{}
	}
}

// verified runs verify of docs/api.md, and returns its error.
func (in *sandbox) verified(secret string, m told) string {
	in.t.Helper()
	page, err := os.ReadFile(filepath.Join(moduleRoot(), "docs", "api.md"))
	require.NoError(in.t, err)
	code := regexp.MustCompile(`(?s)cat > verify.py <<'END'\n(.*?)\nEND\n`).FindSubmatch(page)
	require.NotNil(in.t, code)
	cmd := exec.Command("python3", "-c", string(code[1])+`
import json, os, sys
message = json.load(sys.stdin)
try:
    verify(os.environ["SECRET"], message["headers"], message["body"].encode())
except ValueError as e:
    print(e)
`)
	cmd.Env = append(os.Environ(), "SECRET="+secret)
	content, err := json.Marshal(m)
	require.NoError(in.t, err)
	cmd.Stdin = strings.NewReader(string(content))
	out, err := cmd.CombinedOutput()
	require.NoError(in.t, err, "%s", out)
	return string(out)
}
