// Package videotest is a server of OpenAI's /v1/videos for tests. It makes short clips of the right size and duration, and lies on demand.
package videotest

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"slices"
	"strconv"
	"sync"
	"testing"
	"time"

	"plait/internal/video/ffmpeg/ffmpegtest"
)

// Lie is a way in which a server misbehaves. Each is told once, so that a client that tries again succeeds.
type Lie string

// The lies.
const (
	// Busy answers a request for a video with 429.
	Busy Lie = "busy"
	// Broken answers it with 500.
	Broken Lie = "broken"
	// Mute makes the video but breaks the connection before it says so.
	Mute Lie = "mute"
	// Lost forgets the job once it was asked for.
	Lost Lie = "lost"
	// Failed fails the job.
	Failed Lie = "failed"
	// Cut breaks the download off in the middle.
	Cut Lie = "cut"
	// Small makes a video of another size.
	Small Lie = "small"
	// Foreign makes one that browsers do not play.
	Foreign Lie = "foreign"
	// Refused refuses the request.
	Refused Lie = "refused"
)

// Server is a server. Its jobs take two questions for their progress.
type Server struct {
	*httptest.Server
	tb testing.TB

	mu sync.Mutex
	// lies are those that are still to be told.
	lies map[Lie]bool
	jobs map[string]*job
	// prompts are those of the jobs.
	prompts []string
	// clips are the files that were made, by what distinguishes them.
	clips map[string][]byte
	// created counts the jobs, most is the largest number of them at the same time, and deleted are those that a client deleted.
	created, most, deleted int
}

type job struct {
	ID        string `json:"id"`
	Object    string `json:"object"`
	Status    string `json:"status"`
	Progress  int    `json:"progress"`
	CreatedAt int64  `json:"created_at"`
	Prompt    string `json:"prompt"`
	Size      string `json:"size"`
	Seconds   string `json:"seconds"`
	Error     any    `json:"error,omitempty"`
	asked     int
	codec     string
}

// New starts a server that tells these lies, which ends with the test.
func New(tb testing.TB, lies ...Lie) *Server {
	tb.Helper()
	s := &Server{tb: tb, lies: map[Lie]bool{}, jobs: map[string]*job{}, clips: map[string][]byte{}}
	for _, l := range lies {
		s.lies[l] = true
	}
	mux := http.NewServeMux()
	mux.HandleFunc("POST /v1/videos", s.create)
	mux.HandleFunc("GET /v1/videos", s.list)
	mux.HandleFunc("GET /v1/videos/{id}", s.get)
	mux.HandleFunc("GET /v1/videos/{id}/content", s.content)
	mux.HandleFunc("DELETE /v1/videos/{id}", s.remove)
	s.Server = httptest.NewServer(mux)
	tb.Cleanup(s.Close)
	return s
}

// Counts returns how many jobs were created, how many ran at the same time at most, and how many are left.
func (s *Server) Counts() (created, most, left int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.created, s.most, len(s.jobs)
}

// Prompts returns the prompts of the jobs, in their order.
func (s *Server) Prompts() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.prompts)
}

// tells reports whether a lie is still to be told, and tells it.
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
		refuse(w, http.StatusTooManyRequests, "slow down")
		return
	case s.tells(Broken):
		refuse(w, http.StatusInternalServerError, "out of memory")
		return
	case s.tells(Refused):
		refuse(w, http.StatusBadRequest, "this prompt is not allowed")
		return
	}
	r.Body = http.MaxBytesReader(w, r.Body, 32<<20)
	err := r.ParseMultipartForm(1 << 20) //nolint:gosec // G120: the line above bounds it
	if err != nil || r.FormValue("prompt") == "" || r.FormValue("model") == "" {
		refuse(w, http.StatusBadRequest, "prompt or model is missing")
		return
	}
	s.created++
	s.prompts = append(s.prompts, r.FormValue("prompt"))
	j := &job{
		ID: fmt.Sprintf("video_%d", s.created), Object: "video", Status: "queued", CreatedAt: time.Now().Unix(), Prompt: r.FormValue("prompt"),
		Size: r.FormValue("size"), Seconds: r.FormValue("seconds"), codec: "libx264",
	}
	if s.tells(Small) {
		j.Size = "64x64"
	}
	if s.tells(Foreign) {
		j.codec = "mpeg4"
	}
	s.jobs[j.ID] = j
	running := 0
	for _, other := range s.jobs {
		if other.Status != "completed" && other.Status != "failed" {
			running++
		}
	}
	s.most = max(s.most, running)
	if s.tells(Mute) {
		panic(http.ErrAbortHandler)
	}
	if s.tells(Lost) {
		delete(s.jobs, j.ID)
	}
	answer(w, j)
}

func (s *Server) list(w http.ResponseWriter, _ *http.Request) {
	s.mu.Lock()
	defer s.mu.Unlock()
	list := []*job{}
	for _, j := range s.jobs {
		list = append(list, j)
	}
	answer(w, map[string]any{"object": "list", "data": list})
}

func (s *Server) get(w http.ResponseWriter, r *http.Request) {
	s.mu.Lock()
	defer s.mu.Unlock()
	j := s.jobs[r.PathValue("id")]
	if j == nil {
		refuse(w, http.StatusNotFound, "no such video")
		return
	}
	switch j.asked++; {
	case j.asked == 1:
		j.Status, j.Progress = "in_progress", 40
	case s.tells(Failed):
		j.Status, j.Error = "failed", map[string]string{"code": "internal", "message": "CUDA error"}
	case j.Status == "in_progress":
		j.Status, j.Progress = "completed", 100
	}
	answer(w, j)
}

func (s *Server) content(w http.ResponseWriter, r *http.Request) {
	s.mu.Lock()
	j := s.jobs[r.PathValue("id")]
	cut := s.tells(Cut)
	var b []byte
	var err error
	if found := j != nil && j.Status == "completed"; found {
		b, err = s.clip(j)
	}
	s.mu.Unlock()
	if err != nil {
		refuse(w, http.StatusInternalServerError, err.Error())
		return
	}
	if b == nil {
		refuse(w, http.StatusNotFound, "no such video")
		return
	}
	w.Header().Set("Content-Type", "video/mp4")
	w.Header().Set("Content-Length", strconv.Itoa(len(b)))
	if cut {
		_, _ = w.Write(b[:len(b)/2])
		panic(http.ErrAbortHandler)
	}
	_, _ = w.Write(b)
}

// clip returns the video of a job, which makes the clip of its size, duration and codec, and ends with its prompt: see [Prompt].
func (s *Server) clip(j *job) ([]byte, error) {
	key := j.Size + " " + j.Seconds + " " + j.codec
	if s.clips[key] == nil {
		path := ffmpegtest.Make(s.tb, "-f", "lavfi", "-i", fmt.Sprintf("testsrc=size=%s:rate=16:duration=%s", j.Size, j.Seconds),
			"-f", "lavfi", "-i", "sine=duration="+j.Seconds, "-c:v", j.codec, "-pix_fmt", "yuv420p", "video.mp4")
		made, err := os.ReadFile(path)
		if err != nil {
			return nil, err
		}
		s.clips[key] = made
	}
	tag := binary.BigEndian.AppendUint32(slices.Clone(s.clips[key]), uint32(len(boxFree)+4+len(j.Prompt)))
	return append(append(tag, boxFree...), j.Prompt...), nil
}

// boxFree is the type of a box of MP4 that players skip (ISO/IEC 14496-12, 8.1.2).
const boxFree = "free"

// Prompt returns the prompt of the job whose file this is; empty for any other file.
func Prompt(file []byte) string {
	at := bytes.LastIndex(file, []byte(boxFree))
	if at < 0 {
		return ""
	}
	return string(file[at+len(boxFree):])
}

func (s *Server) remove(w http.ResponseWriter, r *http.Request) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.jobs, r.PathValue("id"))
	s.deleted++
	answer(w, map[string]any{"id": r.PathValue("id"), "deleted": true})
}

func answer(w http.ResponseWriter, body any) {
	w.Header().Set("Content-Type", "application/json")
	_ = json.NewEncoder(w).Encode(body)
}

func refuse(w http.ResponseWriter, status int, message string) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	answer(w, map[string]any{"error": map[string]any{"message": message, "code": status}})
}
