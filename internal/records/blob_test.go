package records_test

import (
	"context"
	"errors"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"golang.org/x/sync/errgroup"

	"plait/internal/core"
	"plait/internal/records"
	"plait/internal/records/recordstest"
)

// store is a blob store reduced to the names that it has.
type store struct {
	mu   sync.Mutex
	has  map[core.BlobRef]bool
	fail core.BlobRef
}

func newStore(refs ...core.BlobRef) *store {
	s := &store{has: map[core.BlobRef]bool{}}
	for _, r := range refs {
		s.put(r)
	}
	return s
}

func (s *store) put(ref core.BlobRef) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.has[ref] = true
}

func (s *store) remove(_ context.Context, ref core.BlobRef) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if ref == s.fail {
		return errors.New("the disk refuses")
	}
	delete(s.has, ref)
	return nil
}

func (s *store) holds(ref core.BlobRef) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.has[ref]
}

func TestDeleteTask(t *testing.T) {
	f := open(t)
	ctx := t.Context()
	n, other := newTask(3), newTask(1)
	zero := 0
	n.Files = []records.File{
		{Role: records.RoleArchive, Position: 0, Name: "a", ItemIndex: &zero},
		{Role: records.RoleArchive, Position: 1, Name: "info", Blob: recordstest.BlobOf("info")},
		{Role: records.RoleScript, Name: "script", Blob: recordstest.BlobOf("script")},
	}
	other.Tenant = "other"
	other.Items[0].Blob = n.Items[1].Blob // shared as an item, with another tenant
	other.Files = []records.File{{Role: records.RoleScript, Name: "script", Blob: n.Items[2].Blob}}
	f.Create(n)
	f.Create(other)
	require.NoError(t, f.StartTask(ctx, core.StartTaskInput{TaskID: n.ID}))
	f.finish(n.Items[0])
	require.NoError(t, f.RecordCall(ctx, okCall("k", n.ID, "text")))

	_, err := f.DeleteTask(ctx, tenant, n.ID)
	recordstest.RequireCode(t, core.CodeConflict, err)
	_, err = f.FinishTask(ctx, core.FinishTaskInput{TaskID: n.ID})
	require.NoError(t, err)
	_, err = f.DeleteTask(ctx, "other", n.ID)
	recordstest.RequireCode(t, core.CodeNotFound, err)

	orphaned, err := f.DeleteTask(ctx, tenant, n.ID)
	require.NoError(t, err)
	require.ElementsMatch(t, []core.BlobRef{n.Items[0].Blob, resultOf(n.Items[0]).Result, recordstest.BlobOf("info"), recordstest.BlobOf("script")}, orphaned)
	require.Equal(t, []string{other.ID}, f.Rows(`SELECT id FROM task`))
	require.Equal(t, []string{"1 0 1"}, f.Rows(`SELECT (SELECT count(*) FROM item), (SELECT count(*) FROM stage_run), (SELECT count(*) FROM task_file)`))
	require.Equal(t, []string{"k 10"}, f.Rows(`SELECT request_key, input_tokens, answer FROM model_call`), "what it cost stays, what it said goes")

	blobs := newStore(append(orphaned, n.Items[1].Blob, n.Items[2].Blob)...)
	removed, err := f.RemoveBlobs(ctx, orphaned, blobs.remove)
	require.NoError(t, err)
	require.Equal(t, 4, removed)
	require.Len(t, blobs.has, 2)
	require.Empty(t, f.Rows(`SELECT * FROM blob_lease`))
	_, err = f.DeleteTask(ctx, tenant, n.ID)
	recordstest.RequireCode(t, core.CodeNotFound, err)
}

func TestHeldBlobsStay(t *testing.T) {
	f := open(t)
	ctx := t.Context()
	mine, shared := recordstest.BlobOf("mine"), recordstest.BlobOf("shared")
	blobs := newStore(mine, shared)
	require.NoError(t, f.HoldBlobs(ctx, "a", []core.BlobRef{mine, shared, mine}))
	require.NoError(t, f.HoldBlobs(ctx, "b", []core.BlobRef{shared}))

	removed, err := f.RemoveBlobs(ctx, []core.BlobRef{mine, shared}, blobs.remove)
	require.NoError(t, err)
	require.Zero(t, removed, "held")
	released, err := f.ReleaseBlobs(ctx, "a", []core.BlobRef{mine, shared})
	require.NoError(t, err)
	require.Equal(t, []core.BlobRef{mine}, released, "a's request was refused; b's goes on")
	removed, err = f.RemoveBlobs(ctx, released, blobs.remove)
	require.NoError(t, err)
	require.Equal(t, 1, removed)
	require.True(t, blobs.holds(shared))

	// Nobody ever names it: the hold expires and the sweeper takes it.
	f.SQL(`UPDATE blob_lease SET expires_at = now() - interval '1 second'`)
	expired, err := f.ExpiredBlobs(ctx, 10, "")
	require.NoError(t, err)
	require.Equal(t, []core.BlobRef{shared}, expired)
	after, err := f.ExpiredBlobs(ctx, 10, shared)
	require.NoError(t, err)
	require.Empty(t, after)
	blobs.fail = shared
	_, err = f.RemoveBlobs(ctx, expired, blobs.remove)
	require.ErrorContains(t, err, "the disk refuses")
	blobs.fail = ""
	removed, err = f.RemoveBlobs(ctx, expired, blobs.remove)
	require.NoError(t, err)
	require.Equal(t, 1, removed, "a failed removal is tried again")
}

// The server ends a session that is idle in a transaction for 30 seconds, and its locks with it: a removal that went on
// would take a blob that has been held and put again meanwhile.
func TestRemovalEndsBeforeItsLocks(t *testing.T) {
	f := open(t)
	refs := []core.BlobRef{recordstest.BlobOf("a"), recordstest.BlobOf("b")}
	f.SQL(`INSERT INTO blob_lease SELECT b, '', now() FROM unnest($1::text[]) b`, refs)
	removed, err := f.RemoveBlobs(t.Context(), refs, func(ctx context.Context, _ core.BlobRef) error {
		deadline, bounded := ctx.Deadline()
		require.True(t, bounded)
		require.Less(t, time.Until(deadline), 30*time.Second)
		return nil
	})
	require.NoError(t, err)
	require.Equal(t, 2, removed)
}

// A removal and a request for the same content meet: whoever put the blob after holding it finds it.
func TestHoldExcludesRemoval(t *testing.T) {
	f := open(t)
	ref := recordstest.BlobOf("content")
	for range 30 {
		blobs := newStore(ref)
		f.SQL(`INSERT INTO blob_lease VALUES ($1, '', now() - interval '1 second') ON CONFLICT (blob) DO UPDATE SET expires_at = excluded.expires_at`, string(ref))
		var group errgroup.Group
		group.Go(func() error {
			_, err := f.RemoveBlobs(t.Context(), []core.BlobRef{ref}, blobs.remove)
			return err
		})
		group.Go(func() error {
			if err := f.HoldBlobs(t.Context(), "task", []core.BlobRef{ref}); err != nil {
				return err
			}
			blobs.put(ref)
			return nil
		})
		require.NoError(t, group.Wait())
		require.True(t, blobs.holds(ref))
	}
}

func TestUploads(t *testing.T) {
	f := open(t)
	ctx := t.Context()
	ref := recordstest.BlobOf("upload")
	blobs := newStore(ref)
	require.NoError(t, f.HoldBlobs(ctx, "h", []core.BlobRef{ref}))
	for range 2 {
		require.NoError(t, f.KeepUpload(ctx, tenant, "h", ref, 6, time.Hour))
	}
	require.NoError(t, f.HasUpload(ctx, tenant, ref))
	recordstest.RequireCode(t, core.CodeBlobMissing, f.HasUpload(ctx, "other", ref))
	recordstest.RequireCode(t, core.CodeBlobMissing, f.HasUpload(ctx, tenant, recordstest.BlobOf("never")))

	sweep := func() int {
		_, err := f.ExpireUploads(ctx, 10)
		require.NoError(t, err)
		expired, err := f.ExpiredBlobs(ctx, 10, "")
		require.NoError(t, err)
		removed, err := f.RemoveBlobs(ctx, expired, blobs.remove)
		require.NoError(t, err)
		return removed
	}
	require.Zero(t, sweep())
	require.NoError(t, f.KeepUpload(ctx, "other", "h", ref, 6, time.Hour))
	f.SQL(`UPDATE upload SET expires_at = now() WHERE tenant = 'acme'`)
	recordstest.RequireCode(t, core.CodeBlobMissing, f.HasUpload(ctx, tenant, ref))
	require.Zero(t, sweep(), "another tenant uploaded the same")
	f.SQL(`UPDATE upload SET expires_at = now()`)
	require.Equal(t, 1, sweep())
}
