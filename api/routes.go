package api

import (
	_ "embed"
	"net/http"
	"runtime/debug"

	"github.com/labstack/echo/v4"
	"github.com/prometheus/client_golang/prometheus/promhttp"

	"plait/internal/core"
)

//go:embed openapi.yaml
var openAPI []byte

func (s *Server) route() {
	e := s.echo
	e.Use(s.requestID, s.trace, secureHeaders, s.observe, s.recoverPanic, watchBody)
	if len(s.Config.CORSOrigins) > 0 {
		e.Use(crossOrigin(s.Config.CORSOrigins))
	}
	get(e, "/healthz", func(c echo.Context) error { return c.NoContent(http.StatusNoContent) })
	get(e, "/readyz", s.ready)
	get(e, "/metrics", echo.WrapHandler(promhttp.HandlerFor(s.Registry, promhttp.HandlerOpts{})))
	get(e, "/openapi.yaml", func(c echo.Context) error { return c.Blob(http.StatusOK, "application/yaml", openAPI) })
	routeReference(e)
	routePage(e)

	// The group has no middleware: with some, Echo would answer 404 in place of 405.
	group := e.Group(v1)
	quick := timeout(s.Config.RequestTimeout)
	upload := s.keyed(s.requireSpace, s.limitUploads, s.transfer, allowQuery())
	uploadOnce := s.once(s.maxBody, upload)
	quickOnce := s.once(shortBody, s.keyed(quick, allowQuery()))
	group.POST("/blobs", s.createBlob, uploadOnce...)
	download := []echo.MiddlewareFunc{s.admit, s.authenticateDownload, s.transfer, allowQuery(linkKey, linkExpires, linkSignature, resultFormat)}
	for _, k := range s.Kinds {
		if k.Contract != nil {
			s.routeContract(k)
			continue
		}
		group.POST(k.Path, s.createTask(k), upload...)
		if k.Estimate != nil {
			group.POST(k.Path+"/estimate", s.estimateTask(k), uploadOnce...)
		}
		if k.Routes != nil {
			k.Routes(Routes{server: s, group: group, kind: k})
		}
	}
	const task, item = tasksPath + "/:id", tasksPath + "/:id/items/:item"
	get(group, tasksPath, s.listTasks, s.keyed(quick, allowQuery("kind", "status", "limit", "after", "idempotency_key"))...)
	get(group, task, s.getTask, s.keyed(quick, allowQuery())...)
	group.DELETE(task, s.deleteTask, s.keyed(quick, allowQuery())...)
	group.POST(task+"/retry", s.change(s.Tasks.Retry), quickOnce...)
	group.POST(task+"/cancel", s.change(s.Tasks.Cancel), quickOnce...)
	group.POST(task+"/pause", s.change(s.Tasks.Pause), quickOnce...)
	group.POST(task+"/resume", s.change(s.Tasks.Resume), quickOnce...)
	group.POST(task+"/links", s.createLink, quickOnce...)
	follow := []echo.MiddlewareFunc{s.admit, s.authenticate, allowQuery(lastEventParameter)}
	get(group, "/events", s.streamTenant, follow...)
	get(group, task+"/events", s.streamTask, follow...)
	get(group, task+"/result", s.getResult, download...)
	picture := []echo.MiddlewareFunc{s.admit, s.authenticateDownload, s.transfer, allowQuery(linkKey, linkExpires, linkSignature, previewWidth, pictureVersion)}
	get(group, item, s.getItem, s.keyed(quick, allowQuery())...)
	get(group, item+"/result", s.getItemResult, picture...)
	get(group, item+"/input", s.getItemInput, picture...)
	get(group, "/capabilities", s.getCapabilities, s.keyed(quick, allowQuery())...)
	s.routeGlossaries(group, task, quick)
	s.routeSession(group, quick)
	s.routeCosts(group, quick)
	s.routeChecks(group, quick)
	s.routeAdmin(group, quick)
	s.routeWebhooks(group, quick)
}

// keyed returns the middleware of a resource that requires a key.
func (s *Server) keyed(m ...echo.MiddlewareFunc) []echo.MiddlewareFunc {
	return append([]echo.MiddlewareFunc{s.admit, s.authenticate}, m...)
}

// router is Echo, or a group of its routes.
type router interface {
	GET(path string, h echo.HandlerFunc, m ...echo.MiddlewareFunc) *echo.Route
	HEAD(path string, h echo.HandlerFunc, m ...echo.MiddlewareFunc) *echo.Route
}

// get routes GET, and HEAD, for which net/http omits the body.
func get(g router, path string, h echo.HandlerFunc, m ...echo.MiddlewareFunc) {
	g.GET(path, h, m...)
	g.HEAD(path, h, m...)
}

// secureHeaders stops browsers from guessing the type of an answer, and from running or framing it.
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

// recoverPanic turns a panic into an INTERNAL answer and a log line, so that one request cannot end the server.
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
			err = core.NewError(core.CodeInternal, "internal error")
		}()
		return next(c)
	}
}
