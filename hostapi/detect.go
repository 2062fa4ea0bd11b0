package hostapi

import (
	"context"
	"encoding/json"
	"net/http"

	comicsteps "plait/activities/comic"
	"plait/internal/comic"
	"plait/internal/core"
	"plait/internal/lease"
)

// detection is the answer of detect.
type detection struct {
	// TaskID names the detect context; it is empty when the page has no text and therefore no context.
	TaskID       string         `json:"task_id"`
	TTLSeconds   int            `json:"ttl_seconds"`
	ImageHash    core.BlobRef   `json:"image_hash"`
	RegionsCount int            `json:"regions_count"`
	Regions      []comic.Region `json:"regions"`
	FromLang     string         `json:"from_lang"`
	Elapsed      core.ElapsedMS `json:"elapsed_ms"`
}

func (s *Server) detect(c *call) error {
	// Checked before any of the image is read: without room for a context, the request fails anyway.
	if !c.Contexts.ClaimNow() {
		return core.NewError(core.CodeNotReady, "the host has no room for another detect context; try again in a moment")
	}
	defer c.Contexts.Unclaim(lease.Ordinary, true)
	in, err := s.readForm(c.request)
	if err != nil {
		return err
	}
	kept, found, err := c.found(c.request.Context(), in)
	if err != nil {
		return err
	}
	defer kept.Memory.Release()
	answer := detection{
		TTLSeconds: int(c.Contexts.TTL().Seconds()), ImageHash: in.hash, RegionsCount: len(found.Regions),
		Regions: found.Regions, FromLang: found.FromLang, Elapsed: found.Elapsed,
	}
	if len(found.Regions) == 0 {
		answer.Regions = []comic.Region{}
	} else {
		kept.ImageHash, kept.Regions = in.hash, len(found.Regions)
		answer.TaskID = c.Contexts.Put(lease.Entry{Value: kept, Memory: kept.Memory})
	}
	body, err := json.Marshal(answer)
	if err != nil {
		return err
	}
	c.headers.elapsed = core.ElapsedMS{"detect": found.Elapsed["detect"], "ocr": found.Elapsed["ocr"]}
	if err := c.send("application/json", body); err != nil {
		// The caller did not get the task id, so no render can use the context.
		c.Contexts.Drop(answer.TaskID)
	}
	return nil
}

// found runs detect on the device.
func (c *call) found(ctx context.Context, in *form) (comicsteps.Context, comic.DetectOutput, error) {
	kept, found, err := c.Device.Detect(ctx, c.headers.stage, in.image, in.options)
	c.headers.regions = len(found.Regions)
	return kept, found, err
}

// send writes a complete answer. An error means that the caller has disconnected; it is not reported further.
func (c *call) send(contentType string, body []byte) error {
	h := c.w.Header()
	c.headers.write(h, false)
	h.Set("Content-Type", contentType)
	h.Set("Cache-Control", "no-store")
	if _, err := c.w.Write(body); err != nil {
		return err
	}
	return http.NewResponseController(c.w).Flush()
}
