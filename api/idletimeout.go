package api

import (
	"context"
	"io"
	"net/http"
	"time"

	"github.com/labstack/echo/v4"

	"plait/internal/core"
)

// An upload or a download may take UploadTimeout in total. A client that is idle for RequestTimeout, or sends slower than MinUploadRate,
// is disconnected, so that it does not occupy a connection, a temporary file and an upload slot for long.

// transferLimits extends the deadlines of a connection while a body is transferred.
type transferLimits struct {
	control *http.ResponseController
	// idle is the longest time without progress; end is the deadline of the whole transfer.
	idle time.Duration
	end  time.Time
	// rate is the fewest bytes a second that a client must send, averaged over windows of length idle; 0 means no bound.
	rate int64
	// received is the number of bytes, and waited the time spent waiting for them, in the current window.
	received int64
	waited   time.Duration
}

// next returns the deadline of the next read or write. Writers without deadlines, as in tests, ignore it.
func (l *transferLimits) next() time.Time {
	next := time.Now().Add(l.idle)
	if next.After(l.end) {
		return l.end
	}
	return next
}

// take counts n bytes and the time spent waiting for them. It fails at the end of a window with too few bytes. Time that the server spends
// between reads does not count.
func (l *transferLimits) take(n int, waited time.Duration) error {
	l.received += int64(n)
	l.waited += waited
	if l.waited < l.idle {
		return nil
	}
	tooFew := float64(l.received) < float64(l.rate)*l.waited.Seconds()
	l.received, l.waited = 0, 0
	if tooFew {
		return withStatus(http.StatusRequestTimeout, core.Errorf(core.CodeInvalidInput,
			"the body came slower than %d bytes per second", l.rate))
	}
	return nil
}

// requestBody is the body of a request; it records whether it was read to its end.
type requestBody struct {
	io.ReadCloser
	limits *transferLimits
	begun  bool
	err    error
}

func (b *requestBody) Read(p []byte) (int, error) {
	// Once the body has ended net/http reads ahead on the connection: a deadline would then cancel the request.
	if b.err != nil {
		return 0, b.err
	}
	b.begun = true
	if b.limits == nil {
		n, err := b.ReadCloser.Read(p)
		b.err = err
		return n, err
	}
	_ = b.limits.control.SetReadDeadline(b.limits.next())
	asked := time.Now()
	n, err := b.ReadCloser.Read(p)
	if slow := b.limits.take(n, time.Since(asked)); err == nil {
		err = slow
	}
	b.err = err
	return n, err
}

// limitedWriter extends the deadline before each write, and before the server's flush after the last write.
type limitedWriter struct {
	http.ResponseWriter
	limits *transferLimits
}

func (w *limitedWriter) WriteHeader(status int) {
	_ = w.limits.control.SetWriteDeadline(w.limits.next())
	w.ResponseWriter.WriteHeader(status)
}

func (w *limitedWriter) Write(p []byte) (int, error) {
	_ = w.limits.control.SetWriteDeadline(w.limits.next())
	return w.ResponseWriter.Write(p)
}

// Unwrap returns the underlying writer, for http.ResponseController.
func (w *limitedWriter) Unwrap() http.ResponseWriter { return w.ResponseWriter }

// transfer is the middleware of uploads and downloads.
func (s *Server) transfer(next echo.HandlerFunc) echo.HandlerFunc {
	within := timeout(s.Config.UploadTimeout)(next)
	return func(c echo.Context) error {
		writer := c.Response().Writer
		l := &transferLimits{
			control: http.NewResponseController(writer), idle: s.Config.RequestTimeout, rate: s.Config.MinUploadRate,
			end: time.Now().Add(s.Config.UploadTimeout + answerTime),
		}
		if body, found := c.Get(contextBody).(*requestBody); found {
			body.limits = l
		}
		c.Response().Writer = &limitedWriter{ResponseWriter: writer, limits: l}
		return within(c)
	}
}

// timeout ends the context of a request after d, so that the handler's calls fail.
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
