package main

import (
	"bytes"
	"compress/gzip"
	"encoding/hex"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"sync"
	"testing"

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
	mu      sync.Mutex
	batches []spanBatch
}

// spanBatch is one delivery, as it came.
type spanBatch struct {
	path, key string
	body      []byte
}

func newSpanCollector(t *testing.T) *spanCollector {
	t.Helper()
	c := &spanCollector{}
	c.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		if err != nil {
			http.Error(w, err.Error(), http.StatusBadRequest)
			return
		}
		c.mu.Lock()
		defer c.mu.Unlock()
		c.batches = append(c.batches, spanBatch{r.URL.Path, r.Header.Get("X-Collector-Key"), body})
	}))
	t.Cleanup(c.Close)
	return c
}

// delivered are the spans so far, and all that was said of them.
func (c *spanCollector) delivered(t *testing.T) (spans spanList, said string) {
	t.Helper()
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, b := range c.batches {
		require.Equal(t, "/v1/traces", b.path)
		require.Equal(t, "secret", b.key)
		plain, err := gzip.NewReader(bytes.NewReader(b.body))
		require.NoError(t, err)
		body, err := io.ReadAll(plain)
		require.NoError(t, err)
		var sent collector.ExportTraceServiceRequest
		require.NoError(t, proto.Unmarshal(body, &sent))
		spans, said = append(spans, spansOf(&sent)...), said+string(body)
	}
	return spans, said
}

func spansOf(sent *collector.ExportTraceServiceRequest) (spans spanList) {
	for _, r := range sent.ResourceSpans {
		service := ""
		for _, a := range r.Resource.Attributes {
			if a.Key == "service.name" {
				service = a.Value.GetStringValue()
			}
		}
		for _, scope := range r.ScopeSpans {
			for _, s := range scope.Spans {
				spans = append(spans, span{
					name: s.Name, service: service, trace: hex.EncodeToString(s.TraceId),
					id: hex.EncodeToString(s.SpanId), parent: hex.EncodeToString(s.ParentSpanId),
				})
			}
		}
	}
	return spans
}

type spanList []span

// ancestors are the names of the spans above s, the next one first.
func (l spanList) ancestors(s span) (names []string) {
	for {
		above := slices.IndexFunc(l, func(other span) bool { return other.trace == s.trace && other.id == s.parent })
		if above < 0 {
			return names
		}
		s = l[above]
		names = append(names, s.name)
	}
}

func TestATraceLeadsFromTheRequestToTheModelCall(t *testing.T) {
	t.Parallel()
	collected, model := newSpanCollector(t), llmtest.New(t)
	in := newUnwatched(t, append(usingModel(model),
		"OTEL_EXPORTER_OTLP_ENDPOINT="+collected.URL, "OTEL_EXPORTER_OTLP_HEADERS=X-Collector-Key=secret")...)
	done := in.plait("translate", zipOf(t, example("small"), "01.png"), "--from", "ja", "--to", "en")
	require.Zero(t, done.status, "%s%s", done.stdout, done.stderr)

	// The processes have stopped, and sent all that they had.
	spans, said := collected.delivered(t)
	at := slices.IndexFunc(spans, func(s span) bool { return s.name == "chat "+model.Model() })
	require.GreaterOrEqual(t, at, 0, "%v", spans)
	call := spans[at]
	require.Equal(t, "plait-worker", call.service)
	require.Equal(t, []string{
		"RunActivity:comic.Translate", "StartActivity:comic.Translate", "RunWorkflow:comic", "StartWorkflow:comic",
		"POST /v1/comic/translations",
	}, spans.ancestors(call))
	var names []string
	for _, s := range spans {
		if s.trace == call.trace {
			names = append(names, s.name)
		}
	}
	require.Subset(t, names, []string{
		"RunActivity:comic.Detect", "RunActivity:comic.Render", "wait for admission", "decode", "wait for the device", "hold the device", "encode",
		"wait for a translate slot",
	})
	asked := model.Calls()
	require.Len(t, asked, 1)
	require.NotEmpty(t, asked[0].Segments)
	for _, segment := range asked[0].Segments {
		require.NotContains(t, said, segment, "a trace holds no page text")
	}
}
