package client

import (
	"context"
	"net/url"

	"plait/api/schema"
)

// CostFilter selects costs. Days are YYYY-MM-DD, of UTC; an empty one takes the default of the API, the last 30 days.
type CostFilter struct {
	From, To string
	// All selects those of all tenants together, and Tenant those of one; both need a key of the scope admin. Without them, they are those
	// of the tenant of the key.
	All    bool
	Tenant string
}

// Costs returns what models cost, by day and model. It fails with [core.CodeInvalidInput], and with [core.CodeForbidden].
func (c *Client) Costs(ctx context.Context, f CostFilter) (costs schema.Costs, err error) {
	query := url.Values{}
	for name, value := range map[string]string{"from": f.From, "to": f.To, "tenant": f.Tenant} {
		if value != "" {
			query.Set(name, value)
		}
	}
	path := "/v1/costs"
	if f.All || f.Tenant != "" {
		path = "/v1/admin/costs"
	}
	return costs, c.Get(ctx, path+"?"+query.Encode(), &costs)
}
