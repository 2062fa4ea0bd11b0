package api

import (
	"net/http"
	"strings"

	"github.com/labstack/echo/v4"
	"go.opentelemetry.io/otel"
	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/codes"
	"go.opentelemetry.io/otel/propagation"
	semconv "go.opentelemetry.io/otel/semconv/v1.43.0"
	"go.opentelemetry.io/otel/trace"
)

// trace creates a span for each request below the version, as part of the client's trace when the request names one. The handler of the
// OpenTelemetry library would hide the connection's deadlines and its closing, which this package uses.
func (s *Server) trace(next echo.HandlerFunc) echo.HandlerFunc {
	return func(c echo.Context) error {
		if !strings.HasPrefix(c.Path(), v1) {
			return next(c)
		}
		r := c.Request()
		ctx := otel.GetTextMapPropagator().Extract(r.Context(), propagation.HeaderCarrier(r.Header))
		method := knownMethod(r.Method)
		ctx, span := otel.Tracer("plait/api").Start(ctx, method+" "+c.Path(),
			trace.WithSpanKind(trace.SpanKindServer),
			trace.WithAttributes(
				semconv.HTTPRequestMethodKey.String(method), semconv.HTTPRoute(c.Path()),
				attribute.String("plait.request_id", requestIDOf(c)),
			))
		defer span.End()
		c.SetRequest(r.WithContext(ctx))
		return next(c)
	}
}

// traceStatus sets the status of a request's span.
func traceStatus(c echo.Context, status int) {
	span := trace.SpanFromContext(c.Request().Context())
	span.SetAttributes(semconv.HTTPResponseStatusCode(status))
	if status >= http.StatusInternalServerError {
		span.SetStatus(codes.Error, "")
	}
}
