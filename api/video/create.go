package videoapi

import (
	"context"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"net/http"
	"strings"

	"plait/api"
	videoschema "plait/api/video/schema"
	"plait/internal/core"
	"plait/internal/records"
	"plait/internal/video"
	videotasks "plait/tasks/video"
)

// maxBody is enough for the largest image in base64, with the longest prompts.
const maxBody = videotasks.MaxImageBytes/3*4 + 256<<10

// create accepts a request for a video.
func (v videos) create(r *api.Request) error {
	ctx := r.Context.Request().Context()
	key, err := r.IdempotencyKey()
	if err != nil {
		return err
	}
	var body videoschema.Request
	if err := r.DecodeJSON(maxBody, &body); err != nil {
		return err
	}
	if body.Input == nil {
		return core.NewError(core.CodeInvalidInput, "input is missing")
	}
	image := body.Input.Image
	body.Input.Image = ""
	hash, err := hashOf(body, image)
	if err != nil {
		return err
	}
	if t, found, err := r.Repeated(ctx, key, hash); err != nil || found {
		return v.accepted(r, t, err)
	}
	in := requestOf(body)
	in.Tenant, in.IdempotencyKey = r.Tenant, key
	if in.Image, err = imageOf(ctx, r, image); err != nil {
		return err
	}
	plan, err := v.service.Plan(ctx, in)
	if err != nil {
		return err
	}
	plan.RequestHash = hash
	t, _, err := r.Accept(ctx, plan)
	return v.accepted(r, t, err)
}

func (v videos) accepted(r *api.Request, t records.Task, err error) error {
	if err != nil {
		return err
	}
	status := video.StatusQueued
	if t.Status != core.StatusQueued { // a repetition of an earlier request
		found, err := v.records.Video(r.Context.Request().Context(), t.ID)
		if err != nil {
			return err
		}
		status = stateOf(t, found)
	}
	return r.JSON(http.StatusOK, videoschema.Accepted{
		Output: videoschema.Output{Status: status, TaskID: t.ID}, RequestID: r.ID(),
	})
}

func requestOf(body videoschema.Request) videotasks.Request {
	in := videotasks.Request{
		Model: body.Model, Type: body.Type, Prompt: body.Input.Prompt, NegativePrompt: body.Input.NegativePrompt,
	}
	if p := body.Parameters; p != nil {
		in.Resolution, in.Duration, in.PromptExtend, in.Watermark, in.Seed = p.Resolution, p.Duration, p.PromptExtend, p.Watermark, p.Seed
	}
	return in
}

// hashOf identifies a request among those with its idempotency key. It covers the URL of an image and not what the URL leads to.
func hashOf(body videoschema.Request, image string) (string, error) {
	rest, err := json.Marshal(body)
	if err != nil {
		return "", fmt.Errorf("describe the request: %w", err)
	}
	sum := sha256.New()
	_, _ = fmt.Fprintf(sum, "%d\n%s\n", len(rest), rest) // a hash does not fail
	_, _ = sum.Write([]byte(image))
	return hex.EncodeToString(sum.Sum(nil)), nil
}

const fieldImage = "input.image"

// imageOf returns the content of an image that is given by URL or as data; nil for none.
func imageOf(ctx context.Context, r *api.Request, text string) ([]byte, error) {
	if text == "" {
		return nil, nil
	}
	const scheme = "data:"
	if len(text) < len(scheme) || !strings.EqualFold(text[:len(scheme)], scheme) {
		return r.Fetch(ctx, fieldImage, text, videotasks.MaxImageBytes)
	}
	head, data, found := strings.Cut(text[len(scheme):], ",")
	kind, isBase64 := strings.CutSuffix(strings.ToLower(head), ";base64")
	if !found || !isBase64 || !strings.HasPrefix(kind, "image/") {
		return nil, core.NewError(core.CodeInvalidInput, fieldImage+" is neither a URL nor data:image/…;base64,…")
	}
	if base64.StdEncoding.DecodedLen(len(data)) > videotasks.MaxImageBytes+3 {
		return nil, core.Errorf(core.CodeTooLarge, "%s has more than %d bytes", fieldImage, videotasks.MaxImageBytes)
	}
	b, err := base64.StdEncoding.DecodeString(data)
	if err != nil {
		return nil, core.Wrap(core.CodeInvalidInput, err, fieldImage+" is not base64")
	}
	return b, nil
}
