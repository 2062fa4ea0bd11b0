package records_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"plait/internal/core"
	"plait/internal/quota"
	"plait/internal/records"
	"plait/internal/records/recordstest"
)

func TestStoredBytesAreNeverMoreThanTheLimit(t *testing.T) {
	f := open(t)
	ctx := t.Context()
	f.limited(quota.Limits{StoredBytes: limit(1000)})
	shared := recordstest.BlobOf("shared")
	task := func() records.NewTask {
		n := newTask(1)
		n.Files = []records.File{{Role: records.RoleScript, Name: "script", Blob: shared}}
		n.Sizes = map[core.BlobRef]int64{n.Items[0].Blob: 200, shared: 300}
		return n
	}
	stored := func() int64 {
		found, err := f.Tenant(ctx, tenant)
		require.NoError(t, err)
		return found.Usage.StoredBytes
	}
	made := f.together(12, func(s *records.Store, _ int) (bool, error) {
		_, created, err := s.CreateTask(ctx, task())
		return created, err
	})
	require.Equal(t, 3, made, "a file that several tasks have counts once")
	require.EqualValues(t, 900, stored())
	_, _, err := f.CreateTask(ctx, task())
	require.ErrorContains(t, err, "the limit stored_bytes is reached")
	upload := func(content string, size int64) error {
		return f.KeepUpload(ctx, tenant, "holder", recordstest.BlobOf(content), size, time.Hour)
	}
	recordstest.RequireCode(t, core.CodeRateLimited, upload("large", 101))
	require.NoError(t, upload("small", 100))
	require.NoError(t, upload("shared", 300))
	require.EqualValues(t, 1000, stored())
	f.SQL(`UPDATE upload SET expires_at = now()`)
	expired, err := f.ExpireUploads(ctx, 10)
	require.NoError(t, err)
	require.Equal(t, 2, expired)
	require.EqualValues(t, 900, stored())

	for i, id := range f.Rows(`SELECT id FROM task ORDER BY id`) {
		require.NoError(t, f.StartTask(ctx, core.StartTaskInput{TaskID: id}))
		_, err = f.FinishTask(ctx, core.FinishTaskInput{TaskID: id})
		require.NoError(t, err)
		if i == 0 {
			_, err = f.DeleteTask(ctx, tenant, id)
			require.NoError(t, err)
			require.EqualValues(t, 700, stored())
		}
	}
	removed, err := f.RemoveFiles(ctx, 0, 10)
	require.NoError(t, err)
	require.Equal(t, 2, removed)
	require.Zero(t, stored())
	require.Empty(t, f.Rows(`SELECT blob FROM stored_file`))
}

// A file that one task gives up while another begins to name it stays counted.
func TestAFileGivenUpAndNamedAtOnceCounts(t *testing.T) {
	f := open(t)
	ctx := t.Context()
	task := func() records.NewTask {
		n := newTask(1)
		n.Items[0].Blob = recordstest.BlobOf("shared")
		n.Sizes = map[core.BlobRef]int64{n.Items[0].Blob: 300}
		return n
	}
	last := task()
	f.Create(last)
	for range 20 {
		_, err := f.FinishTask(ctx, core.FinishTaskInput{TaskID: last.ID})
		require.NoError(t, err)
		next := task()
		f.together(2, func(s *records.Store, i int) (bool, error) {
			if i == 0 {
				_, err := s.DeleteTask(ctx, tenant, last.ID)
				return true, err
			}
			_, _, err := s.CreateTask(ctx, next)
			return true, err
		})
		require.Equal(t, []string{"300"}, f.Rows(`SELECT size FROM stored_file`))
		last = next
	}
}
