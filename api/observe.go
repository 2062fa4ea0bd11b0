package api

import (
	"context"
	"errors"
	"net/http"
	"os"
	"slices"
	"strconv"
	"time"

	"github.com/labstack/echo/v4"
	"github.com/prometheus/client_golang/prometheus"

	"plait/internal/quota"
)

type metrics struct {
	requests *prometheus.HistogramVec
	panics   prometheus.Counter
	// refusals are those of limits.
	refusals *prometheus.CounterVec
}

func newMetrics(r prometheus.Registerer, version string) *metrics {
	m := &metrics{
		requests: prometheus.NewHistogramVec(prometheus.HistogramOpts{
			Name: "plait_http_request_seconds", Help: "Time of HTTP requests by route, method and status.",
			Buckets: prometheus.ExponentialBuckets(0.002, 4, 9),
		}, []string{"route", "method", "status"}),
		panics: prometheus.NewCounter(prometheus.CounterOpts{Name: "plait_http_panics_total", Help: "Requests that panicked."}),
	}
	m.refusals = prometheus.NewCounterVec(prometheus.CounterOpts{
		Name: "plait_limit_refusals_total", Help: "Requests refused by limits of tiers, by name, and by those of the process (limit \"process\").",
	}, []string{"limit"})
	build := prometheus.NewGauge(prometheus.GaugeOpts{
		Name: "plait_build_info", Help: "Always 1; the label is the version.", ConstLabels: prometheus.Labels{"version": version},
	})
	build.Set(1)
	r.MustRegister(m.requests, m.panics, m.refusals, build)
	return m
}

// The statuses that logs and metrics show for answers that were not sent completely.
const (
	// statusClientGone means that the client disconnected; nginx uses the same number.
	statusClientGone = 499
	// statusCutOff means that an answer began as a success and was then cut off.
	statusCutOff = 599
)

// observe answers errors, and logs and counts each request after its answer.
func (s *Server) observe(next echo.HandlerFunc) echo.HandlerFunc {
	return func(c echo.Context) error {
		start, ctx := time.Now(), c.Request().Context()
		err := next(c)
		if err == nil {
			s.record(c, c.Response().Status, start)
			return nil
		}
		// A body that makes no progress ends the context too, but its client is still connected and can read an answer.
		gone := errors.Is(ctx.Err(), context.Canceled) && !errors.Is(err, os.ErrDeadlineExceeded)
		switch {
		case gone:
			s.record(c, statusClientGone, start)
		case c.Response().Committed:
			s.Log.Error("an answer was cut off", "request_id", requestIDOf(c), "route", c.Path(), "error", err)
			s.record(c, statusCutOff, start)
		}
		if gone || c.Response().Committed {
			// Aborting the connection is the only way to tell a client that an answer is incomplete.
			panic(http.ErrAbortHandler)
		}
		s.answerError(err, c)
		s.record(c, c.Response().Status, start)
		return nil
	}
}

// refused counts a refusal by a limit.
func (m *metrics) refused(err error) {
	limit := "process"
	var reached *quota.ReachedError
	if errors.As(err, &reached) {
		limit = reached.Limit
	}
	m.refusals.WithLabelValues(limit).Inc()
}

var knownMethods = []string{
	http.MethodGet, http.MethodHead, http.MethodPost, http.MethodPut, http.MethodPatch, http.MethodDelete, http.MethodOptions,
}

// knownMethod returns the method, or "other" for an unknown one, which bounds the values of the label.
func knownMethod(method string) string {
	if slices.Contains(knownMethods, method) {
		return method
	}
	return "other"
}

// record uses labels with few values only: the route instead of the path, and known methods.
func (s *Server) record(c echo.Context, status int, start time.Time) {
	traceStatus(c, status)
	method := knownMethod(c.Request().Method)
	elapsed := time.Since(start)
	s.metrics.requests.WithLabelValues(c.Path(), method, strconv.Itoa(status)).Observe(elapsed.Seconds())
	s.Log.Debug("request", "request_id", requestIDOf(c), "client", c.RealIP(), "method", method, "route", c.Path(), "status", status, "elapsed", elapsed)
}
