package api

import (
	"io"
	"net/http"
	"time"

	"github.com/labstack/echo/v4"
)

const contextBody = "body"

// watchBody records how far the body has been read, for answerError. It wraps the body in a copy of the request: net/http inspects the
// body of the original request to detect a client that is still sending, and then lets the client read the answer before it closes the
// connection.
func watchBody(next echo.HandlerFunc) echo.HandlerFunc {
	return func(c echo.Context) error {
		if req := c.Request(); req.ContentLength != 0 {
			body := &requestBody{ReadCloser: req.Body}
			req = req.WithContext(req.Context())
			req.Body = body
			c.SetRequest(req)
			c.Set(contextBody, body)
		}
		return next(c)
	}
}

// bodyLeft reports whether the client may still be sending its body.
func bodyLeft(c echo.Context) bool {
	body, found := c.Get(contextBody).(*requestBody)
	return found && body.err != io.EOF //nolint:errorlint // a reader's end is the bare io.EOF
}

// lingerTime is how long a client that is still sending has to start reading its answer.
const lingerTime = 2 * time.Second

// linger sends the answer and keeps reading the body until the client has read the answer. If the server closed the connection while the
// client sends, TCP would reset it and the client would lose the answer.
func linger(c echo.Context) error {
	body, found := c.Get(contextBody).(*requestBody)
	if !found || !body.begun && c.Request().Header.Get("Expect") != "" { // the client waits for 100 Continue, which was never sent
		return nil
	}
	control := http.NewResponseController(c.Response())
	if err := control.Flush(); err != nil {
		return err
	}
	now := time.Now()
	body.limits = &transferLimits{control: control, idle: lingerTime, end: now.Add(lingerTime)}
	_, err := io.Copy(io.Discard, body)
	return err
}
