package api

import "github.com/labstack/echo/v4"

// Routes are all that the server answers.
func (s *Server) Routes() []*echo.Route { return s.echo.Routes() }

// Route adds one for a test, within the middleware that all have.
func (s *Server) Route(method, path string, h echo.HandlerFunc) { s.echo.Add(method, path, h) }

// RouteTransfer adds one that takes or gives much.
func (s *Server) RouteTransfer(method, path string, h echo.HandlerFunc) {
	s.echo.Add(method, path, h, s.admit, s.authenticate, s.limitUploads, s.transfer)
}
