package api

import (
	"context"
	"io"
	"net/http"
	"time"

	"github.com/labstack/echo/v4"
)

// A client that keeps pace has UploadTimeout for an upload or a download. One that stands still for RequestTimeout is cut
// off, so that it does not hold a connection, a temporary file and a place among the uploads for long.

// pace moves the deadlines of a connection.
type pace struct {
	control *http.ResponseController
	// still is how long nothing may move; end is when all must be over.
	still time.Duration
	end   time.Time
}

// next is the deadline of the next read or write. Writers that know no deadlines, in tests, need none.
func (p *pace) next() time.Time {
	next := time.Now().Add(p.still)
	if next.After(p.end) {
		return p.end
	}
	return next
}

// requestBody is the body of a request: it knows whether it was read to its end.
type requestBody struct {
	io.ReadCloser
	pace  *pace
	begun bool
	err   error
}

func (b *requestBody) Read(p []byte) (int, error) {
	// Once the body has ended the server reads ahead on the connection: a deadline would then cancel the request.
	if b.err != nil {
		return 0, b.err
	}
	if b.pace != nil {
		_ = b.pace.control.SetReadDeadline(b.pace.next())
	}
	b.begun = true
	n, err := b.ReadCloser.Read(p)
	b.err = err
	return n, err
}

// pacedWriter moves the deadline before each write, and before what the server flushes after the last one.
type pacedWriter struct {
	http.ResponseWriter
	pace *pace
}

func (w *pacedWriter) WriteHeader(status int) {
	_ = w.pace.control.SetWriteDeadline(w.pace.next())
	w.ResponseWriter.WriteHeader(status)
}

func (w *pacedWriter) Write(p []byte) (int, error) {
	_ = w.pace.control.SetWriteDeadline(w.pace.next())
	return w.ResponseWriter.Write(p)
}

// Unwrap is for http.ResponseController.
func (w *pacedWriter) Unwrap() http.ResponseWriter { return w.ResponseWriter }

// transfer is for uploads and downloads.
func (s *Server) transfer(next echo.HandlerFunc) echo.HandlerFunc {
	within := timeout(s.Config.UploadTimeout)(next)
	return func(c echo.Context) error {
		writer := c.Response().Writer
		p := &pace{
			control: http.NewResponseController(writer), still: s.Config.RequestTimeout, end: time.Now().Add(s.Config.UploadTimeout + answerTime),
		}
		if body, found := c.Get(contextBody).(*requestBody); found {
			body.pace = p
		}
		c.Response().Writer = &pacedWriter{ResponseWriter: writer, pace: p}
		return within(c)
	}
}

// timeout ends the context of a request after d; what it calls gives up then.
func timeout(d time.Duration) echo.MiddlewareFunc {
	return func(next echo.HandlerFunc) echo.HandlerFunc {
		return func(c echo.Context) error {
			ctx, cancel := context.WithTimeout(c.Request().Context(), d)
			defer cancel()
			c.SetRequest(c.Request().WithContext(ctx))
			return next(c)
		}
	}
}
