package api

import (
	"strings"

	"github.com/google/uuid"
	"github.com/labstack/echo/v4"

	"plait/api/schema"
)

const (
	contextRequestID = "request_id"
	// maxRequestID bounds a request id that a client sends.
	maxRequestID = 64
)

// requestID uses the client's request id when it consists of plain characters, generates one otherwise, and returns it to the client.
func (s *Server) requestID(next echo.HandlerFunc) echo.HandlerFunc {
	return func(c echo.Context) error {
		id := c.Request().Header.Get(schema.HeaderRequestID)
		if !plainWord(id) {
			id = uuid.NewString()
		}
		c.Set(contextRequestID, id)
		c.Response().Header().Set(schema.HeaderRequestID, id)
		return next(c)
	}
}

// plainWord refuses characters that could break a log line or a header.
func plainWord(s string) bool {
	if s == "" || len(s) > maxRequestID {
		return false
	}
	return strings.IndexFunc(s, func(r rune) bool {
		return r != '_' && r != '-' && (r < '0' || r > '9') && (r < 'a' || r > 'z') && (r < 'A' || r > 'Z')
	}) < 0
}

func requestIDOf(c echo.Context) string {
	id, _ := c.Get(contextRequestID).(string)
	return id
}
