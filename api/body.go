package api

import (
	"io"
	"net/http"
	"time"

	"github.com/labstack/echo/v4"
)

const contextBody = "body"

// watchBody lets answerError know whether a body is left unread. It works on a copy of the request: the server looks at the
// body of its own one to find out that a client is still sending, and then lets it read the answer before it closes.
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

// bodyLeft reports whether the client may still be sending.
func bodyLeft(c echo.Context) bool {
	body, found := c.Get(contextBody).(*requestBody)
	return found && body.err != io.EOF //nolint:errorlint // a reader's end is the bare io.EOF
}

// lingerTime is for a client that is still sending to come to read its answer.
const lingerTime = 2 * time.Second

// linger sends the answer, and lets the client go on sending until it has read it. A connection that is closed on a client
// that sends is reset, and the answer lost with it.
func linger(c echo.Context) error {
	body, found := c.Get(contextBody).(*requestBody)
	if !found || !body.begun && c.Request().Header.Get("Expect") != "" { // it sends when it is told to, and it was not
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
