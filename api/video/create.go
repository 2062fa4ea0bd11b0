package videoapi

import (
	"cmp"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"math"
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

// submission is a request for a video whose files are on disk, or are still to be fetched.
type submission struct {
	videotasks.Request
	// hash identifies the request among those with its idempotency key.
	hash string
	// remote are the names of the files that are still to be fetched, by field.
	remote map[string]string
	done   []func()
}

// close frees the files.
func (s *submission) close() {
	for _, done := range s.done {
		done()
	}
}

// The fields of files.
const (
	fieldImage = "input.image"
	fieldVideo = "input.video"
)

// create accepts a request for a video.
func (v videos) create(r *api.Request) error {
	ctx := r.Context.Request().Context()
	key, err := r.IdempotencyKey()
	if err != nil {
		return err
	}
	s := submission{remote: map[string]string{}}
	defer s.close()
	var body videoschema.Request
	if err := r.DecodeJSON(maxBody, &body, func() error { return s.take(r, &body) }); err != nil {
		return err
	}
	if t, found, err := r.Repeated(ctx, key, s.hash); err != nil || found {
		return v.accepted(r, t, err)
	}
	if err := s.fetch(r); err != nil {
		return err
	}
	s.Tenant, s.IdempotencyKey = r.Tenant, key
	plan, err := v.service.Plan(ctx, s.Request)
	if err != nil {
		return err
	}
	plan.RequestHash = s.hash
	t, _, err := r.Accept(ctx, plan)
	return v.accepted(r, t, err)
}

// take reads the fields of a body, and moves its files to the disk.
func (s *submission) take(r *api.Request, body *videoschema.Request) (err error) {
	if body.Input == nil {
		return core.NewError(core.CodeInvalidInput, "input is missing")
	}
	s.Request = requestOf(*body)
	if err := s.CheckPrompts(); err != nil {
		return err
	}
	image, source := body.Input.Image, body.Input.Video
	body.Input.Image, body.Input.Video = "", ""
	if s.hash, err = hashOf(*body, image, source); err != nil {
		return err
	}
	return cmp.Or(s.takeFile(r, fieldImage, "image/", image), s.takeFile(r, fieldVideo, "video/", source))
}

// takeFile takes a file that is given by URL, as the blob of an upload, or as data of a media type that begins so.
func (s *submission) takeFile(r *api.Request, field, media, text string) error {
	if text == "" {
		return nil
	}
	if !isData(text) {
		s.remote[field] = text
		return nil
	}
	content, err := dataOf(field, media, text)
	if err != nil {
		return err
	}
	file, done, err := r.Spool(field, content)
	if core.CodeOf(err) == core.CodeInvalidInput {
		err = core.Wrap(core.CodeInvalidInput, err, field+" is not base64")
	}
	return s.put(field, file, done, err)
}

// fetch gets the files that are not in the request.
func (s *submission) fetch(r *api.Request) error {
	for field, name := range s.remote {
		most := int64(math.MaxInt64)
		if field == fieldImage {
			most = videotasks.MaxImageBytes
		}
		file, done, err := r.Open(field, name, most)
		if err := s.put(field, file, done, err); err != nil {
			return err
		}
	}
	return nil
}

func (s *submission) put(field string, file tasks.Upload, done func(), err error) error {
	if err != nil {
		return err
	}
	s.done = append(s.done, done)
	if field == fieldImage {
		s.Image = &file
	} else {
		s.Video = &file
	}
	return nil
}

// estimate answers what a request for a video would cost and take. Nothing is kept, and its files are not looked at.
func (v videos) estimate(r *api.Request) error {
	var body videoschema.Request
	var in videotasks.Request
	if err := r.DecodeJSON(maxBody, &body, func() error {
		in = requestOf(body)
		return in.CheckPrompts()
	}); err != nil {
		return err
	}
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

const scheme = "data:"

func isData(text string) bool {
	return len(text) >= len(scheme) && strings.EqualFold(text[:len(scheme)], scheme)
}

// dataOf returns the content of a field, which is of a media type that begins so. It fails with INVALID_INPUT and TOO_LARGE.
func dataOf(field, media, text string) (io.Reader, error) {
	head, data, found := strings.Cut(text[len(scheme):], ",")
	kind, isBase64 := strings.CutSuffix(strings.ToLower(head), ";base64")
	if !found || !isBase64 || !strings.HasPrefix(kind, media) {
		return nil, core.Errorf(core.CodeInvalidInput, "%s is neither a URL nor data:%s…;base64,…", field, media)
	}
	if base64.StdEncoding.DecodedLen(len(data)) > videotasks.MaxImageBytes+3 {
		return nil, core.Errorf(core.CodeTooLarge, "%s has more than %d bytes", field, videotasks.MaxImageBytes)
	}
	return base64.NewDecoder(base64.StdEncoding, strings.NewReader(data)), nil
}
