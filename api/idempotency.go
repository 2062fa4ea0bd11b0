package api

import (
	"bytes"
	"context"
	"encoding/json"
	"net/http"
	"slices"
	"time"

	"github.com/labstack/echo/v4"

	"plait/api/schema"
	"plait/internal/core"
	"plait/internal/records"
)

const (
	// maxIdempotentBody is how many bytes of a body distinguish a request that is no upload. No such request has a larger body.
	maxIdempotentBody = 64 << 10
	// maxRecordedAnswer is in bytes. The largest is a task without its items.
	maxRecordedAnswer = 64 << 10
	// claimMargin is how long an attempt is waited for beyond RequestTimeout, before another may carry the request out.
	claimMargin = 10 * time.Second
	// recordTime bounds how long an answer waits for being recorded.
	recordTime = 5 * time.Second
)

// once adds [Server.idempotent] to the middleware of a POST whose bodies differ within their first most bytes.
func (s *Server) once(most func(echo.Context) int64, m []echo.MiddlewareFunc) []echo.MiddlewareFunc {
	return append(slices.Clone(m), s.idempotent(most))
}

// shortBody is the largest body of a request that is no upload.
func shortBody(echo.Context) int64 { return maxIdempotentBody }

// idempotent carries a request with an idempotency key out once: a repetition within a day is answered as the first one was. Only a success
// is recorded, since a request that was refused had no effect. An attempt that takes longer than RequestTimeout, as an
// upload may, is not waited for: what another attempt then does again has no further effect, or fails. It is the last middleware.
func (s *Server) idempotent(most func(echo.Context) int64) echo.MiddlewareFunc {
	return func(next echo.HandlerFunc) echo.HandlerFunc {
		return func(c echo.Context) error {
			key, err := idempotencyKey(c.Request().Header)
			if err != nil {
				return err
			}
			if key == "" {
				return next(c)
			}
			r := records.IdempotentRequest{Tenant: tenantOf(c), Route: c.Path(), Key: key}
			claim, recorded, err := s.Records.ClaimRequest(c.Request().Context(), r, s.Config.RequestTimeout+claimMargin)
			if err != nil {
				return err
			}
			body := newFingerprint(c.Request(), most(c))
			defer body.stop()
			if recorded != nil {
				return s.repeat(c, r, *recorded, body)
			}
			return s.carryOut(c, r, claim, body, next)
		}
	}
}

// carryOut runs the handler of a claimed request, records its answer, and sends it.
func (s *Server) carryOut(c echo.Context, r records.IdempotentRequest, claim records.Claim, body *fingerprint, next echo.HandlerFunc) error {
	req := c.Request()
	req = req.WithContext(records.WithClaim(req.Context(), claim))
	req.Body = body
	c.SetRequest(req)
	held := &heldAnswer{ResponseWriter: c.Response().Writer}
	c.Response().Writer = held
	err := next(c)
	c.Response().Writer = held.ResponseWriter

	ctx, cancel := context.WithTimeout(context.WithoutCancel(req.Context()), recordTime)
	defer cancel()
	var sum []byte
	if err == nil {
		sum, err = body.end()
	}
	if err != nil {
		status := statusOf(err, knownError(err).Code)
		refused := status >= http.StatusBadRequest && status < http.StatusInternalServerError
		if failed := s.Records.ReleaseRequest(ctx, claim, refused); failed != nil {
			s.Log.Warn("an idempotency key stays claimed", "request_id", requestIDOf(c), "error", failed)
		}
		return err
	}
	if err := s.recordAnswer(ctx, r, claim, sum, held); err != nil {
		// The request has succeeded, and the client learns it; a repetition is carried out again once the claim is over.
		s.Log.Warn("an answer was not recorded under its idempotency key", "request_id", requestIDOf(c), "error", err)
	}
	return held.send()
}

// savedAnswer is what the records keep of an answer, besides its status.
type savedAnswer struct {
	ContentType string `json:"content_type"`
	Location    string `json:"location,omitempty"`
	Body        []byte `json:"body"`
}

func (s *Server) recordAnswer(ctx context.Context, r records.IdempotentRequest, claim records.Claim, sum []byte, held *heldAnswer) error {
	h := held.Header()
	saved, err := json.Marshal(savedAnswer{
		ContentType: h.Get(echo.HeaderContentType), Location: h.Get(echo.HeaderLocation), Body: held.body.Bytes(),
	})
	if err != nil {
		return err
	}
	if len(saved) > maxRecordedAnswer {
		return core.Errorf(core.CodeTooLarge, "the answer has more than %d bytes", maxRecordedAnswer)
	}
	return s.Records.RecordAnswer(ctx, claim, records.Answer{Fingerprint: sum, Status: held.status, Sealed: s.Webhooks.Box.Seal(saved, ownerOf(r))})
}

// ownerOf binds a sealed answer to its request.
func ownerOf(r records.IdempotentRequest) string {
	return "answer\n" + r.Tenant + "\n" + r.Route + "\n" + r.Key
}

// repeat answers a repetition as the first request was answered. It fails with CONFLICT for another request.
func (s *Server) repeat(c echo.Context, r records.IdempotentRequest, recorded records.Answer, body *fingerprint) error {
	sum, err := body.end()
	if err != nil {
		return err
	}
	if !bytes.Equal(sum, recorded.Fingerprint) {
		return core.NewError(core.CodeConflict, "the idempotency key belongs to another request")
	}
	var saved savedAnswer
	opened, err := s.Webhooks.Box.Open(recorded.Sealed, ownerOf(r))
	if err == nil {
		err = json.Unmarshal(opened, &saved)
	}
	if err != nil {
		return core.Wrap(core.CodeConflict, err, "the recorded answer to this idempotency key cannot be read any more: use another key")
	}
	h := c.Response().Header()
	h.Set(schema.HeaderIdempotentReplayed, "true")
	if saved.Location != "" {
		h.Set(echo.HeaderLocation, saved.Location)
	}
	return c.Blob(recorded.Status, saved.ContentType, saved.Body)
}

// heldAnswer keeps an answer until it is sent.
type heldAnswer struct {
	http.ResponseWriter
	status int
	body   bytes.Buffer
}

func (h *heldAnswer) WriteHeader(status int)      { h.status = status }
func (h *heldAnswer) Write(p []byte) (int, error) { return h.body.Write(p) }

// Unwrap returns the underlying writer, for http.ResponseController.
func (h *heldAnswer) Unwrap() http.ResponseWriter { return h.ResponseWriter }

func (h *heldAnswer) send() error {
	h.ResponseWriter.WriteHeader(h.status)
	_, err := h.ResponseWriter.Write(h.body.Bytes())
	return err
}
