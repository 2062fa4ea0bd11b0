// Package videoclient is the client of the API of videos.
package videoclient

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"strings"

	"plait/api/client"
	"plait/api/client/progress"
	"plait/api/schema"
	videoschema "plait/api/video/schema"
	"plait/internal/core"
	"plait/internal/files"
	"plait/internal/video"
)

// Client is a client of the API with the requests of videos.
type Client struct{ *client.Client }

const root = "/v1" + videoschema.Path

// Create submits a request and returns its task. The same idempotency key gives the same task; an empty one is none.
func (c Client) Create(ctx context.Context, r videoschema.Request, idempotencyKey string) (schema.Task, error) {
	body, err := json.Marshal(r)
	if err != nil {
		return schema.Task{}, fmt.Errorf("encode the request: %w", err)
	}
	var accepted videoschema.Accepted
	if err := c.Post(ctx, root, idempotencyKey, body, &accepted); err != nil {
		return schema.Task{}, err
	}
	return c.Task(ctx, accepted.Output.TaskID)
}

// ImageURI returns the content of an image file, of at most so many bytes, as a URI for a request.
func ImageURI(path string, most int64) (string, error) {
	b, err := files.Read(path, most)
	switch {
	case err != nil:
		return "", err
	case int64(len(b)) > most:
		return "", core.Errorf(core.CodeTooLarge, "the image has more than %d bytes", most)
	}
	kind := http.DetectContentType(b)
	if !strings.HasPrefix(kind, "image/") {
		kind = "image/png" // the server looks at the content
	}
	return "data:" + kind + ";base64," + base64.StdEncoding.EncodeToString(b), nil
}

// State reads the state of a video.
func (c Client) State(ctx context.Context, id string) (a videoschema.Answer, err error) {
	return a, c.Get(ctx, root+"/"+url.PathEscape(id), &a)
}

// Delete withdraws a video that waits, or deletes one that has ended.
func (c Client) Delete(ctx context.Context, id string) (d videoschema.Deleted, err error) {
	return d, c.Do(ctx, http.MethodDelete, root+"/"+url.PathEscape(id), nil, &d)
}

// Progress returns the words for videos.
func Progress() progress.Kind {
	return progress.Kind{
		Noun: "video",
		Heading: func(t schema.Task) string {
			o := videoschema.TaskOf(t).Options
			if o.Type == video.VideoUpscale {
				return fmt.Sprintf("%s, %d times wider and higher", o.Model, o.Scale)
			}
			return fmt.Sprintf("%s, %dx%d, %d seconds", o.Model, o.Width, o.Height, o.Duration)
		},
		Total: func(schema.Task) int { return 100 },
		Stages: []progress.Stage{{Name: "Percent", Count: func(t schema.Task) int {
			if t.Progress.Done > 0 {
				return 100
			}
			return videoschema.TaskOf(t).Details.Percent
		}}},
		Outcome: func(schema.Item) string { return "made" },
		Summary: func(t schema.Task) []string {
			o := videoschema.TaskOf(t).Options
			if o.Type == video.VideoUpscale {
				return []string{fmt.Sprintf("%s, %d times wider and higher", o.Model, o.Scale)}
			}
			return []string{fmt.Sprintf("%s %dx%d, %d seconds, seed %d", o.Model, o.Width, o.Height, o.Duration, o.Seed)}
		},
	}
}
