package client

import (
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"mime/multipart"
	"net/http"
	"slices"
	"strconv"

	"plait/api/schema"
	"plait/internal/files"
)

// File is one file of a request.
type File struct {
	Name string
	Open func() (io.ReadCloser, error)
}

// FilesOf converts local files into files of a request.
func FilesOf(list []files.Page) []File {
	of := make([]File, len(list))
	for i, p := range list {
		of[i] = File{Name: p.Name, Open: p.Open}
	}
	return of
}

// Request is a request for a task of any kind.
type Request struct {
	// Path is the path of the kind, such as /comic/translations.
	Path string
	// Title may be empty. Priority is from 1 (highest) to 5; 0 is the default.
	Title    string
	Priority int
	// Fields are text fields of the kind, and Contents are fields sent as parts of the form; empty ones are not sent.
	Fields   map[string]string
	Contents map[string][]byte
	// Secrets are text fields that do not distinguish the request from another one.
	Secrets map[string]string
	Files   []File
	// URLs are files that the server fetches, in addition to Files.
	URLs []string
	// CallbackURL is told of the end of the task; it may be empty.
	CallbackURL string
	// IdempotencyKey makes a repetition of the request return the first task; when it is empty, every request creates a task.
	IdempotencyKey string
}

// Create posts a request. It streams the files and opens one at a time. The same idempotency key gives the same task.
func (c *Client) Create(ctx context.Context, r Request) (schema.Task, error) {
	body, pipe := io.Pipe()
	form := multipart.NewWriter(pipe)
	header := http.Header{
		"Content-Type": {form.FormDataContentType()},
		// With this header the server can refuse the request before the body is sent.
		"Expect": {"100-continue"},
	}
	if r.IdempotencyKey != "" {
		header.Set(schema.HeaderIdempotencyKey, r.IdempotencyKey)
	}
	written := make(chan error, 1)
	go func() {
		err := r.write(form)
		// Close with the error: a form that ended normally would look complete to the server.
		_ = pipe.CloseWithError(err)
		written <- err
	}()

	resp, err := c.do(ctx, http.MethodPost, "/v1"+r.Path, header, body)
	// The server may answer before it has read the whole body: closing the reader makes the writer stop.
	_ = body.CloseWithError(errStopped)
	writeErr := <-written
	if err == nil {
		defer drain(resp)
		var task schema.Task
		return task, c.decode(resp, &task)
	}
	if writeErr == nil || errors.Is(writeErr, errStopped) || errors.Is(writeErr, io.ErrClosedPipe) {
		return schema.Task{}, err
	}
	return schema.Task{}, writeErr // a file could not be read, which aborted the exchange
}

var errStopped = errors.New("the server stopped reading")

func (r Request) write(form *multipart.Writer) error {
	fields := map[string]string{schema.FieldTitle: r.Title, schema.FieldCallbackURL: r.CallbackURL}
	maps.Copy(fields, r.Fields)
	maps.Copy(fields, r.Secrets)
	if r.Priority != 0 {
		fields[schema.FieldPriority] = strconv.Itoa(r.Priority)
	}
	for _, name := range slices.Sorted(maps.Keys(fields)) {
		if fields[name] == "" {
			continue
		}
		if err := form.WriteField(name, fields[name]); err != nil {
			return err
		}
	}
	for _, u := range r.URLs {
		if err := form.WriteField(schema.FieldURL, u); err != nil {
			return err
		}
	}
	for _, name := range slices.Sorted(maps.Keys(r.Contents)) {
		if err := writePart(form, name, r.Contents[name]); err != nil {
			return err
		}
	}
	for _, f := range r.Files {
		if err := f.write(form); err != nil {
			return fmt.Errorf("%s: %w", f.Name, err)
		}
	}
	return form.Close()
}

// writePart writes a part of the form; it skips a part without content.
func writePart(form *multipart.Writer, field string, content []byte) error {
	if len(content) == 0 {
		return nil
	}
	w, err := form.CreateFormFile(field, field)
	if err != nil {
		return err
	}
	_, err = w.Write(content)
	return err
}

func (f File) write(form *multipart.Writer) error {
	in, err := f.Open()
	if err != nil {
		return err
	}
	defer func() { _ = in.Close() }() // read-only
	w, err := form.CreateFormFile(schema.FieldFile, f.Name)
	if err != nil {
		return err
	}
	_, err = io.Copy(w, in)
	return err
}
