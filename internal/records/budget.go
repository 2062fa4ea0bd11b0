package records

import (
	"context"
	"time"

	"github.com/jackc/pgx/v5"

	"plait/internal/translate/ledger"
)

const (
	// Reservations of one account run one at a time.
	lockAccount = `SELECT pg_advisory_xact_lock(hashtext('plait budget'), hashtext(@account::text))`

	forgetCalls = `DELETE FROM provider_call WHERE account = @account::text AND taken_at <= clock_timestamp() - interval '1 minute'`

	// A call that is larger than the whole budget runs alone. The wait ends when enough of the oldest calls have left the window of
	// one minute.
	reserveCall = `
WITH kept AS (
	SELECT taken_at, tokens, count(*) OVER newer AS calls, sum(tokens) OVER newer AS sum
	FROM provider_call WHERE account = @account::text WINDOW newer AS (ORDER BY taken_at DESC, id DESC)
), total AS (
	SELECT count(*) AS calls, coalesce(sum(tokens), 0) AS sum FROM kept
), taken AS (
	INSERT INTO provider_call (account, tokens)
	SELECT @account::text, @tokens::bigint FROM total
	WHERE (@max_calls::bigint = 0 OR calls < @max_calls::bigint) AND (@max_tokens::bigint = 0 OR sum + @tokens::bigint <= @max_tokens::bigint OR calls = 0)
	RETURNING id
)
SELECT coalesce((SELECT id FROM taken), 0), coalesce(extract(epoch FROM (
	SELECT min(taken_at) + interval '1 minute' - clock_timestamp() FROM kept
	WHERE (@max_calls::bigint = 0 OR calls <= @max_calls::bigint) AND (@max_tokens::bigint = 0 OR sum - tokens + @tokens::bigint <= @max_tokens::bigint OR calls = 1)
)), 0)::double precision`
)

// ReserveCall reserves a call with the given number of tokens in the budget of the account for this minute, across all processes. It
// returns the id of the reservation, or 0 and how long to wait until the budget has room.
func (s *Store) ReserveCall(ctx context.Context, account string, tokens int, limits ledger.Limits) (id int64, wait time.Duration, err error) {
	args := pgx.NamedArgs{
		"account": account, "tokens": int64(tokens), "max_calls": int64(limits.Requests), "max_tokens": int64(limits.Tokens),
	}
	var seconds float64
	err = pgx.BeginFunc(ctx, s.pool, func(tx pgx.Tx) error {
		batch := &pgx.Batch{}
		batch.Queue(lockAccount, args)
		batch.Queue(forgetCalls, args)
		if err := tx.SendBatch(ctx, batch).Close(); err != nil {
			return err
		}
		return tx.QueryRow(ctx, reserveCall, args).Scan(&id, &seconds)
	})
	if err != nil {
		return 0, 0, Wrap(err, "reserve a model call")
	}
	if id != 0 {
		return id, 0, nil
	}
	return 0, max(time.Duration(seconds*float64(time.Second)), time.Millisecond), nil
}

// SettleCall replaces the estimated tokens of a reservation by those that the call used.
func (s *Store) SettleCall(ctx context.Context, id int64, tokens int) error {
	_, err := s.pool.Exec(ctx, `UPDATE provider_call SET tokens = $2 WHERE id = $1`, id, int64(tokens))
	return Wrap(err, "settle a model call")
}
