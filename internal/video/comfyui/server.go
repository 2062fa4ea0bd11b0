// Package comfyui asks servers of ComfyUI for videos, with a workflow for each model.
//
// The key of a request is the id of the prompt where the server takes one, and that of the client everywhere, so that a prompt whose answer
// was lost is found again. A prompt is in the queue of the server, and later in its history. Its progress comes by the WebSocket of the
// client: the nodes that have run, and the steps of the one that runs, as a share of all nodes.
package comfyui

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"maps"
	"mime/multipart"
	"net/http"
	"net/url"
	"path"
	"slices"
	"strings"
	"sync"
	"time"

	"plait/internal/core"
	"plait/internal/video/remote"
)

// Server is a server of ComfyUI.
type Server struct {
	*remote.Client
	workflows map[string]Workflow

	mu sync.Mutex
	// percents are the progress of the jobs that are watched.
	percents map[string]float64
}

// Open makes the client of a server with a workflow for each model. The key is sent along; empty means none.
func Open(base, key string, workflows map[string]Workflow) *Server {
	return &Server{Client: remote.NewClient(base, key), workflows: workflows, percents: map[string]float64{}}
}

// Create implements [remote.Server].
func (s *Server) Create(ctx context.Context, r remote.Request) (string, error) {
	w, ok := s.workflows[r.Model]
	if !ok {
		return "", core.Errorf(core.CodeEngineRefused, "the model %s has no workflow", r.Model)
	}
	image := ""
	if w.TakesImage() {
		var err error
		if image, err = s.upload(ctx, r); err != nil {
			return "", err
		}
	}
	body, err := json.Marshal(map[string]any{"prompt": w.fill(r, image), "prompt_id": r.Key, "client_id": r.Key})
	if err != nil {
		return "", err
	}
	var made struct {
		PromptID string `json:"prompt_id"`
	}
	if err := s.Call(ctx, http.MethodPost, "/prompt", http.Header{"Content-Type": {"application/json"}}, bytes.NewReader(body), &made); err != nil {
		return "", err
	}
	if made.PromptID == "" {
		return "", core.NewError(core.CodeEngineUnavailable, "a video server answered without a job")
	}
	return made.PromptID, nil
}

// upload stores the image of a request, and returns its name at the server. A repeated upload takes the place of the first.
func (s *Server) upload(ctx context.Context, r remote.Request) (string, error) {
	var body bytes.Buffer
	form := multipart.NewWriter(&body)
	name := "plait-" + r.Key + "." + strings.TrimPrefix(http.DetectContentType(r.Image), "image/")
	err := errors.Join(form.WriteField("overwrite", "true"), remote.WriteImage(form, "image", name, r.Image), form.Close())
	if err != nil {
		return "", err
	}
	var stored file
	if err := s.Call(ctx, http.MethodPost, "/upload/image", http.Header{"Content-Type": {form.FormDataContentType()}}, &body, &stored); err != nil {
		return "", err
	}
	return path.Join(stored.Subfolder, stored.Name), nil
}

// file is one that the server keeps: its name is in Name for an upload and in Filename for an output.
type file struct {
	Name      string `json:"name"`
	Filename  string `json:"filename"`
	Subfolder string `json:"subfolder"`
	Type      string `json:"type"`
}

// entry is a prompt in the queue and in the history: its number, id, graph, further data, and outputs.
type entry []json.RawMessage

func (e entry) id() (id string) {
	if len(e) > 1 {
		_ = json.Unmarshal(e[1], &id) // what is no id is no job of ours
	}
	return id
}

func (e entry) client() string {
	var data struct {
		ClientID string `json:"client_id"`
	}
	if len(e) > 3 {
		_ = json.Unmarshal(e[3], &data) // as in id
	}
	return data.ClientID
}

// queue are the prompts that run, and those that wait.
type queue struct {
	Running []entry `json:"queue_running"`
	Pending []entry `json:"queue_pending"`
}

func (s *Server) queue(ctx context.Context) (q queue, err error) {
	return q, s.Call(ctx, http.MethodGet, "/queue", nil, nil, &q)
}

// past is a prompt in the history.
type past struct {
	Prompt  entry                                 `json:"prompt"`
	Outputs map[string]map[string]json.RawMessage `json:"outputs"`
	Status  *struct {
		Status   string              `json:"status_str"`
		Messages [][]json.RawMessage `json:"messages"`
	} `json:"status"`
}

// Find implements [remote.Server]. The queue is read before the history, as prompts go from one to the other.
func (s *Server) Find(ctx context.Context, r remote.Request, _ time.Time) (ids []string, err error) {
	q, err := s.queue(ctx)
	if err != nil {
		return nil, err
	}
	var history map[string]past
	if err := s.Call(ctx, http.MethodGet, "/history?max_items=100", nil, nil, &history); err != nil {
		return nil, err
	}
	found := slices.Concat(q.Running, q.Pending)
	for _, id := range slices.Sorted(maps.Keys(history)) {
		if history[id].job().Status == remote.Completed {
			found = append(found, history[id].Prompt)
		}
	}
	for _, e := range found {
		if e.id() != "" && (e.id() == r.Key || e.client() == r.Key) {
			ids = append(ids, e.id())
		}
	}
	return ids, nil
}

// Get implements [remote.Server].
func (s *Server) Get(ctx context.Context, id string) (remote.Job, error) {
	q, err := s.queue(ctx)
	if err != nil {
		return remote.Job{}, err
	}
	is := func(e entry) bool { return e.id() == id }
	switch {
	case slices.ContainsFunc(q.Running, is):
		s.mu.Lock()
		defer s.mu.Unlock()
		return remote.Job{Status: remote.Running, Progress: s.percents[id]}, nil
	case slices.ContainsFunc(q.Pending, is):
		return remote.Job{Status: remote.Queued}, nil
	}
	p, err := s.past(ctx, id)
	return p.job(), err
}

func (s *Server) past(ctx context.Context, id string) (past, error) {
	var history map[string]past
	if err := s.Call(ctx, http.MethodGet, "/history/"+url.PathEscape(id), nil, nil, &history); err != nil {
		return past{}, err
	}
	p, ok := history[id]
	if !ok {
		return past{}, core.Wrap(core.CodeEngineUnavailable, remote.ErrNoJob, "a video server has lost a job")
	}
	return p, nil
}

// job is the state of a prompt that has ended. Servers that give no status have ended well if there is an output.
func (p past) job() remote.Job {
	if p.Status == nil && len(p.Outputs) > 0 || p.Status != nil && p.Status.Status == "success" {
		return remote.Job{Status: remote.Completed, Progress: 100}
	}
	return remote.Job{Status: remote.Failed, Reason: p.reason()}
}

// reason is what the last message of an error says.
func (p past) reason() (reason string) {
	if p.Status == nil {
		return ""
	}
	for _, message := range p.Status.Messages {
		var event string
		var said struct {
			Message string `json:"exception_message"`
		}
		if len(message) < 2 || json.Unmarshal(message[0], &event) != nil || json.Unmarshal(message[1], &said) != nil {
			continue
		}
		switch event {
		case "execution_error":
			reason = said.Message
		case "execution_interrupted":
			reason = "it was interrupted"
		}
	}
	return reason
}

// videoEndings are those of files that are videos.
var videoEndings = []string{".mp4", ".webm", ".mkv", ".mov", ".m4v"}

// video is the first output that is a video; one that is kept goes before one that is temporary.
func (p past) video() (file, bool) {
	var videos []file
	for _, node := range slices.Sorted(maps.Keys(p.Outputs)) {
		for _, name := range slices.Sorted(maps.Keys(p.Outputs[node])) {
			var files []file
			if json.Unmarshal(p.Outputs[node][name], &files) != nil { // other outputs are no lists of files
				continue
			}
			for _, f := range files {
				if slices.Contains(videoEndings, strings.ToLower(path.Ext(f.Filename))) {
					videos = append(videos, f)
				}
			}
		}
	}
	if len(videos) == 0 {
		return file{}, false
	}
	kept := slices.IndexFunc(videos, func(f file) bool { return f.Type == "output" })
	return videos[max(kept, 0)], true
}

// Download implements [remote.Server].
func (s *Server) Download(ctx context.Context, id, to string) error {
	p, err := s.past(ctx, id)
	if err != nil {
		return err
	}
	f, ok := p.video()
	if !ok {
		return core.NewError(core.CodeDevice, "the workflow made no video")
	}
	query := url.Values{"filename": {f.Filename}, "subfolder": {f.Subfolder}, "type": {f.Type}}
	return s.Save(ctx, "/view?"+query.Encode(), to)
}

// Delete implements [remote.Server]. A prompt is interrupted only while it runs, as some servers interrupt whatever does. The server keeps the
// files of its outputs.
func (s *Server) Delete(ctx context.Context, id string) error {
	q, err := s.queue(ctx)
	if err != nil {
		return err
	}
	if slices.ContainsFunc(q.Running, func(e entry) bool { return e.id() == id }) {
		err = s.post(ctx, "/interrupt", map[string]any{"prompt_id": id})
	}
	remove := map[string]any{"delete": []string{id}}
	return errors.Join(err, s.post(ctx, "/queue", remove), s.post(ctx, "/history", remove))
}

func (s *Server) post(ctx context.Context, path string, body any) error {
	b, err := json.Marshal(body)
	if err != nil {
		return err
	}
	return s.Call(ctx, http.MethodPost, path, http.Header{"Content-Type": {"application/json"}}, bytes.NewReader(b), nil)
}
