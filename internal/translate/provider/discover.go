package provider

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"
)

// Loopback configures Discover; zero values are the defaults.
type Loopback struct {
	// OllamaPorts are the ports where Discover requests Ollama's list of models; default 11434.
	OllamaPorts []int
	// OpenAIPorts are the ports where Discover requests the OpenAI protocol's list of models; default 8000 (vLLM), 8080 (llama.cpp), 1234
	// (LM Studio), 11434.
	OpenAIPorts []int
	// Timeout bounds the whole search; default 800 ms, because every server is on this machine.
	Timeout time.Duration
}

// maxListBytes bounds a list of models.
const maxListBytes = 1 << 20

// Discover searches for a model server on loopback: all ports at once, with a preference for Ollama, then for the first ports. It chooses
// the model by name and size alone, so that the same servers always give the same choice.
func Discover(ctx context.Context, l Loopback) (Config, bool) {
	if l.OllamaPorts == nil {
		l.OllamaPorts = []int{11434}
	}
	if l.OpenAIPorts == nil {
		l.OpenAIPorts = []int{8000, 8080, 1234, 11434}
	}
	if l.Timeout <= 0 {
		l.Timeout = 800 * time.Millisecond
	}
	ctx, cancel := context.WithTimeout(ctx, l.Timeout)
	defer cancel()

	found := make([]string, len(l.OllamaPorts)+len(l.OpenAIPorts))
	var wait sync.WaitGroup
	for i, port := range l.OllamaPorts {
		wait.Go(func() { found[i] = bestModel(ollamaModels(ctx, port)) })
	}
	for i, port := range l.OpenAIPorts {
		wait.Go(func() { found[len(l.OllamaPorts)+i] = bestModel(openAIModels(ctx, port)) })
	}
	wait.Wait()
	for i, port := range append(slices.Clone(l.OllamaPorts), l.OpenAIPorts...) {
		if found[i] == "" {
			continue
		}
		kind := OpenAI
		if i < len(l.OllamaPorts) {
			kind = Ollama
		}
		return Config{Kind: kind, BaseURL: loopbackURL(port) + "/v1", Model: found[i]}, true
	}
	return Config{}, false
}

func loopbackURL(port int) string { return fmt.Sprintf("http://127.0.0.1:%d", port) }

// served is a model that a server offers; size is in bytes or, when only the name contains it, in parameters, 0 if unknown.
type served struct {
	name string
	size float64
}

func ollamaModels(ctx context.Context, port int) []served {
	var list struct {
		Models []struct {
			Name       string  `json:"name"`
			Size       float64 `json:"size"`
			RemoteHost string  `json:"remote_host"`
		} `json:"models"`
	}
	if !getJSON(ctx, loopbackURL(port)+"/api/tags", &list) {
		return nil
	}
	var models []served
	for _, m := range list.Models {
		// A cloud model runs elsewhere: a search on this machine is no permission to send pages to other machines.
		if m.RemoteHost == "" && !strings.HasSuffix(m.Name, "cloud") {
			models = append(models, served{name: m.Name, size: m.Size})
		}
	}
	return models
}

var parameters = regexp.MustCompile(`(?i)(?:^|[^a-z0-9.])(\d+(?:\.\d+)?)b(?:[^a-z0-9]|$)`)

func openAIModels(ctx context.Context, port int) []served {
	var list struct {
		Data []struct {
			ID string `json:"id"`
		} `json:"data"`
	}
	if !getJSON(ctx, loopbackURL(port)+"/v1/models", &list) {
		return nil
	}
	var models []served
	for _, m := range list.Data {
		model := served{name: m.ID}
		if match := parameters.FindStringSubmatch(m.ID); match != nil {
			// The expression matches only valid numbers.
			model.size, _ = strconv.ParseFloat(match[1], 64)
		}
		models = append(models, model)
	}
	return models
}

// unfit are parts of the names of models that cannot chat; unlikely are parts of the names of models for other purposes.
var (
	unfit    = []string{"embed", "rerank", "bge-", "minilm", "whisper", "tts", "moderation", "guard", "ocr", "clip"}
	unlikely = []string{"code", "math", "llava", "-vl", "vision", "sql", "uncensored"}
)

// bestModel returns the largest general text model, and of equal ones the first by name; it is empty when no model is suitable.
func bestModel(models []served) string {
	models = slices.DeleteFunc(models, func(m served) bool { return m.name == "" || named(m, unfit) })
	if len(models) == 0 {
		return ""
	}
	best := slices.MinFunc(models, func(a, b served) int {
		if x, y := named(a, unlikely), named(b, unlikely); x != y {
			if x {
				return 1
			}
			return -1
		}
		return cmp.Or(cmp.Compare(b.size, a.size), strings.Compare(a.name, b.name))
	})
	return best.name
}

func named(m served, parts []string) bool {
	name := strings.ToLower(m.name)
	return slices.ContainsFunc(parts, func(part string) bool { return strings.Contains(name, part) })
}

// probe connects directly to loopback: no proxy, no redirect, no keep-alive.
var probe = &http.Client{
	Transport:     &http.Transport{DisableKeepAlives: true, MaxResponseHeaderBytes: 64 << 10},
	CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
}

// getJSON reports whether address answered with JSON that decodes into into. Any other answer means that there is no model server.
func getJSON(ctx context.Context, address string, into any) bool {
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, address, nil)
	if err != nil {
		return false
	}
	response, err := probe.Do(request)
	if err != nil {
		return false
	}
	defer func() { _ = response.Body.Close() }()
	return response.StatusCode == http.StatusOK && json.NewDecoder(io.LimitReader(response.Body, maxListBytes)).Decode(into) == nil
}
