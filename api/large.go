package api

import (
	"io"

	"github.com/labstack/echo/v4"

	"plait/internal/core"
)

// smallBody is the size of a request up to which it is no upload, in bytes: it has texts and no file.
const smallBody = 256 << 10

// limitLarge is limitUploads and transfer for requests that may have files, of most bytes at the largest. A large one is read to its end into
// a temporary file before it is handled: a client that sends slowly then holds no memory that others wait for.
func (s *Server) limitLarge(most int64) echo.MiddlewareFunc {
	return func(next echo.HandlerFunc) echo.HandlerFunc {
		small, large := s.transfer(next), s.limitUploads(s.transfer(spooled(most, next)))
		return func(c echo.Context) error {
			if n := c.Request().ContentLength; n >= 0 && n <= smallBody {
				return small(c)
			}
			return large(c)
		}
	}
}

func spooled(most int64, next echo.HandlerFunc) echo.HandlerFunc {
	return func(c echo.Context) error {
		req := c.Request()
		if req.ContentLength > most {
			return core.Errorf(core.CodeTooLarge, "the request has %d bytes; the most is %d", req.ContentLength, most)
		}
		in := newSpool(most)
		defer in.Close()
		body, err := in.write(req.Body, "the body")
		if err != nil {
			return err
		}
		if in.size > most {
			return core.Errorf(core.CodeTooLarge, "the request has more than %d bytes", most)
		}
		req.Body, req.ContentLength = io.NopCloser(body), body.Size()
		return next(c)
	}
}

// decodedTimes is the memory for a decoded body, in sizes of the body: its text, the buffer of the decoder, which grows in steps, and its strings.
const decodedTimes = 4
