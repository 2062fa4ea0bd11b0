package translate

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"time"

	"plait/internal/core"
	"plait/internal/translate/ledger"
	"plait/internal/translate/provider"
)

// Budgets tracks the use of each account at a provider per minute, across all processes. It is safe for concurrent use.
type Budgets interface {
	// ReserveCall takes a call of this many tokens from the account's budget and returns its id; or it takes nothing, and returns how long
	// to wait until there is room.
	ReserveCall(ctx context.Context, account string, tokens int, limits ledger.Limits) (id int64, wait time.Duration, err error)
	// SettleCall replaces the tokens of a reservation by the actual usage.
	SettleCall(ctx context.Context, id int64, tokens int) error
}

// budget bounds the calls to one provider of a translator.
type budget struct {
	budgets Budgets
	account string
	limits  ledger.Limits
}

// accountOf identifies the paying account: the provider's address and a digest of the key; the key itself does not leave the process.
func accountOf(c provider.Config, endpoint string) string {
	sum := sha256.Sum256([]byte(c.Key))
	return c.Kind + " " + endpoint + " " + hex.EncodeToString(sum[:8])
}

// reserve takes a call from the budget. When the minute has no room for it, it fails with CodeTranslatorRateLimited and RetryAfter, so
// that others can use the slot meanwhile. The returned function reports the actual usage.
func (b *budget) reserve(ctx context.Context, name string, tokens int) (settle func(context.Context, int), err error) {
	if b == nil || b.limits == (ledger.Limits{}) {
		return func(context.Context, int) {}, nil
	}
	id, wait, err := b.budgets.ReserveCall(ctx, b.account, tokens, b.limits)
	if err != nil {
		return nil, err
	}
	if wait > 0 {
		return nil, core.Errorf(core.CodeTranslatorRateLimited, "the budget of %s for this minute is used up", name).WithRetryAfter(wait)
	}
	return func(ctx context.Context, tokens int) {
		ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), recordTimeout)
		defer cancel()
		// An estimate that is not replaced is harmless: it leaves the window within a minute.
		_ = b.budgets.SettleCall(ctx, id, tokens)
	}, nil
}
