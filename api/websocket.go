package api

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/coder/websocket"
	"github.com/labstack/echo/v4"

	"plait/internal/core"
	"plait/internal/events"
)

// webSocket is a stream of JSON messages. What the client sends is not read, but for the closing.
type webSocket struct {
	conn *websocket.Conn
	// ctx ends when the client is gone.
	ctx  context.Context
	idle time.Duration
}

// checkHandshake refuses pages of other sites, which browsers let connect, and handshakes that cannot succeed.
func (s *Server) checkHandshake(r *http.Request) error {
	if origin := r.Header.Get("Origin"); origin != "" && !slices.Contains(s.Config.CORSOrigins, origin) {
		from, err := url.Parse(origin)
		if err != nil || !strings.EqualFold(from.Host, r.Host) {
			return core.NewError(core.CodeForbidden, "pages of this origin may not use the API")
		}
	}
	if r.Header.Get("Sec-WebSocket-Version") != "13" || r.Header.Get("Sec-WebSocket-Key") == "" ||
		!strings.Contains(strings.ToLower(r.Header.Get("Connection")), "upgrade") {
		return core.NewError(core.CodeInvalidInput, "the WebSocket handshake is not one of RFC 6455")
	}
	return nil
}

func openWebSocket(c echo.Context, idle time.Duration) (outlet, error) {
	// checkHandshake has checked the origin.
	conn, err := websocket.Accept(c.Response(), c.Request(), &websocket.AcceptOptions{InsecureSkipVerify: true})
	if err != nil {
		return nil, fmt.Errorf("open a WebSocket: %w", err)
	}
	return &webSocket{conn: conn, ctx: conn.CloseRead(context.WithoutCancel(c.Request().Context())), idle: idle}, nil
}

func (w *webSocket) send(e *events.Event, _ bool) error {
	return w.within(func(ctx context.Context) error { return w.conn.Write(ctx, websocket.MessageText, e.Body) })
}

func (w *webSocket) beat(int64) error { return w.within(w.conn.Ping) }

func (w *webSocket) alive() context.Context { return w.ctx }

// within bounds an operation, which closes the connection when it takes longer.
func (w *webSocket) within(do func(context.Context) error) error {
	ctx, cancel := context.WithTimeout(w.ctx, w.idle)
	defer cancel()
	return do(ctx)
}

func (w *webSocket) close(reason error) {
	how := closeOf(reason)
	_ = w.conn.Close(how.code, how.message) // the client may be gone
}

// closing is how a client is told that its stream ends.
type closing struct {
	code    websocket.StatusCode
	message string
}

func closeOf(reason error) closing {
	switch {
	case reason == nil:
		return closing{websocket.StatusNormalClosure, "the task has ended"}
	case errors.Is(reason, errStopping), errors.Is(reason, events.ErrClosed):
		return closing{websocket.StatusGoingAway, errStopping.Error()}
	case errors.Is(reason, errKeyInvalid):
		return closing{websocket.StatusPolicyViolation, errKeyInvalid.Error()}
	case errors.Is(reason, events.ErrBehind):
		return closing{websocket.StatusTryAgainLater, "the client reads too slowly; connect again to resume"}
	case core.CodeOf(reason) == core.CodeNotFound:
		return closing{websocket.StatusNormalClosure, "the task was deleted"}
	default:
		return closing{websocket.StatusTryAgainLater, "the events cannot be read at the moment; connect again to resume"}
	}
}
