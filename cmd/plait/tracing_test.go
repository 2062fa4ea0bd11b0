package main

import (
	"compress/gzip"
	"encoding/hex"
	"io"
	"net/http"
	"net/http/httptest"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	collector "go.opentelemetry.io/proto/otlp/collector/trace/v1"
	"google.golang.org/protobuf/proto"

	"plait/internal/llmtest"
)

// span is what a collector was told of one.
type span struct{ name, service, trace, id, parent string }

// spanCollector takes spans as OTLP over HTTP.
type spanCollector struct {
	*httptest.Server
	mu    sync.Mutex
	spans []span
	raw   []byte
}

func newSpanCollector(t *testing.T) *spanCollector {
	t.Helper()
	c := &spanCollector{}
	c.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, err := gzip.NewReader(r.Body)
		if !assert.NoError(t, err) {
			return
		}
		b, err := io.ReadAll(body)
		var sent collector.ExportTraceServiceRequest
		if assert.NoError(t, err) && assert.NoError(t, proto.Unmarshal(b, &sent)) {
			assert.Equal(t, "/v1/traces", r.URL.Path)
			assert.Equal(t, "secret", r.Header.Get("X-Collector-Key"))
			c.take(&sent, b)
		}
		w.WriteHeader(http.StatusOK)
	}))
	t.Cleanup(c.Close)
	return c
}

func (c *spanCollector) take(sent *collector.ExportTraceServiceRequest, raw []byte) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.raw = append(c.raw, raw...)
	for _, r := range sent.ResourceSpans {
		service := ""
		for _, a := range r.Resource.Attributes {
			if a.Key == "service.name" {
				service = a.Value.GetStringValue()
			}
		}
		for _, scope := range r.ScopeSpans {
			for _, s := range scope.Spans {
				c.spans = append(c.spans, span{
					name: s.Name, service: service, trace: hex.EncodeToString(s.TraceId),
					id: hex.EncodeToString(s.SpanId), parent: hex.EncodeToString(s.ParentSpanId),
				})
			}
		}
	}
}

// ancestors are the names of the spans above s, the next one first.
func (c *spanCollector) ancestors(s span) []string {
	var names []string
	for s.parent != "" {
		up := ""
		for _, other := range c.spans {
			if other.id == s.parent && other.trace == s.trace {
				s, up = other, other.name
				break
			}
		}
		if up == "" {
			break
		}
		names = append(names, up)
	}
	return names
}

func TestATraceLeadsFromTheRequestToTheModelCall(t *testing.T) {
	t.Parallel()
	spans, model := newSpanCollector(t), llmtest.New(t)
	in := newInstallation(t, append(usingModel(model),
		"OTEL_EXPORTER_OTLP_ENDPOINT="+spans.URL, "OTEL_EXPORTER_OTLP_HEADERS=X-Collector-Key=secret")...)
	done := in.plait("translate", zipOf(t, example("small"), "01.png"), "--from", "ja", "--to", "en")
	require.Zero(t, done.status, "%s%s", done.stdout, done.stderr)

	// The processes have stopped, and sent all that they had.
	var calls []span
	for _, s := range spans.spans {
		if s.name == "chat "+model.Model() {
			calls = append(calls, s)
		}
	}
	require.Len(t, calls, 1)
	require.Equal(t, "plait-worker", calls[0].service)
	require.Equal(t, []string{
		"RunActivity:Translate", "StartActivity:Translate", "RunWorkflow:PageWorkflow", "StartWorkflow:PageWorkflow",
		"POST /v1/comic/translations",
	}, spans.ancestors(calls[0]))
	var names []string
	for _, s := range spans.spans {
		if s.trace == calls[0].trace {
			names = append(names, s.name)
		}
	}
	require.Subset(t, names, []string{"RunActivity:Detect", "RunActivity:Render", "wait for the device", "hold the device", "wait for a translate slot"})
	asked := model.Calls()
	require.Len(t, asked, 1)
	require.NotEmpty(t, asked[0].Segments)
	for _, segment := range asked[0].Segments {
		require.NotContains(t, string(spans.raw), segment, "a trace holds no page text")
	}
}
