package provider_test

import (
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"plait/internal/llmtest"
	"plait/internal/translate/provider"
)

// closedPort is a port of loopback on which nothing listens.
func closedPort(t *testing.T) int {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	port := l.Addr().(*net.TCPAddr).Port
	require.NoError(t, l.Close())
	return port
}

func TestDiscoverPrefersOllama(t *testing.T) {
	t.Parallel()
	ollama := llmtest.New(t, llmtest.WithModels("nomic-embed-text:latest", "gpt-oss:120b-cloud", "qwen2.5-coder:32b", "gemma3:12b", "llama3.2:3b"))
	other := llmtest.New(t)
	found, ok := provider.Discover(t.Context(), provider.Loopback{
		OllamaPorts: []int{closedPort(t), ollama.Port()}, OpenAIPorts: []int{other.Port()}, Timeout: 10 * time.Second,
	})
	require.True(t, ok)
	require.Equal(t, provider.Config{Kind: provider.Ollama, BaseURL: ollama.OpenAIURL(), Model: "gemma3:12b"}, found)

	p, err := provider.Open(found)
	require.NoError(t, err)
	_, err = p.Complete(t.Context(), provider.Prompt{System: "s", User: "u"})
	require.NoError(t, err)
}

func TestDiscoverTakesThePortsInOrder(t *testing.T) {
	t.Parallel()
	embedder := llmtest.New(t, llmtest.WithModels("text-embedding-nomic-embed-text-v1.5"))
	first := llmtest.New(t, llmtest.WithModels("qwen3-8b", "qwen3-14b-instruct", "mistral-7b"))
	second := llmtest.New(t, llmtest.WithModels("aya-32b"))
	found, ok := provider.Discover(t.Context(), provider.Loopback{
		OllamaPorts: []int{closedPort(t)}, OpenAIPorts: []int{closedPort(t), embedder.Port(), first.Port(), second.Port()}, Timeout: 10 * time.Second,
	})
	require.True(t, ok)
	require.Equal(t, provider.Config{Kind: provider.OpenAI, BaseURL: first.OpenAIURL(), Model: "qwen3-14b-instruct"}, found)
}

func TestDiscoverPassesByWhatIsNoModelServer(t *testing.T) {
	t.Parallel()
	var ports []int
	for _, handler := range []http.HandlerFunc{
		func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write([]byte("<html>a page</html>")) },
		func(w http.ResponseWriter, r *http.Request) {
			http.Redirect(w, r, "http://192.0.2.1/", http.StatusFound)
		},
		func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusNotFound) },
		func(w http.ResponseWriter, _ *http.Request) {
			_, _ = w.Write([]byte(`{"data":[{"id":"` + strings.Repeat("m", 2<<20) + `"}]}`))
		},
		func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() },
	} {
		s := httptest.NewServer(handler)
		t.Cleanup(s.Close)
		ports = append(ports, s.Listener.Addr().(*net.TCPAddr).Port)
	}
	_, ok := provider.Discover(t.Context(), provider.Loopback{OllamaPorts: ports, OpenAIPorts: ports, Timeout: 300 * time.Millisecond})
	require.False(t, ok)
}
