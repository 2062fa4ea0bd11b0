package webhook

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"time"

	standardwebhooks "github.com/standard-webhooks/standard-webhooks/libraries/go"

	"plait/internal/core"
	"plait/internal/events"
	"plait/internal/records"
)

// message is the body of a delivery.
type message struct {
	Type      string                     `json:"type"`
	Timestamp time.Time                  `json:"timestamp"`
	Data      map[string]json.RawMessage `json:"data"`
}

// body returns the body of a delivery: the same for each attempt, and with the data that streams of events have.
func body(d records.Delivery) ([]byte, error) {
	m := message{Type: d.Type, Timestamp: d.CreatedAt.UTC()}
	var of struct {
		Status       core.Status `json:"status"`
		SuccessCount int         `json:"success_count"`
	}
	if err := json.Unmarshal(d.Data, &of); err != nil {
		return nil, fmt.Errorf("decode delivery %s: %w", d.ID, err)
	}
	if err := json.Unmarshal(d.Data, &m.Data); err != nil {
		return nil, fmt.Errorf("decode delivery %s: %w", d.ID, err)
	}
	links, err := json.Marshal(events.Links(d.TaskID, of.Status, of.SuccessCount))
	if err != nil {
		return nil, fmt.Errorf("encode delivery %s: %w", d.ID, err)
	}
	m.Data["links"] = links
	return json.Marshal(m)
}

// sign returns the headers of an attempt at a time.
func sign(id string, at time.Time, body []byte, secrets []string) (http.Header, error) {
	signatures := make([]string, len(secrets))
	for i, secret := range secrets {
		signer, err := standardwebhooks.NewWebhook(secret)
		if err != nil {
			return nil, fmt.Errorf("sign delivery %s: %w", id, err)
		}
		if signatures[i], err = signer.Sign(id, at, body); err != nil {
			return nil, fmt.Errorf("sign delivery %s: %w", id, err)
		}
	}
	h := http.Header{}
	h.Set("Content-Type", "application/json")
	h.Set(standardwebhooks.HeaderWebhookID, id)
	h.Set(standardwebhooks.HeaderWebhookTimestamp, strconv.FormatInt(at.Unix(), 10))
	h.Set(standardwebhooks.HeaderWebhookSignature, strings.Join(signatures, " "))
	return h, nil
}
