package api

import (
	"context"
	"net/http"

	"github.com/labstack/echo/v4"

	"plait/api/schema"
	"plait/internal/core"
	"plait/internal/fetch"
	"plait/internal/records"
	"plait/internal/webhook"
)

const (
	endpointsPath     = "/webhooks/endpoints"
	deliveriesPath    = "/webhooks/deliveries"
	webhookSecretPath = "/webhooks/secret"
	// maxCreateEndpoint is in bytes: a URL, all of it escaped.
	maxCreateEndpoint = 6*fetch.MaxURL + 1024
)

// routeWebhooks adds the resources about messages to the tenant.
func (s *Server) routeWebhooks(group *echo.Group, quick echo.MiddlewareFunc) {
	const endpoint, delivery = endpointsPath + "/:id", deliveriesPath + "/:id"
	m := s.keyed(quick, allowQuery())
	once, bodyOnce := s.once(shortBody, m), s.once(shortBody, s.keyed(s.transfer, allowQuery()))
	get(group, endpointsPath, s.listEndpoints, m...)
	group.POST(endpointsPath, s.createEndpoint, bodyOnce...)
	get(group, endpoint, s.getEndpoint, m...)
	group.DELETE(endpoint, s.deleteEndpoint, m...)
	group.POST(endpoint+"/resume", s.resumeEndpoint, once...)
	get(group, webhookSecretPath, s.webhookSecret(s.Webhooks.Valid), m...)
	group.POST(webhookSecretPath, s.webhookSecret(s.Webhooks.Rotate), once...)
	get(group, deliveriesPath, s.listDeliveries, s.keyed(quick, allowQuery("task", "endpoint", "status", "limit", "after"))...)
	get(group, delivery, s.getDelivery, m...)
	group.POST(delivery+"/replay", s.replayDelivery, once...)
}

// pathID returns the id in the path of a resource of that sort. An id with an invalid form is not found, without a query to the database.
func pathID(c echo.Context, what string) (string, error) {
	id := c.Param("id")
	if !plainWord(id) {
		return "", core.Errorf(core.CodeNotFound, "there is no %s %q", what, clip(id))
	}
	return id, nil
}

// checkWebhook refuses a URL that no message could be sent to, before any is.
func (s *Server) checkWebhook(field, url string) error {
	if url == "" {
		return core.Errorf(core.CodeInvalidInput, "%s is missing or empty", field)
	}
	if s.Fetch == nil { // messages are sent even where no files are fetched
		return inField(field, fetch.Check(url))
	}
	return inField(field, s.Fetch.Check(url))
}

func viewEndpoint(e records.Endpoint) schema.Endpoint {
	self := v1 + endpointsPath + "/" + e.ID
	return schema.Endpoint{
		ID: e.ID, URL: e.URL, CreatedAt: e.CreatedAt, PausedAt: e.PausedAt, PauseReason: e.PauseReason,
		Links: map[string]string{"self": self, "deliveries": v1 + deliveriesPath + "?endpoint=" + e.ID},
	}
}

func (s *Server) listEndpoints(c echo.Context) error {
	list, err := s.Records.Endpoints(c.Request().Context(), tenantOf(c))
	if err != nil {
		return err
	}
	return c.JSON(http.StatusOK, schema.EndpointList{Endpoints: viewAll(list, viewEndpoint)})
}

// createEndpoint answers 201 for a new endpoint, and 200 when the tenant has one with the URL.
func (s *Server) createEndpoint(c echo.Context) error {
	var body schema.CreateEndpoint
	if err := decodeBody(c, maxCreateEndpoint, &body); err != nil {
		return err
	}
	if err := s.checkWebhook("url", body.URL); err != nil {
		return err
	}
	e, added, err := s.Records.AddEndpoint(c.Request().Context(), tenantOf(c), body.URL)
	if err != nil {
		return err
	}
	status, v := http.StatusOK, viewEndpoint(e)
	if added {
		status = http.StatusCreated
	}
	c.Response().Header().Set(echo.HeaderLocation, v.Links["self"])
	return c.JSON(status, v)
}

// ofTenant answers with what read finds under the id in the path, for the tenant.
func ofTenant[T, V any](c echo.Context, what string, status int, read func(context.Context, string, string) (T, error), view func(T) V) error {
	id, err := pathID(c, what)
	if err != nil {
		return err
	}
	found, err := read(c.Request().Context(), tenantOf(c), id)
	if err != nil {
		return err
	}
	return c.JSON(status, view(found))
}

func (s *Server) getEndpoint(c echo.Context) error {
	return ofTenant(c, "endpoint", http.StatusOK, s.Records.Endpoint, viewEndpoint)
}

func (s *Server) resumeEndpoint(c echo.Context) error {
	return ofTenant(c, "endpoint", http.StatusOK, s.Records.ResumeEndpoint, viewEndpoint)
}

func (s *Server) deleteEndpoint(c echo.Context) error {
	id, err := pathID(c, "endpoint")
	if err != nil {
		return err
	}
	if err := s.Records.DeleteEndpoint(c.Request().Context(), tenantOf(c), id); err != nil {
		return err
	}
	return c.NoContent(http.StatusNoContent)
}

// webhookSecret answers with the current one of the secrets that read returns.
func (s *Server) webhookSecret(read func(context.Context, string) ([]webhook.Secret, error)) echo.HandlerFunc {
	return func(c echo.Context) error {
		valid, err := read(c.Request().Context(), tenantOf(c))
		if err != nil {
			return err
		}
		v := schema.WebhookSecret{Secret: valid[0].Plain, CreatedAt: valid[0].CreatedAt}
		if len(valid) > 1 {
			v.PreviousExpiresAt = valid[1].ExpiresAt
		}
		return c.JSON(http.StatusOK, v)
	}
}

func viewDelivery(d records.Delivery) schema.Delivery {
	return schema.Delivery{
		ID: d.ID, EndpointID: d.EndpointID, URL: d.URL, TaskID: d.TaskID, Type: d.Type, Status: string(d.Status), Attempts: d.Attempts,
		LastStatus: d.LastStatus, LastError: d.LastError, CreatedAt: d.CreatedAt, LastAttemptAt: d.LastAttemptAt, EndedAt: d.EndedAt,
		Links: map[string]string{"self": v1 + deliveriesPath + "/" + d.ID, "task": taskPath(d.TaskID)},
	}
}

func (s *Server) listDeliveries(c echo.Context) error {
	limit, err := listLimit(c.QueryParam("limit"))
	if err != nil {
		return err
	}
	status, err := records.ParseDeliveryStatus(c.QueryParam("status"))
	if err != nil {
		return err
	}
	after, err := records.ParseCursor(c.QueryParam("after"))
	if err != nil {
		return err
	}
	filter := records.DeliveryFilter{TaskID: c.QueryParam("task"), EndpointID: c.QueryParam("endpoint"), Status: status}
	for _, id := range []string{filter.TaskID, filter.EndpointID} {
		if id != "" && !plainWord(id) {
			return core.Errorf(core.CodeInvalidInput, "%q is not an id", clip(id))
		}
	}
	list, next, err := s.Records.Deliveries(c.Request().Context(), tenantOf(c), filter, limit, after)
	if err != nil {
		return err
	}
	return c.JSON(http.StatusOK, schema.DeliveryList{Deliveries: viewAll(list, viewDelivery), Next: next.String()})
}

func (s *Server) getDelivery(c echo.Context) error {
	return ofTenant(c, "delivery", http.StatusOK, s.Records.Delivery, viewDelivery)
}

// replayDelivery sends a delivery once more; a process with the role control starts it within seconds.
func (s *Server) replayDelivery(c echo.Context) error {
	return ofTenant(c, "delivery", http.StatusAccepted, s.Records.ReplayDelivery, viewDelivery)
}
