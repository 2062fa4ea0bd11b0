package client

import (
	"context"
	"io"
	"net/http"

	"plait/api/schema"
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
