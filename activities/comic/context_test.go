package comic_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	comicsteps "plait/activities/comic"
	"plait/internal/core"
	"plait/internal/lease"
)

type empty struct{}

func (empty) Bytes() int64 { return 1 }

var kept = comicsteps.Context{Value: empty{}, ImageHash: core.NewBlobRef([32]byte{1}), Regions: 1}

// conditions are what can be wrong with a render, in the order in which the split contract asks for them.
var conditions = []core.Code{
	core.CodeCacheMiss, core.CodeTaskExpired, core.CodeImageHashMismatch, core.CodeRenderInputInvalid,
}

// lookup makes a fresh cache in which exactly the given conditions hold, and renders once.
func lookup(holds map[core.Code]bool) error {
	now := time.Unix(0, 0)
	leases := lease.New(lease.Config{Now: func() time.Time { return now }})
	id, hash, translations := leases.Put(lease.Entry{Value: kept}), kept.ImageHash, []core.Translation{{Text: "HELLO"}}
	if holds[core.CodeTaskExpired] {
		now = now.Add(lease.DefaultTTL)
	}
	if holds[core.CodeCacheMiss] {
		id = "unknown"
	}
	if holds[core.CodeImageHashMismatch] {
		hash = core.NewBlobRef([32]byte{2})
	}
	if holds[core.CodeRenderInputInvalid] {
		translations = nil
	}
	_, err := comicsteps.FindContext(leases, id, hash, translations)
	return err
}

func TestTheFirstConditionAnswers(t *testing.T) {
	t.Parallel()
	require.NoError(t, lookup(nil))
	for i, first := range conditions {
		for _, second := range conditions[i:] {
			t.Run(fmt.Sprintf("%s and %s", first, second), func(t *testing.T) {
				t.Parallel()
				err := lookup(map[core.Code]bool{first: true, second: true})
				require.Equal(t, first, core.CodeOf(err))
			})
		}
	}
}

func TestARefusedRenderLeavesTheContext(t *testing.T) {
	t.Parallel()
	leases := lease.New(lease.Config{})
	id := leases.Put(lease.Entry{Value: kept})
	for _, bad := range [][]core.Translation{nil, {{Index: 1}}, {{Index: 0}, {Index: 0}}, {{Index: -1}}} {
		_, err := comicsteps.FindContext(leases, id, kept.ImageHash, bad)
		require.Equal(t, core.CodeRenderInputInvalid, core.CodeOf(err))
	}
	_, err := comicsteps.FindContext(leases, id, kept.ImageHash, []core.Translation{{Text: "HELLO"}})
	require.NoError(t, err)
}
