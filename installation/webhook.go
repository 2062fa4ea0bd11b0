package installation

import (
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

// webhookSender sends messages to tenants, by the rules for files by URL. They are sent even where no files are fetched.
func webhookSender(l *config.Loaded, store *records.Store) (*webhook.Sender, error) {
	keys, err := payloadKeys(l)
	if err != nil {
		return nil, err
	}
	secrets, err := webhookSecrets(store, keys)
	if err != nil {
		return nil, err
	}
	client := fetch.New(fetch.Config{Timeout: webhook.Timeout, Allowed: l.Fetch.AllowedNetworks, Denied: l.Fetch.DeniedNetworks})
	return &webhook.Sender{Records: store, Secrets: secrets, Fetch: client}, nil
}
