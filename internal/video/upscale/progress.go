package upscale

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"

	"plait/internal/blob"
	"plait/internal/core"
	"plait/internal/video/window"
)

// Progress is how far a run has come: a point after a segment. It is small enough for a row or a heartbeat.
type Progress struct {
	// Job identifies the source, the model and the settings that the result depends on.
	Job string `json:"job"`
	// Frames and Windows are how many were written, of Total frames.
	Frames  int `json:"frames"`
	Windows int `json:"windows"`
	Total   int `json:"total"`
	// State is the blob of the state of the model, Segments that of the list of segments so far.
	State    core.BlobRef `json:"state"`
	Segments core.BlobRef `json:"segments"`
}

// Bounds of blobs.
const (
	maxSegment = 1 << 30
	maxState   = 16 << 30
	maxList    = 64 << 20
)

// identity returns what the result depends on, as a hash: the bytes of the source, the model, the size and the quality.
func identity(source io.Reader, m window.Manifest, size window.Size, quality int) (string, error) {
	sum := sha256.New()
	if _, err := io.Copy(sum, source); err != nil {
		return "", fmt.Errorf("read the video: %w", err)
	}
	model, err := json.Marshal(m)
	if err != nil {
		return "", err
	}
	sum.Write(model)
	for _, content := range m.Contents() {
		of := sha256.Sum256(content)
		sum.Write(of[:])
	}
	fmt.Fprint(sum, size, quality)
	return hex.EncodeToString(sum.Sum(nil)), nil
}

// Blobs lists what the progress needs: its state and its list of segments, and the segments in order.
func (p Progress) Blobs(ctx context.Context, store blob.Store) (own, segments []core.BlobRef, err error) {
	segments, err = p.segments(ctx, store)
	return []core.BlobRef{p.State, p.Segments}, segments, err
}

func (p Progress) segments(ctx context.Context, store blob.Store) (segments []core.BlobRef, err error) {
	text, err := store.Read(ctx, p.Segments, maxList)
	if err != nil {
		return nil, err
	}
	if err := json.Unmarshal(text, &segments); err != nil {
		return nil, core.Wrap(core.CodeBlobCorrupt, err, "the list of segments cannot be read")
	}
	return segments, nil
}

// load returns the segments and the checkpoint of a progress.
func (p Progress) load(ctx context.Context, store blob.Store) ([]core.BlobRef, *window.Checkpoint, error) {
	segments, err := p.segments(ctx, store)
	if err != nil {
		return nil, nil, err
	}
	state, size, err := store.Open(ctx, p.State)
	if err != nil {
		return nil, nil, err
	}
	defer state.Close()
	checkpoint, err := window.DecodeCheckpoint(state, size)
	return segments, &checkpoint, err
}

// save stores a checkpoint and the list of segments, and returns the progress that names them.
func (p Progress) save(ctx context.Context, store blob.Store, segments []core.BlobRef, c window.Checkpoint) (Progress, error) {
	r, w := io.Pipe()
	go func() { _ = w.CloseWithError(c.Encode(w)) }()
	state, _, err := store.Put(ctx, r, maxState)
	_ = r.CloseWithError(io.ErrClosedPipe) // ends the goroutine if Put did not read to the end
	if err != nil {
		return Progress{}, err
	}
	text, err := json.Marshal(segments)
	if err != nil {
		return Progress{}, err
	}
	list, _, err := store.Put(ctx, bytes.NewReader(text), maxList)
	if err != nil {
		return Progress{}, err
	}
	p.State, p.Segments, p.Frames, p.Windows = state, list, c.Frame, c.Window
	return p, nil
}
