package comfyui

import (
	"context"
	"encoding/json"
	"net/url"
	"time"

	"github.com/coder/websocket"

	"plait/internal/video/remote"
)

const (
	// maxMessage bounds a message, in bytes: previews of frames come along.
	maxMessage = 32 << 20
	// redialAfter is the time to the next attempt at a connection.
	redialAfter = 2 * time.Second
)

// Watch implements [remote.Server]. Without a connection the progress stays where it is.
func (s *Server) Watch(ctx context.Context, r remote.Request, id string) {
	defer func() {
		s.mu.Lock()
		defer s.mu.Unlock()
		delete(s.percents, id)
	}()
	p := progress{id: id, nodes: len(s.workflows[r.Model].nodes), done: map[string]bool{}}
	for ctx.Err() == nil {
		s.listen(ctx, r.Key, &p)
		select {
		case <-ctx.Done():
		case <-time.After(redialAfter):
		}
	}
}

// listen reads messages until the connection ends.
func (s *Server) listen(ctx context.Context, client string, p *progress) {
	conn, _, err := websocket.Dial(ctx, s.URL("/ws?clientId="+url.QueryEscape(client)), &websocket.DialOptions{HTTPHeader: s.Header()}) //nolint:bodyclose // the connection has it
	if err != nil {
		return
	}
	defer func() { _ = conn.CloseNow() }()
	conn.SetReadLimit(maxMessage)
	for {
		kind, b, err := conn.Read(ctx)
		if err != nil {
			return
		}
		if kind == websocket.MessageText && p.take(b) {
			s.mu.Lock()
			s.percents[p.id] = max(s.percents[p.id], p.percent())
			s.mu.Unlock()
		}
	}
}

// progress is how far a prompt is.
type progress struct {
	id    string
	nodes int
	done  map[string]bool
	// node is the one that runs, and share how much of it is done.
	node  string
	share float64
}

// take reads a message, and reports whether it is about the progress of the prompt.
func (p *progress) take(message []byte) bool {
	var m struct {
		Type string `json:"type"`
		Data struct {
			PromptID string   `json:"prompt_id"`
			Node     string   `json:"node"`
			Nodes    []string `json:"nodes"`
			Value    float64  `json:"value"`
			Max      float64  `json:"max"`
		} `json:"data"`
	}
	// Some messages have objects where others have lists. They are not about progress.
	if json.Unmarshal(message, &m) != nil || m.Data.PromptID != p.id {
		return false
	}
	switch m.Type {
	case "execution_cached":
		for _, node := range m.Data.Nodes {
			p.done[node] = true
		}
	case "executing":
		if p.node != "" {
			p.done[p.node] = true
		}
		p.node, p.share = m.Data.Node, 0
	case "progress":
		if m.Data.Max > 0 {
			p.share = min(max(m.Data.Value/m.Data.Max, 0), 1)
		}
	default:
		return false
	}
	return true
}

func (p *progress) percent() float64 {
	return min(100*(float64(len(p.done))+p.share)/float64(max(p.nodes, 1)), 100)
}
