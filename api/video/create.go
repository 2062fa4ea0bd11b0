package videoapi

import (
	"bytes"
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
	"plait/tasks"
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
	image, source := body.Input.Image, body.Input.Video
	body.Input.Image, body.Input.Video = "", ""
	hash, err := hashOf(body, image, source)
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
	if source != "" {
		file, done, err := videoOf(r, source)
		if err != nil {
			return err
		}
		defer done()
		in.Video = &file
	}
	plan, err := v.service.Plan(ctx, in)
	if err != nil {
		return err
	}
	plan.RequestHash = hash
	t, _, err := r.Accept(ctx, plan)
	return v.accepted(r, t, err)
}

// estimate answers what a request for a video would cost and take. Nothing is kept, and its files are not looked at.
func (v videos) estimate(r *api.Request) error {
	var body videoschema.Request
	if err := r.DecodeJSON(maxBody, &body); err != nil {
		return err
	}
	in := requestOf(body)
	in.Tenant = r.Tenant
	e, err := v.service.Estimate(r.Context.Request().Context(), in)
	if err != nil {
		return err
	}
	return r.JSON(http.StatusOK, videoschema.Estimated{RequestID: r.ID(), Output: videoschema.Estimate{
		Model: e.Model, Resolution: e.Resolution, Duration: e.Duration, Price: video.Amount(e.PriceMicros),
		ProcessingSeconds: e.Processing.Seconds(), QueuePosition: e.Position, EstimatedStart: utc(e.Start),
	}})
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
	in := videotasks.Request{Model: body.Model, Type: body.Type}
	if body.Input != nil {
		in.Prompt, in.NegativePrompt = body.Input.Prompt, body.Input.NegativePrompt
	}
	if p := body.Parameters; p != nil {
		in.Resolution, in.Duration, in.PromptExtend, in.Watermark, in.Seed = p.Resolution, p.Duration, p.PromptExtend, p.Watermark, p.Seed
		in.Scale = p.Scale
	}
	return in
}

// hashOf identifies a request among those with its idempotency key. It covers the URLs of files and not what the URLs lead to.
func hashOf(body videoschema.Request, image, source string) (string, error) {
	rest, err := json.Marshal(body)
	if err != nil {
		return "", fmt.Errorf("describe the request: %w", err)
	}
	sum := sha256.New()
	_, _ = fmt.Fprintf(sum, "%d\n%s\n", len(rest), rest) // a hash does not fail
	_, _ = sum.Write([]byte(image + source))             // a request has one of them
	return hex.EncodeToString(sum.Sum(nil)), nil
}

// The fields of files.
const (
	fieldImage = "input.image"
	fieldVideo = "input.video"
)

// imageOf returns the content of an image that is given by URL or as data; nil for none.
func imageOf(ctx context.Context, r *api.Request, text string) ([]byte, error) {
	if text == "" {
		return nil, nil
	}
	if isData(text) {
		return dataOf(fieldImage, "image/", text)
	}
	return r.Fetch(ctx, fieldImage, text, videotasks.MaxImageBytes)
}

// videoOf returns a video that is given by URL, as the blob of an upload, or as data.
func videoOf(r *api.Request, text string) (file tasks.Upload, done func(), err error) {
	if !isData(text) {
		return r.Open(fieldVideo, text)
	}
	b, err := dataOf(fieldVideo, "video/", text)
	return tasks.Upload{Name: fieldVideo, File: bytes.NewReader(b), Size: int64(len(b))}, func() {}, err
}

const scheme = "data:"

func isData(text string) bool {
	return len(text) >= len(scheme) && strings.EqualFold(text[:len(scheme)], scheme)
}

// dataOf decodes the content of a field, which is of a media type that begins so. It fails with INVALID_INPUT and TOO_LARGE.
func dataOf(field, media, text string) ([]byte, error) {
	head, data, found := strings.Cut(text[len(scheme):], ",")
	kind, isBase64 := strings.CutSuffix(strings.ToLower(head), ";base64")
	if !found || !isBase64 || !strings.HasPrefix(kind, media) {
		return nil, core.Errorf(core.CodeInvalidInput, "%s is neither a URL nor data:%s…;base64,…", field, media)
	}
	if base64.StdEncoding.DecodedLen(len(data)) > videotasks.MaxImageBytes+3 {
		return nil, core.Errorf(core.CodeTooLarge, "%s has more than %d bytes", field, videotasks.MaxImageBytes)
	}
	b, err := base64.StdEncoding.DecodeString(data)
	if err != nil {
		return nil, core.Wrap(core.CodeInvalidInput, err, field+" is not base64")
	}
	return b, nil
}
