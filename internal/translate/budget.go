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

// Budgets keeps what each account at a provider may take in a minute, over all processes. It is safe for concurrent use.
type Budgets interface {
	// ReserveCall takes a call of so many tokens from the account's budget and returns its id; or takes nothing, and returns how
	// long to wait until there is room for it.
	ReserveCall(ctx context.Context, account string, tokens int, limits ledger.Limits) (id int64, wait time.Duration, err error)
	// SettleCall replaces the tokens of a reservation by those that the call took.
	SettleCall(ctx context.Context, id int64, tokens int) error
}

// budget is what one provider of a translator may take.
type budget struct {
	budgets Budgets
	account string
	limits  ledger.Limits
}

// accountOf names who pays: the provider's address and the key, of which only a digest leaves the process.
func accountOf(c provider.Config, endpoint string) string {
	sum := sha256.Sum256([]byte(c.Key))
	return c.Kind + " " + endpoint + " " + hex.EncodeToString(sum[:8])
}

// reserve takes a call from the budget. It fails with CodeTranslatorRateLimited, and with RetryAfter, when the minute has no room
// for it: then the slot is better left to others. The returned function tells what the call took.
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
		// An estimate that stays is no harm: it leaves the window within the minute.
		_ = b.budgets.SettleCall(ctx, id, tokens)
	}, nil
}
