package records

import (
	"context"
	"time"

	"github.com/jackc/pgx/v5"

	"plait/internal/core"
)

// KeepUpload remembers that the tenant uploaded a blob, which is held by holder and put already, and keeps it for a time.
// Uploading again extends the time. It fails with [core.CodeRateLimited] when the tenant then keeps more than its tier allows.
func (s *Store) KeepUpload(ctx context.Context, tenant, holder string, ref core.BlobRef, size int64, keep time.Duration) error {
	statements := append([]Statement{{SQL: `
		WITH kept AS (
			INSERT INTO upload (tenant, blob, size, expires_at)
			VALUES (@tenant, @blob, @size, now() + make_interval(secs => @seconds))
			ON CONFLICT (tenant, blob) DO UPDATE SET expires_at = greatest(upload.expires_at, excluded.expires_at)
			RETURNING blob
		)
		DELETE FROM blob_lease USING kept WHERE blob_lease.blob = kept.blob AND blob_lease.holder = @holder`,
		Args: pgx.NamedArgs{"tenant": tenant, "holder": holder, "blob": ref, "size": size, "seconds": keep.Seconds()},
	}}, storeFiles(tenant, map[core.BlobRef]int64{ref: size})...)
	_, err := run(s.pool.SendBatch(ctx, batchOf(statements)), statements)
	return Wrap(err, "keep an upload")
}

// HasUpload fails with [core.CodeBlobMissing] unless the tenant uploaded the blob, and the upload has not expired.
func (s *Store) HasUpload(ctx context.Context, tenant string, ref core.BlobRef) error {
	var found bool
	err := s.pool.QueryRow(ctx, `SELECT EXISTS (SELECT FROM upload WHERE tenant = $1 AND blob = $2 AND expires_at > now())`,
		tenant, ref).Scan(&found)
	if err != nil {
		return Wrap(err, "find an upload")
	}
	if !found {
		return core.Errorf(core.CodeBlobMissing, "there is no upload %s, or it has expired", ref)
	}
	return nil
}

// ExpireUploads forgets at most limit uploads that have expired, leaving their blobs to [Store.ExpiredBlobs], and returns
// how many they were.
func (s *Store) ExpireUploads(ctx context.Context, limit int) (int, error) {
	args := pgx.NamedArgs{"limit": limit}
	var expired []string
	err := s.Transact(ctx, func(tx pgx.Tx) (err error) {
		if expired, err = collect[string](ctx, tx, expireUploads, args); err != nil || len(expired) == 0 {
			return err
		}
		args["blobs"] = expired
		_, err = tx.Exec(ctx, releaseStored, args)
		return err
	})
	return len(expired), Wrap(err, "expire uploads")
}

const expireUploads = `
WITH expired AS (
	DELETE FROM upload WHERE (tenant, blob) IN (
		SELECT tenant, blob FROM upload WHERE expires_at <= now() ORDER BY expires_at LIMIT @limit FOR UPDATE SKIP LOCKED)
	RETURNING blob
), left_over AS (
	INSERT INTO blob_lease (blob, holder, expires_at) SELECT DISTINCT blob, '', now() FROM expired ORDER BY blob
	ON CONFLICT (blob) DO NOTHING
)
SELECT blob FROM expired`
