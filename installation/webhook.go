package installation

import (
	"context"
	"log/slog"

	"plait/internal/config"
	"plait/internal/fetch"
	"plait/internal/records"
	"plait/internal/seal"
	"plait/internal/webhook"
	"plait/workflows/payload"
)

// webhookSecrets returns the secrets of webhooks, sealed with a key derived from those that encrypt payloads.
func webhookSecrets(store *records.Store, keys *payload.Keys) (webhook.Secrets, error) {
	box, err := seal.New(keys.Derive("webhook secrets"))
	return webhook.Secrets{Records: store, Box: box}, err
}

// webhookSender sends messages to tenants, by the rules for files by URL. They are sent even where no files are fetched. It first encrypts
// all secrets with the first key, so that an installation can drop the others.
func webhookSender(ctx context.Context, l *config.Loaded, store *records.Store, log *slog.Logger) (*webhook.Sender, error) {
	keys, err := payloadKeys(l)
	if err != nil {
		return nil, err
	}
	secrets, err := webhookSecrets(store, keys)
	if err != nil {
		return nil, err
	}
	changed, unreadable, err := secrets.Reseal(ctx)
	if err != nil {
		return nil, err
	}
	if changed+unreadable > 0 {
		log.Info("webhook secrets sealed with the first of temporal.payload_keys", slog.Int("changed", changed), slog.Int("unreadable", unreadable))
	}
	client := fetch.New(fetch.Config{Timeout: webhook.Timeout, Allowed: l.Fetch.AllowedNetworks, Denied: l.Fetch.DeniedNetworks})
	return &webhook.Sender{Records: store, Secrets: secrets, Fetch: client}, nil
}
