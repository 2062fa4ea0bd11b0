package webhook

import (
	"context"
	"crypto/rand"
	"encoding/base64"
	"time"

	"plait/internal/core"
	"plait/internal/records"
	"plait/internal/seal"
)

const (
	// secretPrefix and secretBytes are those of Standard Webhooks, which asks for 24 to 64 bytes.
	secretPrefix = "whsec_"
	secretBytes  = 32
	// Overlap is how long a secret that was replaced signs beside the one that replaced it.
	Overlap = 24 * time.Hour
)

// Secrets are the secrets that sign the messages to tenants. The database has them encrypted.
type Secrets struct {
	Records *records.Store
	Box     *seal.Box
}

// Secret is a secret of a tenant.
type Secret struct {
	// Plain is the secret as a receiver needs it: whsec_ and base64.
	Plain     string
	CreatedAt time.Time
	// ExpiresAt is until when a secret that was replaced signs; nil for the current one.
	ExpiresAt *time.Time
}

// Valid returns the secrets of a tenant that sign now, the current one first. A tenant without any gets one.
func (s Secrets) Valid(ctx context.Context, tenant string) ([]Secret, error) {
	list, err := s.Records.WebhookSecrets(ctx, tenant, s.sealedNew(tenant))
	if err != nil {
		return nil, err
	}
	return s.open(list, tenant)
}

// Rotate gives a tenant another secret, and returns those that sign now, the current one first. The one before expires after [Overlap]. It
// fails with [core.CodeConflict] when records.MaxWebhookSecrets sign already.
func (s Secrets) Rotate(ctx context.Context, tenant string) ([]Secret, error) {
	list, err := s.Records.RotateWebhookSecret(ctx, tenant, s.sealedNew(tenant), Overlap)
	if err != nil {
		return nil, err
	}
	return s.open(list, tenant)
}

// sealedNew returns a new secret, encrypted.
func (s Secrets) sealedNew(tenant string) []byte {
	random := make([]byte, secretBytes)
	_, _ = rand.Read(random) // never fails
	return s.Box.Seal(random, tenant)
}

// resealed is how many secrets are read at once.
const resealed = 500

// Reseal encrypts all secrets with the first key of the box, so that its other keys can be dropped. It returns how many it changed, and
// how many no key fits.
func (s Secrets) Reseal(ctx context.Context) (changed, unreadable int, err error) {
	var after int64
	for {
		list, err := s.Records.SealedSecrets(ctx, after, resealed)
		if err != nil {
			return changed, unreadable, err
		}
		for _, one := range list {
			after = one.ID
			sealed, differs, err := s.Box.Reseal(one.Sealed, one.Tenant)
			if err != nil {
				unreadable++
				continue
			}
			if !differs {
				continue
			}
			if err := s.Records.ReplaceSealed(ctx, one, sealed); err != nil {
				return changed, unreadable, err
			}
			changed++
		}
		if len(list) < resealed {
			return changed, unreadable, nil
		}
	}
}

// open decrypts secrets. An older one whose key is no longer configured is left out.
func (s Secrets) open(sealed []records.WebhookSecret, tenant string) (list []Secret, err error) {
	for i, one := range sealed {
		plain, err := s.Box.Open(one.Sealed, tenant)
		switch {
		case err == nil:
			text := secretPrefix + base64.StdEncoding.EncodeToString(plain)
			list = append(list, Secret{Plain: text, CreatedAt: one.CreatedAt, ExpiresAt: one.ExpiresAt})
		case i == 0:
			return nil, core.Wrap(core.CodeInternal, err, "the webhook secret cannot be read; a rotation replaces it")
		}
	}
	return list, nil
}
