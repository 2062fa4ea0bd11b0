package fetch

import (
	"errors"
	"io"
	"net/http"
	"strconv"
	"time"
)

// content reads the body of an answer within the limits.
type content struct {
	*exchange
	body io.ReadCloser
	// left is the number of bytes that may still be read, of max.
	left, max int64
	// received is the number of bytes, and waited the time spent waiting for them, in the current window.
	received int64
	waited   time.Duration
	err      error
}

// Read implements io.Reader. Time that the caller spends between reads does not count.
func (c *content) Read(p []byte) (int, error) {
	if c.err != nil {
		return 0, c.err
	}
	if int64(len(p))-1 > c.left { // one byte more than is left, to detect excess content
		p = p[:c.left+1]
	}
	n, err := c.wait(p)
	if c.left -= int64(n); c.left < 0 {
		c.err = c.tooLarge(c.max)
		return 0, c.err
	}
	switch {
	case err == nil:
	case errors.Is(err, io.EOF):
		c.err = io.EOF
	default:
		c.err = c.explain(err)
	}
	return n, c.err
}

// wait reads once. It ends the exchange when the server does not send enough in a window.
func (c *content) wait(p []byte) (int, error) {
	window := c.config.RateWindow
	enough := int64(float64(c.config.MinRate) * window.Seconds())
	patience := window - c.waited
	if c.received >= enough {
		patience += window // what has arrived is enough for this window: the next one counts
	}
	if enough > 0 {
		timer := time.AfterFunc(patience, func() { c.cancel(errSlow) })
		defer timer.Stop()
	}
	asked := time.Now()
	n, err := c.body.Read(p)
	c.received += int64(n)
	c.waited += time.Since(asked)
	if c.waited < window {
		return n, err
	}
	if c.received < enough && err == nil {
		c.cancel(errSlow)
		err = errSlow
	}
	c.received, c.waited = 0, 0
	return n, err
}

// Close ends the exchange.
func (c *content) Close() error {
	c.cancel(nil)
	return c.body.Close()
}

// statusText is the code of an answer with its standard meaning, never the text of the server.
func statusText(code int) string { return strconv.Itoa(code) + " " + http.StatusText(code) }
