package hostapi

import (
	"crypto/sha256"
	"encoding/json"
	"errors"
	"io"
	"net/http"

	comicsteps "plait/activities/comic"
	"plait/internal/core"
)

// maxTextBytes bounds the content of a request other than the image.
const maxTextBytes = 4 << 20

// rendering is the request of render.
type rendering struct {
	TaskID       string             `json:"task_id"`
	ImageHash    core.BlobRef       `json:"image_hash"`
	Translations []core.Translation `json:"translated_regions"`
	models
}

func (s *Server) render(c *call) error {
	in, err := readRendering(c.request)
	if err != nil {
		return err
	}
	c.headers.models = &in.models
	entry, err := comicsteps.FindContext(c.Contexts, in.TaskID, in.ImageHash, in.Translations)
	if err != nil {
		return err
	}
	defer entry.Memory.Release()
	c.headers.regions = entry.Regions
	image, report, err := c.Device.Render(c.request.Context(), c.headers.stage, entry.Value, in.Translations)
	c.headers.elapsed = core.ElapsedMS{"render": report.Elapsed["total"]}
	if err != nil {
		return err
	}
	c.headers.changed = core.NewBlobRef(sha256.Sum256(image)) != in.ImageHash
	if c.send(contentTypeOfResults, image) == nil {
		// The context is kept until here: a caller that did not get its page may ask again.
		c.Contexts.Drop(in.TaskID)
	}
	return nil
}

func readRendering(r *http.Request) (in rendering, err error) {
	d := json.NewDecoder(http.MaxBytesReader(nil, r.Body, maxTextBytes))
	if err := d.Decode(&in); err != nil {
		return in, unreadable(err, "the body is not a JSON object of the contract")
	}
	if _, err := d.Token(); !errors.Is(err, io.EOF) {
		return in, unreadable(err, "more follows the JSON object")
	}
	return in, nil
}

// unreadable is the error of a request that cannot be read; a body that is too large keeps its own error.
func unreadable(err error, message string) error {
	var tooLarge *http.MaxBytesError
	if errors.As(err, &tooLarge) {
		return err
	}
	return core.Wrap(core.CodeRenderInputInvalid, err, message)
}
