package api

import (
	"net/http"
	"strings"

	"github.com/labstack/echo/v4"

	"plait/internal/core"
)

// waitingUploads bounds how many uploads of a tenant wait, in uploads that it may have under way. Each holds a connection and no memory.
const waitingUploads = 64

func newUploads(c Config) *tenantSlots {
	return &tenantSlots{
		most: c.MaxUploads, waiting: c.MaxUploads * waitingUploads, patience: c.AdmissionTimeout,
		refusal: "too many uploads at once; try again in a moment",
	}
}

// limitUploads bounds the body before anything reads it. While the tenant has as many uploads under way as it may, the upload waits, and
// its body stays with the client.
func (s *Server) limitUploads(next echo.HandlerFunc) echo.HandlerFunc {
	return func(c echo.Context) error {
		req := c.Request()
		if coding := req.Header.Get(echo.HeaderContentEncoding); coding != "" && !strings.EqualFold(coding, "identity") {
			return withStatus(http.StatusUnsupportedMediaType,
				core.Errorf(core.CodeInvalidInput, "content encoding %q is not known: send the body as it is", clip(coding)))
		}
		most := s.maxBody(c)
		if req.ContentLength > most {
			return core.Errorf(core.CodeTooLarge, "the request has %d bytes; the most is %d", req.ContentLength, most)
		}
		leave, err := s.uploads.take(req.Context(), tenantOf(c))
		if err != nil {
			return err
		}
		defer leave()
		// MaxBytesReader can only close the connection through the server's own writer.
		req.Body = http.MaxBytesReader(c.Response().Writer, req.Body, most)
		return next(c)
	}
}
