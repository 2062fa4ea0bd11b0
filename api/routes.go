package api

import (
	_ "embed"
	"net/http"
	"runtime/debug"

	"github.com/labstack/echo/v4"
	"github.com/prometheus/client_golang/prometheus/promhttp"

	"plait/internal/pipeline"
)

//go:embed openapi.yaml
var openAPI []byte

func (s *Server) route() {
	e := s.echo
	e.Use(s.requestID, secureHeaders, s.observe, s.recoverPanic, watchBody)
	e.RouteNotFound("/*", func(echo.Context) error { return pipeline.NewError(pipeline.CodeNotFound, "no such resource") })

	open := e.Group("")
	get(open, "/healthz", func(c echo.Context) error { return c.NoContent(http.StatusNoContent) })
	get(open, "/readyz", s.ready)
	get(open, "/metrics", echo.WrapHandler(promhttp.HandlerFor(s.Registry, promhttp.HandlerOpts{})))
	get(open, "/openapi.yaml", func(c echo.Context) error { return c.Blob(http.StatusOK, "application/yaml", openAPI) })

	keyed := e.Group(v1, s.admit, s.authenticate)
	quick := timeout(s.Config.RequestTimeout)
	keyed.POST("/blobs", s.createBlob, s.limitUploads, s.transfer, allowQuery())
	keyed.POST(translations, s.createTask, s.limitUploads, s.transfer, allowQuery())
	get(keyed, translations, s.listTasks, quick, allowQuery("status", "limit", "after", "idempotency_key"))
	get(keyed, translations+"/:id", s.getTask, quick, allowQuery())
	keyed.DELETE(translations+"/:id", s.deleteTask, quick, allowQuery())
	get(keyed, translations+"/:id/result", s.getResult, s.transfer, allowQuery())
	get(keyed, translations+"/:id/script", s.getScript, s.transfer, allowQuery("format"))
	get(keyed, translations+"/:id/pages/:page", s.getPage, quick, allowQuery())
	get(keyed, translations+"/:id/pages/:page/image", s.getPageImage, s.transfer, allowQuery())
	get(keyed, translations+"/:id/pages/:page/original", s.getPageOriginal, s.transfer, allowQuery())
}

// get routes GET, and HEAD, whose body the server leaves away.
func get(g *echo.Group, path string, h echo.HandlerFunc, m ...echo.MiddlewareFunc) {
	g.GET(path, h, m...)
	g.HEAD(path, h, m...)
}

// secureHeaders keeps a browser from guessing at, running or framing what it is given.
func secureHeaders(next echo.HandlerFunc) echo.HandlerFunc {
	return func(c echo.Context) error {
		h := c.Response().Header()
		h.Set("X-Content-Type-Options", "nosniff")
		h.Set("Content-Security-Policy", "default-src 'none'; frame-ancestors 'none'; sandbox")
		h.Set("Cross-Origin-Resource-Policy", "same-origin")
		h.Set("Cache-Control", "no-store")
		return next(c)
	}
}

// recoverPanic turns a panic into an INTERNAL answer and a log line; one bad request does not end the server.
func (s *Server) recoverPanic(next echo.HandlerFunc) echo.HandlerFunc {
	return func(c echo.Context) (err error) {
		defer func() {
			p := recover()
			if p == nil {
				return
			}
			if p == http.ErrAbortHandler { //nolint:errorlint // net/http compares it so
				panic(p)
			}
			s.metrics.panics.Inc()
			s.Log.Error("panic in a request", "request_id", requestIDOf(c), "panic", p, "stack", string(debug.Stack()))
			err = pipeline.NewError(pipeline.CodeInternal, "internal error")
		}()
		return next(c)
	}
}
