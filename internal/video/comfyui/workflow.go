package comfyui

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"regexp"
	"slices"
	"strings"

	"plait/internal/video/remote"
)

// Workflow is the graph of a model in the API format of ComfyUI, with placeholders such as {{prompt}} in the inputs of its nodes.
type Workflow struct {
	nodes map[string]any
	// used are the placeholders in it.
	used map[string]bool
	rate int
}

// The placeholders. A string that is one alone becomes a number where the value is one.
const (
	prompt   = "prompt"
	negative = "negative_prompt"
	width    = "width"
	height   = "height"
	seconds  = "seconds"
	// frames is the number of frames with the first one: seconds times the frame rate, and one.
	frames = "frames"
	rate   = "frame_rate"
	seed   = "seed"
	// picture is the name of the uploaded image.
	picture = "image"
)

var (
	placeholder  = regexp.MustCompile(`\{\{([^{}]*)\}\}`)
	placeholders = []string{prompt, negative, width, height, seconds, frames, rate, seed, picture}
)

// maxWorkflow bounds the file of a workflow, in bytes, and maxNodes its nodes.
const maxWorkflow, maxNodes = 1 << 20, 1000

// ParseWorkflow reads a workflow. The rate is that of its videos, in frames a second.
func ParseWorkflow(r io.Reader, framesPerSecond int) (Workflow, error) {
	b, err := io.ReadAll(io.LimitReader(r, maxWorkflow+1))
	if err != nil {
		return Workflow{}, err
	}
	if len(b) > maxWorkflow {
		return Workflow{}, fmt.Errorf("the workflow has more than %d bytes", maxWorkflow)
	}
	w := Workflow{used: map[string]bool{}, rate: framesPerSecond}
	d := json.NewDecoder(bytes.NewReader(b))
	d.UseNumber() // seeds have more digits than a float64
	if err := d.Decode(&w.nodes); err != nil {
		return w, fmt.Errorf("the workflow is no JSON object of nodes: %w", err)
	}
	if _, err := d.Token(); !errors.Is(err, io.EOF) {
		return w, errors.New("something follows the workflow")
	}
	if len(w.nodes) == 0 || len(w.nodes) > maxNodes {
		return w, fmt.Errorf("the workflow has %d nodes; 1 to %d are possible", len(w.nodes), maxNodes)
	}
	for _, id := range slices.Sorted(maps.Keys(w.nodes)) {
		node, ok := w.nodes[id].(map[string]any)
		if !ok || node["class_type"] == nil || node["inputs"] == nil {
			return w, fmt.Errorf("node %q has no class_type or no inputs: save the workflow in the API format", id)
		}
		if err := w.examine(node["inputs"]); err != nil {
			return w, fmt.Errorf("node %q: %w", id, err)
		}
	}
	if !w.used[prompt] {
		return w, errors.New("no node has the placeholder {{prompt}}")
	}
	return w, nil
}

// TakesImage reports whether the workflow makes a video from an image.
func (w Workflow) TakesImage() bool { return w.used[picture] }

// examine notes the placeholders of a value.
func (w Workflow) examine(value any) error {
	var err error
	visit(value, func(text string) any {
		for _, found := range placeholder.FindAllStringSubmatch(text, -1) {
			if !slices.Contains(placeholders, found[1]) {
				err = errors.Join(err, fmt.Errorf("the placeholder %s is none of {{%s}}", found[0], strings.Join(placeholders, "}}, {{")))
			}
			w.used[found[1]] = true
		}
		return text
	})
	return err
}

// fill returns the graph with the values of a request.
func (w Workflow) fill(r remote.Request, image string) any {
	values := map[string]any{
		prompt: r.Prompt, negative: r.Negative, width: r.Width, height: r.Height, seconds: r.Seconds, frames: r.Seconds*w.rate + 1, rate: w.rate,
		seed: r.Seed, picture: image,
	}
	return visit(w.nodes, func(text string) any {
		if m := placeholder.FindStringSubmatch(text); m != nil && m[0] == text {
			return values[m[1]]
		}
		return placeholder.ReplaceAllStringFunc(text, func(found string) string { return fmt.Sprint(values[strings.Trim(found, "{}")]) })
	})
}

// visit returns a copy of a JSON value in which change has replaced the strings.
func visit(value any, change func(string) any) any {
	switch v := value.(type) {
	case string:
		return change(v)
	case []any:
		list := make([]any, len(v))
		for i, element := range v {
			list[i] = visit(element, change)
		}
		return list
	case map[string]any:
		object := make(map[string]any, len(v))
		for key, element := range v {
			object[key] = visit(element, change)
		}
		return object
	default:
		return v
	}
}
