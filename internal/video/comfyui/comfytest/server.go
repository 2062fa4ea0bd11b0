// Package comfytest is a server of ComfyUI for tests. It runs the workflow of [Workflow] as short clips, and lies on demand.
package comfytest

import (
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"net/http"
	"net/http/httptest"
	"os"
	"strconv"
	"sync"
	"testing"

	"github.com/coder/websocket"
	"github.com/coder/websocket/wsjson"

	"plait/internal/video/ffmpeg/ffmpegtest"
)

// Workflow is a workflow in the API format, with placeholders.
const Workflow = `{
	"1": {"class_type": "CLIPTextEncode", "inputs": {"text": "{{prompt}}, best quality"}},
	"2": {"class_type": "CLIPTextEncode", "inputs": {"text": "{{negative_prompt}}"}},
	"3": {"class_type": "EmptyVideo", "inputs": {"width": "{{width}}", "height": "{{height}}", "length": "{{frames}}", "batch_size": 1}},
	"4": {"class_type": "KSampler", "inputs": {"seed": "{{seed}}", "latent_image": ["3", 0], "positive": ["1", 0]}},
	"5": {"class_type": "SaveVideo", "inputs": {"images": ["4", 0], "frame_rate": "{{frame_rate}}", "filename_prefix": "plait"}}
}`

// ImageWorkflow is one that begins with an image.
const ImageWorkflow = `{
	"1": {"class_type": "LoadImage", "inputs": {"image": "{{image}}"}},
	"3": {"class_type": "ImageToVideo", "inputs": {"text": "{{prompt}}", "width": "{{width}}", "height": "{{height}}", "length": "{{frames}}", "image": ["1", 0]}},
	"5": {"class_type": "SaveVideo", "inputs": {"images": ["3", 0], "frame_rate": "{{frame_rate}}"}}
}`

// Lie is a way in which a server misbehaves. Each is told once, so that a client that tries again succeeds.
type Lie string

// The lies.
const (
	// Busy answers a prompt with 429, Broken with 500, and Refused with an error of a node.
	Busy    Lie = "busy"
	Broken  Lie = "broken"
	Refused Lie = "refused"
	// Mute takes the prompt but breaks the connection before it says so.
	Mute Lie = "mute"
	// Lost forgets the prompt.
	Lost Lie = "lost"
	// Failed fails the prompt.
	Failed Lie = "failed"
	// Cut breaks the download off in the middle.
	Cut Lie = "cut"
	// Empty makes no video.
	Empty Lie = "empty"
	// Endless never ends the prompt.
	Endless Lie = "endless"
	// Renamed gives the prompt another id than it was asked for, as old versions do.
	Renamed Lie = "renamed"
)

// Server is a server. A prompt waits, runs and ends, a step each time the queue is looked at; it runs until its client has seen its progress.
type Server struct {
	*httptest.Server
	tb testing.TB

	mu      sync.Mutex
	lies    map[Lie]bool
	prompts map[string]*prompt
	images  map[string][]byte
	created int
	// listening are the clients that have read the progress of their prompts.
	listening map[string]bool
	// interrupted are the prompts that a client has interrupted.
	interrupted []string
}

// prompt is a workflow to run.
type prompt struct {
	ID       string                     `json:"prompt_id"`
	ClientID string                     `json:"client_id"`
	Graph    map[string]json.RawMessage `json:"prompt"`
	asked    int
	// What happens to it.
	failed, empty, endless bool
}

const running, ended = 2, 4

// New starts a server that tells these lies, which ends with the test.
func New(tb testing.TB, lies ...Lie) *Server {
	tb.Helper()
	s := &Server{tb: tb, lies: map[Lie]bool{}, prompts: map[string]*prompt{}, images: map[string][]byte{}, listening: map[string]bool{}}
	for _, l := range lies {
		s.lies[l] = true
	}
	mux := http.NewServeMux()
	mux.HandleFunc("POST /prompt", s.create)
	mux.HandleFunc("POST /upload/image", s.upload)
	mux.HandleFunc("GET /queue", s.queue)
	mux.HandleFunc("POST /queue", s.forget)
	mux.HandleFunc("POST /history", s.forget)
	mux.HandleFunc("POST /interrupt", s.interrupt)
	mux.HandleFunc("GET /history", s.history)
	mux.HandleFunc("GET /history/{id}", s.history)
	mux.HandleFunc("GET /view", s.view)
	mux.HandleFunc("GET /ws", s.listen)
	s.Server = httptest.NewServer(mux)
	tb.Cleanup(s.Close)
	return s
}

// Counts returns how many prompts were taken, and how many are left.
func (s *Server) Counts() (created, left int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.created, len(s.prompts)
}

// Interrupted are the prompts that were interrupted.
func (s *Server) Interrupted() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.interrupted
}

// Image is an image that was uploaded.
func (s *Server) Image(name string) []byte {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.images[name]
}

// Inputs are those of a node of the only prompt.
func (s *Server) Inputs(node string) (inputs map[string]any) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, p := range s.prompts {
		inputs = p.inputs(s.tb, node)
	}
	return inputs
}

func (p *prompt) inputs(tb testing.TB, node string) map[string]any {
	tb.Helper()
	var n struct {
		Inputs map[string]any `json:"inputs"`
	}
	if err := json.Unmarshal(p.Graph[node], &n); err != nil {
		tb.Errorf("node %s: %v", node, err)
	}
	return n.Inputs
}

func (s *Server) tells(l Lie) bool {
	told := s.lies[l]
	delete(s.lies, l)
	return told
}

func (s *Server) create(w http.ResponseWriter, r *http.Request) {
	s.mu.Lock()
	defer s.mu.Unlock()
	switch {
	case s.tells(Busy):
		w.Header().Set("Retry-After", "1")
		answer(w, http.StatusTooManyRequests, map[string]any{})
		return
	case s.tells(Broken):
		answer(w, http.StatusInternalServerError, map[string]any{})
		return
	case s.tells(Refused):
		answer(w, http.StatusBadRequest, map[string]any{"error": map[string]any{"type": "invalid_prompt", "message": "Value not in list"}, "node_errors": map[string]any{}})
		return
	}
	p := &prompt{failed: s.tells(Failed), empty: s.tells(Empty), endless: s.tells(Endless)}
	if err := json.NewDecoder(r.Body).Decode(p); err != nil || len(p.Graph) == 0 {
		answer(w, http.StatusBadRequest, map[string]any{"error": map[string]any{"message": "no prompt"}})
		return
	}
	s.created++
	if s.tells(Renamed) {
		p.ID = "renamed"
	}
	if !s.tells(Lost) {
		s.prompts[p.ID] = p
	}
	if s.tells(Mute) {
		panic(http.ErrAbortHandler)
	}
	answer(w, http.StatusOK, map[string]any{"prompt_id": p.ID, "number": s.created, "node_errors": map[string]any{}})
}

func (s *Server) upload(w http.ResponseWriter, r *http.Request) {
	file, head, err := r.FormFile("image")
	if err != nil {
		answer(w, http.StatusBadRequest, map[string]any{})
		return
	}
	b, _ := io.ReadAll(file) // the test compares it
	s.mu.Lock()
	defer s.mu.Unlock()
	s.images["uploads/"+head.Filename] = b
	answer(w, http.StatusOK, map[string]any{"name": head.Filename, "subfolder": "uploads", "type": "input"})
}

// queue lists what waits and runs, and goes on with it.
func (s *Server) queue(w http.ResponseWriter, _ *http.Request) {
	s.mu.Lock()
	defer s.mu.Unlock()
	lists := map[string][]any{"queue_running": {}, "queue_pending": {}}
	for _, p := range s.prompts {
		switch p.asked++; {
		case p.asked >= ended:
		case p.asked >= running:
			lists["queue_running"] = append(lists["queue_running"], p.entry())
			if p.endless || !s.listening[p.ClientID] {
				p.asked = running
			}
		default:
			lists["queue_pending"] = append(lists["queue_pending"], p.entry())
		}
	}
	answer(w, http.StatusOK, lists)
}

func (p *prompt) entry() []any {
	return []any{1, p.ID, p.Graph, map[string]any{"client_id": p.ClientID}, []string{"5"}}
}

// listen tells a client of the progress of its prompt: three of its nodes have run, and half of the fourth.
func (s *Server) listen(w http.ResponseWriter, r *http.Request) {
	conn, err := websocket.Accept(w, r, nil)
	if err != nil {
		return
	}
	defer func() { _ = conn.CloseNow() }()
	client := r.URL.Query().Get("clientId")
	var id string
	s.mu.Lock()
	for _, p := range s.prompts {
		if p.ClientID == client {
			id = p.ID
		}
	}
	s.mu.Unlock()
	of := func(event string, data map[string]any) map[string]any {
		data["prompt_id"] = id
		return map[string]any{"type": event, "data": data}
	}
	for _, message := range []any{
		map[string]any{"type": "status", "data": map[string]any{"status": map[string]any{"exec_info": map[string]any{"queue_remaining": 1}}, "sid": client}},
		of("execution_start", map[string]any{}), of("execution_cached", map[string]any{"nodes": []string{"1"}}),
		of("executing", map[string]any{"node": "2"}), of("executing", map[string]any{"node": "3"}), of("executing", map[string]any{"node": "4"}),
		of("progress", map[string]any{"node": "4", "value": 10, "max": 20}),
	} {
		if err := wsjson.Write(r.Context(), conn, message); err != nil {
			return
		}
	}
	if err := conn.Write(r.Context(), websocket.MessageBinary, make([]byte, 1<<16)); err != nil { // a preview
		return
	}
	ctx := conn.CloseRead(r.Context())
	if err := conn.Ping(ctx); err != nil { // the client answers after it has read the messages
		return
	}
	s.mu.Lock()
	s.listening[client] = true
	s.mu.Unlock()
	<-ctx.Done() // the client leaves
}

func (s *Server) history(w http.ResponseWriter, r *http.Request) {
	s.mu.Lock()
	defer s.mu.Unlock()
	all := map[string]any{}
	for id, p := range s.prompts {
		if p.asked < ended || r.PathValue("id") != "" && r.PathValue("id") != id {
			continue
		}
		status := map[string]any{"status_str": "success", "completed": true, "messages": []any{}}
		if p.failed {
			status = map[string]any{"status_str": "error", "completed": false, "messages": []any{
				[]any{"execution_start", map[string]any{"prompt_id": id}}, []any{"execution_error", map[string]any{"exception_message": "CUDA error\n"}},
			}}
		}
		outputs := map[string]any{"5": map[string]any{
			"animated": []bool{true}, "images": []any{map[string]any{"filename": id + ".mp4", "subfolder": "video", "type": "output"}},
		}}
		if p.empty {
			outputs = map[string]any{"5": map[string]any{"images": []any{map[string]any{"filename": "picture.png", "type": "output"}}}}
		}
		all[id] = map[string]any{"prompt": p.entry(), "outputs": outputs, "status": status}
	}
	answer(w, http.StatusOK, all)
}

func (s *Server) view(w http.ResponseWriter, r *http.Request) {
	s.mu.Lock()
	defer s.mu.Unlock()
	query := r.URL.Query()
	p := s.prompts[query.Get("filename")[:max(len(query.Get("filename"))-len(".mp4"), 0)]]
	if p == nil || query.Get("subfolder") != "video" || query.Get("type") != "output" {
		answer(w, http.StatusNotFound, map[string]any{})
		return
	}
	in := maps.Clone(p.inputs(s.tb, "3"))
	rate, _ := p.inputs(s.tb, "5")["frame_rate"].(float64)
	frames, _ := in["length"].(float64)
	clip := ffmpegtest.Make(s.tb, "-f", "lavfi", "-i", fmt.Sprintf("testsrc=size=%vx%v:rate=%v", in["width"], in["height"], rate),
		"-frames:v", strconv.Itoa(int(frames)-1), "-c:v", "libx264", "-pix_fmt", "yuv420p", "video.mp4")
	b, err := os.ReadFile(clip)
	if err != nil {
		s.tb.Error(err)
	}
	w.Header().Set("Content-Length", strconv.Itoa(len(b)))
	if s.tells(Cut) {
		_, _ = w.Write(b[:len(b)/2])
		panic(http.ErrAbortHandler)
	}
	_, _ = w.Write(b)
}

func (s *Server) interrupt(_ http.ResponseWriter, r *http.Request) {
	var body struct {
		ID string `json:"prompt_id"`
	}
	_ = json.NewDecoder(r.Body).Decode(&body) // as an empty one
	s.mu.Lock()
	defer s.mu.Unlock()
	s.interrupted = append(s.interrupted, body.ID)
}

func (s *Server) forget(_ http.ResponseWriter, r *http.Request) {
	var body struct {
		Delete []string `json:"delete"`
	}
	_ = json.NewDecoder(r.Body).Decode(&body) // as an empty one
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, id := range body.Delete {
		delete(s.prompts, id)
	}
}

func answer(w http.ResponseWriter, status int, body any) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(body)
}
