package client

import (
	"context"
	"errors"
	"io"
	"net/http"
	"os"

	"plait/api/schema"
	"plait/internal/files"
)

// Upload stores a file as a blob that a request can name, and streams it.
func (c *Client) Upload(ctx context.Context, content io.Reader) (b schema.Blob, err error) {
	header := http.Header{"Content-Type": {"application/octet-stream"}, "Expect": {"100-continue"}}
	resp, err := c.do(ctx, http.MethodPost, "/v1/blobs", header, content)
	if err != nil {
		return b, err
	}
	defer drain(resp)
	return b, c.decode(resp, &b)
}

// UploadFile uploads a file by its path. An error that concerns the file names it.
func (c *Client) UploadFile(ctx context.Context, path string) (schema.Blob, error) {
	f, err := os.Open(path)
	if err != nil {
		return schema.Blob{}, files.Plain(err)
	}
	content := &fileReader{Reader: f}
	b, err := c.Upload(ctx, content)
	if content.err != nil {
		return b, errors.Join(files.Plain(content.err), f.Close())
	}
	return b, files.In(path, errors.Join(err, f.Close()))
}

// fileReader keeps the error of a file, which the exchange would report as one of the server.
type fileReader struct {
	io.Reader
	err error
}

func (r *fileReader) Read(p []byte) (int, error) {
	n, err := r.Reader.Read(p)
	if err != nil && !errors.Is(err, io.EOF) {
		r.err = err
	}
	return n, err
}
