package client

import (
	"context"
	"errors"
	"fmt"
	"io"
	"mime/multipart"
	"net/http"
	"strconv"

	"plait/api/schema"
	"plait/internal/core"
)

// File is one file of a request: an archive or a page.
type File struct {
	Name string
	Open func() (io.ReadCloser, error)
}

// Request asks for a translation.
type Request struct {
	From, To   string
	Mode       core.Mode
	Title      string
	Translator string
	Files      []File
	Script     []byte
	// Glossary is a table or a list of entries, as package glossary reads it.
	Glossary []byte
	Synopsis string
	// Priority is 1, which goes first, to 5; 0 is the default.
	Priority       int
	IdempotencyKey string
}

// Create posts a request. Files are streamed, and opened one at a time; the same idempotency key gives the same task.
func (c *Client) Create(ctx context.Context, r Request) (schema.Task, error) {
	body, pipe := io.Pipe()
	form := multipart.NewWriter(pipe)
	header := http.Header{
		"Content-Type": {form.FormDataContentType()},
		// A server that refuses says so before anything is sent.
		"Expect": {"100-continue"},
	}
	if r.IdempotencyKey != "" {
		header.Set(schema.HeaderIdempotencyKey, r.IdempotencyKey)
	}
	written := make(chan error, 1)
	go func() {
		err := r.write(form)
		// A form that broke off has no end, or the server would take it for whole.
		_ = pipe.CloseWithError(err)
		written <- err
	}()

	resp, err := c.do(ctx, http.MethodPost, root, header, body)
	// The server may answer before it has read everything: the writer ends when its reader is closed.
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
	return schema.Task{}, writeErr // a file could not be read, and so the exchange broke off
}

var errStopped = errors.New("the server stopped reading")

func (r Request) write(form *multipart.Writer) error {
	fields := [][2]string{
		{schema.FieldFrom, r.From},
		{schema.FieldTo, r.To},
		{schema.FieldMode, string(r.Mode)},
		{schema.FieldTitle, r.Title},
		{schema.FieldTranslator, r.Translator},
		{schema.FieldSynopsis, r.Synopsis},
	}
	if r.Priority != 0 {
		fields = append(fields, [2]string{schema.FieldPriority, strconv.Itoa(r.Priority)})
	}
	for _, f := range fields {
		if f[1] == "" {
			continue
		}
		if err := form.WriteField(f[0], f[1]); err != nil {
			return err
		}
	}
	if err := writePart(form, schema.FieldScript, r.Script); err != nil {
		return err
	}
	if err := writePart(form, schema.FieldGlossary, r.Glossary); err != nil {
		return err
	}
	for _, f := range r.Files {
		if err := f.write(form); err != nil {
			return fmt.Errorf("%s: %w", f.Name, err)
		}
	}
	return form.Close()
}

// writePart writes nothing for a part without content.
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
	defer func() { _ = in.Close() }() // it was only read
	w, err := form.CreateFormFile(schema.FieldFile, f.Name)
	if err != nil {
		return err
	}
	_, err = io.Copy(w, in)
	return err
}
