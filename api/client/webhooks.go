package client

import (
	"context"
	"encoding/json"
	"net/http"
	"net/url"
	"strconv"

	"plait/api/schema"
)

const (
	webhooks   = "/v1/webhooks"
	endpoints  = webhooks + "/endpoints"
	deliveries = webhooks + "/deliveries"
)

// Endpoints lists the endpoints of the tenant, the oldest first.
func (c *Client) Endpoints(ctx context.Context) ([]schema.Endpoint, error) {
	var list schema.EndpointList
	return list.Endpoints, c.Get(ctx, endpoints, &list)
}

// AddEndpoint has a URL told of the end of every task of the tenant. An endpoint that exists is returned. It fails with
// [core.CodeConflict] when the tenant has as many as it may.
func (c *Client) AddEndpoint(ctx context.Context, target string) (e schema.Endpoint, err error) {
	body, err := json.Marshal(schema.CreateEndpoint{URL: target})
	if err != nil {
		return e, err
	}
	return e, c.Do(ctx, http.MethodPost, endpoints, body, &e)
}

// DeleteEndpoint deletes an endpoint. It fails with [core.CodeNotFound].
func (c *Client) DeleteEndpoint(ctx context.Context, id string) error {
	return c.Do(ctx, http.MethodDelete, endpoints+"/"+url.PathEscape(id), nil, nil)
}

// ResumeEndpoint ends the pause of an endpoint. It fails with [core.CodeNotFound].
func (c *Client) ResumeEndpoint(ctx context.Context, id string) (e schema.Endpoint, err error) {
	return e, c.Do(ctx, http.MethodPost, endpoints+"/"+url.PathEscape(id)+"/resume", nil, &e)
}

// WebhookSecret returns the secret that signs the messages to the tenant.
func (c *Client) WebhookSecret(ctx context.Context) (s schema.WebhookSecret, err error) {
	return s, c.Get(ctx, webhooks+"/secret", &s)
}

// RotateWebhookSecret replaces the secret; the one before signs as well for a day. It fails with [core.CodeConflict] after too many
// rotations in a day.
func (c *Client) RotateWebhookSecret(ctx context.Context) (s schema.WebhookSecret, err error) {
	return s, c.Do(ctx, http.MethodPost, webhooks+"/secret", nil, &s)
}

// DeliveryFilter selects deliveries; an empty field matches every delivery.
type DeliveryFilter struct{ Task, Endpoint, Status string }

// Deliveries lists the newest deliveries that match the filter, at most limit (1 to 200).
func (c *Client) Deliveries(ctx context.Context, f DeliveryFilter, limit int) ([]schema.Delivery, error) {
	query := url.Values{"limit": {strconv.Itoa(limit)}}
	for name, value := range map[string]string{"task": f.Task, "endpoint": f.Endpoint, "status": f.Status} {
		if value != "" {
			query.Set(name, value)
		}
	}
	var list schema.DeliveryList
	return list.Deliveries, c.Get(ctx, deliveries+"?"+query.Encode(), &list)
}

// Replay sends a delivery once more. It fails with [core.CodeNotFound], and with [core.CodeConflict] when its endpoint is paused or
// deleted.
func (c *Client) Replay(ctx context.Context, id string) (d schema.Delivery, err error) {
	return d, c.Do(ctx, http.MethodPost, deliveries+"/"+url.PathEscape(id)+"/replay", nil, &d)
}
